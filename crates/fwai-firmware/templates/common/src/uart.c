#include "uart.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define RCC_APB2ENR REGISTER(0x40021018U)
#define RCC_APB2ENR_IOPAEN (1U << 2)
#define RCC_APB2ENR_USART1EN (1U << 14)

#define GPIOA_CRH REGISTER(0x40010804U)

#define USART1_SR REGISTER(0x40013800U)
#define USART1_DR REGISTER(0x40013804U)
#define USART1_BRR REGISTER(0x40013808U)
#define USART1_CR1 REGISTER(0x4001380CU)
#define USART_SR_RXNE (1U << 5)
#define USART_SR_TXE (1U << 7)
#define USART_CR1_RE (1U << 2)
#define USART_CR1_TE (1U << 3)
#define USART_CR1_UE (1U << 13)

/* After reset the chip runs from its internal 8 MHz oscillator. */
#define CLOCK_HZ 8000000U
#define BAUD 115200U

void uart_init(void)
{
    RCC_APB2ENR |= RCC_APB2ENR_IOPAEN | RCC_APB2ENR_USART1EN;
    /* PA9: alternate function push-pull, 2 MHz (0xA); PA10: floating input (0x4). */
    GPIOA_CRH = (GPIOA_CRH & ~0x00000FF0U) | 0x000004A0U;
    USART1_BRR = (CLOCK_HZ + BAUD / 2U) / BAUD;
    USART1_CR1 = USART_CR1_UE | USART_CR1_TE | USART_CR1_RE;
}

static void write_byte(char byte)
{
    while ((USART1_SR & USART_SR_TXE) == 0U) {
    }
    USART1_DR = (uint32_t)(unsigned char)byte;
}

void uart_write(const char *text)
{
    while (*text != '\0') {
        write_byte(*text++);
    }
}

void uart_write_hex(uint32_t value)
{
    static const char digits[] = "0123456789abcdef";
    uart_write("0x");
    for (int shift = 28; shift >= 0; shift -= 4) {
        write_byte(digits[(value >> (unsigned)shift) & 0xFU]);
    }
}

void uart_write_decimal(uint32_t value)
{
    char text[11];
    char *at = &text[10];
    *at = '\0';
    do {
        *--at = (char)('0' + (char)(value % 10U));
        value /= 10U;
    } while (value != 0U);
    uart_write(at);
}

int uart_read(void)
{
    if ((USART1_SR & USART_SR_RXNE) == 0U) {
        return -1;
    }
    return (int)(USART1_DR & 0xFFU);
}
