/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to the fake libcuda.so.1. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

/* The driver's API names have no prototypes here: those are in a header that the project does not
 * require. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#include "device/device.h"
#include "workload/simt/simt.h"

/* Address at which its constants seem to lie. */
#define FAKE_CONST UINT64_C(0x70000000)

/* Makes compiled code in which each kernel has as many loads of global memory as its text, or one
 * less if `drop`. The caller frees it; NULL if out of memory. */
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

/* Host memory that host and GPU share, and where the model has it. */
typedef struct {
  char *at;
  uint64_t bytes, image;
} range_t;

typedef struct fake fake_t;

/* A texture of a text: a variable whose address is known. */
typedef struct {
  fake_t *of;
  unsigned number;
  bool bound;
} texture_t;

/* A text. Of the card's own kernels only the name is used. */
struct fake {
  char *text, *code; /* code: an ELF file with as many loads as the text */
  size_t bytes;
  bool own;
  ptx_module_t *module; /* the workload's module */
  memory_t *memory;     /* the workload's memory */
  workload_t *workload;
  device_t *device;
  config_t cfg; /* the model's configuration, if its L1D was cut */
  simt_prepared_t prepared;
  texture_t texture[TEXTURES];
  unsigned n_textures;
  uint64_t address[VARIABLES]; /* for a text with textures */
};

/* What the API keeps between its calls. */
typedef struct {
  config_t cfg;
  fake_t *now, *linked;
  range_t range[RANGES];
  uint64_t pinned; /* bytes handed out */
  unsigned launches;
  bool dead;
} gpu_state_t;

gpu_state_t *fake_gpu(void);
/* Whether FAKE_CUDA contains the word. */
bool fake_told(const char *word);

#endif
