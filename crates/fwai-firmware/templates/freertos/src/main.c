/* Two tasks: one says that the system lives, the other echoes what it hears. */

#include "build_id.h"
#include "uart.h"

#include "FreeRTOS.h"
#include "task.h"

#include <stdint.h>

void assert_failed(const char *file, int line)
{
    taskDISABLE_INTERRUPTS();
    uart_write("\r\npanic: assertion failed in ");
    uart_write(file);
    uart_write(" line ");
    uart_write_decimal((uint32_t)line);
    uart_write("\r\n");
    for (;;) {
        __asm__ volatile("bkpt #0");
    }
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    uart_write("\r\npanic: stack overflow in task ");
    uart_write(name);
    uart_write("\r\n");
    for (;;) {
        __asm__ volatile("bkpt #0");
    }
}

static void alive_task(void *unused)
{
    (void)unused;
    for (uint32_t seconds = 1;; ++seconds) {
        vTaskDelay(pdMS_TO_TICKS(1000));
        uart_write("alive for ");
        uart_write_decimal(seconds);
        uart_write(" s\r\n");
    }
}

static void echo_task(void *unused)
{
    (void)unused;
    for (;;) {
        int byte = uart_read();
        if (byte >= 0) {
            const char echo[2] = {(char)byte, '\0'};
            uart_write(echo);
        }
        vTaskDelay(1);
    }
}

int main(void)
{
    uart_init();
    uart_write("\r\n" FIRMWARE_NAME " " FIRMWARE_VERSION " build ");
    build_id_write();
    uart_write("\r\n");

    configASSERT(xTaskCreate(alive_task, "alive", 128, NULL, 2, NULL) == pdPASS);
    configASSERT(xTaskCreate(echo_task, "echo", 96, NULL, 1, NULL) == pdPASS);
    uart_write("boot ok\r\n");
    vTaskStartScheduler();

    configASSERT(0);
    return 0;
}
