#include "cmodel/mrpb.c"

#include "prove/inv/inv.h"

REGISTERS(mrpb)
