/* SPDX-License-Identifier: Apache-2.0 */
/* Of the fake libcuda.so.1 only. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

/* The driver's own names: their prototypes are in a header that nobody needs to have. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#include "device/device.h"
#include "workload/simt/simt.h"

/* Where its constants seem to lie. */
#define FAKE_CONST UINT64_C(0x70000000)

/* Compiled code in which each kernel has as many loads of global memory as its text, or one less;
 * the caller frees it. NULL without memory. */
char *fake_elf(const ptx_module_t *m, bool drop, size_t *bytes);

enum {
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  BAD_PTX = 218,
  NOT_FOUND = 500,
  BAD_ADDRESS = 700,
  BAD = 1
};
enum { RANGES = 8, TEXTURES = 4, VARIABLES = 32, REGS = 16 };
#define PINNED_BYTES (UINT64_C(48) << 20)
#define PINNED (MEMORY_BASE + MEMORY_CAPACITY - PINNED_BYTES)
#define CYCLES UINT64_C(20000000000)

/* Memory of the host that both see, and where the model has it. */
typedef struct {
  char *at;
  uint64_t bytes, image;
} range_t;

typedef struct fake fake_t;

/* A texture of a text: a variable, and its address is known. */
typedef struct {
  fake_t *of;
  unsigned number;
  bool bound;
} texture_t;

/* A text: of the card's own kernels only the name is of use. */
struct fake {
  char *text, *code; /* code: an ELF file with as many loads as the text has */
  size_t bytes;
  bool own;
  ptx_module_t *module; /* the workload's */
  memory_t *memory;     /* likewise */
  workload_t *workload;
  device_t *device;
  device_cfg_t cfg; /* the model's, where its L1D was cut */
  simt_prepared_t prepared;
  texture_t texture[TEXTURES];
  unsigned n_textures;
  uint64_t address[VARIABLES]; /* of a text with textures */
};

/* What the API keeps between its calls. */
typedef struct {
  device_cfg_t cfg;
  fake_t *now, *linked;
  range_t range[RANGES];
  uint64_t pinned; /* bytes handed out */
  unsigned launches;
  bool dead;
} gpu_state_t;

gpu_state_t *fake_gpu(void);
/* FAKE_CUDA has the word. */
bool fake_told(const char *word);

#endif
