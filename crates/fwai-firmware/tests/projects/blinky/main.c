#include "counter.h"
static const char banner[] = "blinky 1.0 ready";
volatile unsigned led = 1;
static unsigned char frame[300];
int main(void)
{
    for (unsigned turn = 0; ; turn++) {
        frame[turn % 16] = (unsigned char)banner[turn % 16];
        led = count_up(turn) + frame[0];
    }
}
