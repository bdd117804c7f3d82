#include "cmodel/mshr.c"

#include "prove/inv/inv.h"

REGISTERS(mshr)
