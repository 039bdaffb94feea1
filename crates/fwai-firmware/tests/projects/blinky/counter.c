#include "counter.h"
unsigned counts[17];
unsigned start_value = 42;
static unsigned clamp(unsigned value) { return value > 1000 ? 0 : value; }
unsigned count_up(unsigned step)
{
    counts[step % 17] = clamp(counts[step % 17] + step + start_value);
    return counts[step % 17];
}
