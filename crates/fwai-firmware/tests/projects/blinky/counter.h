#pragma once
unsigned count_up(unsigned step);
