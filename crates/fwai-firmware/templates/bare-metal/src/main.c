/* The application: says who it is, then counts. */

#include "build_id.h"
#include "uart.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define SYST_CSR REGISTER(0xE000E010U)
#define SYST_RVR REGISTER(0xE000E014U)
#define SYST_CVR REGISTER(0xE000E018U)

#define CLOCK_HZ 8000000U
#define TICKS_A_SECOND 100U

static volatile uint32_t ticks;

void sys_tick_handler(void);

void sys_tick_handler(void)
{
    ++ticks;
}

int main(void)
{
    uart_init();
    uart_write("\r\n" FIRMWARE_NAME " " FIRMWARE_VERSION " build ");
    build_id_write();
    uart_write("\r\n");

    SYST_RVR = CLOCK_HZ / TICKS_A_SECOND - 1U;
    SYST_CVR = 0U;
    SYST_CSR = 7U; /* processor clock, interrupt, on */

    uart_write("boot ok\r\n");

    uint32_t seconds = 0;
    for (;;) {
        __asm__ volatile("wfi");
        if (ticks / TICKS_A_SECOND != seconds) {
            seconds = ticks / TICKS_A_SECOND;
            uart_write("alive for ");
            uart_write_decimal(seconds);
            uart_write(" s\r\n");
        }
        int byte = uart_read();
        if (byte >= 0) {
            const char echo[2] = {(char)byte, '\0'};
            uart_write(echo);
        }
    }
}
