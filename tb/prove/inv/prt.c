#include "cmodel/prt.c"

#include "prove/inv/inv.h"

REGISTERS(prt)
