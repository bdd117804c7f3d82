#include "cmodel/flush_control.c"

#include "prove/inv/inv.h"

REGISTERS(flush_control)
