/* Start-up: vector table, memory initialisation, and what happens on a fault. */

#include "uart.h"

#include <stddef.h>
#include <stdint.h>

extern uint32_t _stack_top;
extern uint32_t _data_load, _data_start, _data_end;
extern uint32_t _bss_start, _bss_end;

int main(void);
void reset_handler(void);
void default_handler(void);
void hard_fault_handler(void);
void hard_fault_report(const uint32_t *frame);

/* Handlers that the application may define; until then they end in default_handler. */
#define WEAK_HANDLER(name) void name(void) __attribute__((weak, alias("default_handler")))

WEAK_HANDLER(nmi_handler);
WEAK_HANDLER(mem_manage_handler);
WEAK_HANDLER(bus_fault_handler);
WEAK_HANDLER(usage_fault_handler);
WEAK_HANDLER(svc_handler);
WEAK_HANDLER(debug_monitor_handler);
WEAK_HANDLER(pend_sv_handler);
WEAK_HANDLER(sys_tick_handler);

typedef void (*vector)(void);

#define DEVICE_INTERRUPTS 61

/* The union keeps the table in one type: the first word is an address, the others are functions. */
typedef union {
    void *address;
    vector handler;
} vector_entry;

__attribute__((section(".isr_vector"), used))
static const vector_entry vectors[16 + DEVICE_INTERRUPTS] = {
    [0] = {.address = &_stack_top},
    [1] = {.handler = reset_handler},
    [2] = {.handler = nmi_handler},
    [3] = {.handler = hard_fault_handler},
    [4] = {.handler = mem_manage_handler},
    [5] = {.handler = bus_fault_handler},
    [6] = {.handler = usage_fault_handler},
    [11] = {.handler = svc_handler},
    [12] = {.handler = debug_monitor_handler},
    [14] = {.handler = pend_sv_handler},
    [15] = {.handler = sys_tick_handler},
    [16 ... 15 + DEVICE_INTERRUPTS] = {.handler = default_handler},
};

void reset_handler(void)
{
    const uint32_t *from = &_data_load;
    for (uint32_t *to = &_data_start; to < &_data_end; ++to) {
        *to = *from++;
    }
    for (uint32_t *to = &_bss_start; to < &_bss_end; ++to) {
        *to = 0;
    }
    (void)main();
    for (;;) {
        __asm__ volatile("wfi");
    }
}

void default_handler(void)
{
    uart_write("\r\npanic: unexpected interrupt\r\n");
    for (;;) {
        __asm__ volatile("bkpt #0");
    }
}

/* Hands the stacked registers to hard_fault_report, whichever stack was in use. */
__attribute__((naked)) void hard_fault_handler(void)
{
    __asm__ volatile(
        "tst lr, #4\n"
        "ite eq\n"
        "mrseq r0, msp\n"
        "mrsne r0, psp\n"
        "b hard_fault_report\n");
}

void hard_fault_report(const uint32_t *frame)
{
    uart_write("\r\npanic: HardFault at pc=");
    uart_write_hex(frame[6]);
    uart_write(" lr=");
    uart_write_hex(frame[5]);
    uart_write("\r\n");
    for (;;) {
        __asm__ volatile("bkpt #0");
    }
}

/* The compiler may call these even in freestanding code. */
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int value, size_t count);

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    while (count-- > 0) {
        *target++ = *source++;
    }
    return to;
}

void *memset(void *to, int value, size_t count)
{
    unsigned char *target = to;
    while (count-- > 0) {
        *target++ = (unsigned char)value;
    }
    return to;
}
