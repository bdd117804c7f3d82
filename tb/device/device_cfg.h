/* Keys of the GPU that `mrpb micro` measures: tb/device/table.def read as C. */
#ifndef DEVICE_CFG_H
#define DEVICE_CFG_H

#include "err.h"

#include <stdint.h>

typedef struct {
#define KEY(name, field, min, max, deflt, unit, verilog, doc) uint32_t field;
#define WORD(name, field, words, deflt, verilog, doc) uint32_t field;
#include "device/table.def"
#undef KEY
#undef WORD
} device_cfg_t;

enum { DEVICE_DIVERGENCE_REFERENCE, DEVICE_DIVERGENCE_TAKEN };
enum { DEVICE_OPS_PLAIN, DEVICE_OPS_GT200 };
enum { DEVICE_TABLE_MSHR, DEVICE_TABLE_PRT };
enum { DEVICE_TABLE_FULL_ONE, DEVICE_TABLE_FULL_ALL };
enum { DEVICE_ALLOCATE_MISS, DEVICE_ALLOCATE_FILL };
enum { DEVICE_PRT_ANY, DEVICE_PRT_IN_ORDER };

#endif
