/* USART1 as a console: 115200 baud, 8N1, polled. TX is PA9, RX is PA10. */

#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_init(void);
void uart_write(const char *text);
void uart_write_hex(uint32_t value);
void uart_write_decimal(uint32_t value);

/* The next received byte, or -1 when there is none. */
int uart_read(void);

#endif
