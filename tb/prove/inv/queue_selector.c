#include "cmodel/queue_selector.c"

#include "prove/inv/inv.h"

REGISTERS(queue_selector)
