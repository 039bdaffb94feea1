#include "build_id.h"

#include "uart.h"

#include <stdint.h>

/* An ELF note: three words of lengths and type, the name "GNU\0", then the id itself. */
extern const unsigned char _build_id_start[], _build_id_end[];

#define NOTE_HEADER 16

void build_id_write(void)
{
    static const char digits[] = "0123456789abcdef";
    char pair[3] = {0};
    for (const unsigned char *at = _build_id_start + NOTE_HEADER; at < _build_id_end; ++at) {
        pair[0] = digits[*at >> 4];
        pair[1] = digits[*at & 0xFU];
        uart_write(pair);
    }
}
