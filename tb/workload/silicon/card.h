/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU of this machine: PTX texts compiled by its driver and launched, memory at the addresses of
 * the simulator's image (workload/simt/memory.h), so that no pointer need be changed, not even one
 * that lies in memory. docs/silicon.md */
#ifndef SILICON_CARD_H
#define SILICON_CARD_H

#include "err.h"
#include "workload/simt/simt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct card card_t;
typedef struct card_module card_module_t;

typedef struct {
  char name[96]; /* "NVIDIA H100 80GB HBM3" */
  char uuid[40];
  unsigned number;
  uint32_t driver;       /* 13000: the driver's CUDA 13.0 */
  uint32_t major, minor; /* compute capability */
  uint32_t sms, threads_per_block, l2_bytes;
  uint32_t shared_per_sm, shared_per_block; /* bytes; of a block: the most that it may ask for */
} card_info_t;

/* GPU `number`, from 0 on. -1 and a message: no driver, no such GPU, or another mrpb that is at it.
 * Waits that end early when `stop` says so; NULL: never. */
int card_open(card_t **out, unsigned number, bool (*stop)(void), mrpb_err_t *err);
void card_close(card_t *c);
const card_info_t *card_info(const card_t *c);
/* No error of the GPU itself so far (card_launch). */
bool card_works(const card_t *c);

/* ---- memory -------------------------------------------------------------------- */

/* From MEMORY_BASE on at least `bytes` of the GPU's memory are there; new ones are undefined. */
int card_map(card_t *c, uint64_t bytes, mrpb_err_t *err);
/* The last MEMORY_FRONT bytes before it, too. */
int card_map_front(card_t *c, mrpb_err_t *err);
int card_write(card_t *c, uint64_t to, const void *from, uint64_t bytes, mrpb_err_t *err);
int card_read(card_t *c, void *to, uint64_t from, uint64_t bytes, mrpb_err_t *err);
int card_clear(card_t *c, uint64_t at, uint64_t bytes, mrpb_err_t *err);
/* Pinned memory of the host, zeroed, at the same address for both; NULL and a message. */
void *card_pin(card_t *c, uint64_t bytes, mrpb_err_t *err);
void card_unpin(card_t *c, void *at, uint64_t bytes);
/* Whatever has been read or written before is in the L2 no more. */
int card_flush(card_t *c, mrpb_err_t *err);

/* ---- programs ------------------------------------------------------------------ */

/* `name` stands for the text in messages; what the driver's compiler says is the message. */
int card_load(card_module_t **out, card_t *c, const char *text, size_t n, const char *name,
              mrpb_err_t *err);
void card_unload(card_module_t *m);
/* Where the driver has put a variable; 0 and a message. */
uint64_t card_variable(card_module_t *m, const char *name, uint64_t bytes, mrpb_err_t *err);
/* Texture `name` is the buffer at `at`, of words as the kernels read them. */
int card_texture(card_module_t *m, const char *name, uint64_t at, uint64_t bytes, bool is_float,
                 mrpb_err_t *err);
/* What accesses memory in compiled code. */
typedef enum {
  CARD_LOAD, /* of global memory, as the next three */
  CARD_STORE,
  CARD_ATOM,  /* its old value comes back */
  CARD_RED,   /* none does */
  CARD_ASYNC, /* copies to shared memory, of each lane */
  CARD_BULK,  /* of one lane for all: TMA */
  CARD_TEXTURE,
  CARD_CONSTANT,
  CARD_LOCAL
} card_access_t;
/* How many of them the compiled code of a kernel has; UINT32_MAX where its form is not known. */
uint32_t card_accesses(const card_module_t *m, const char *kernel, card_access_t what);

typedef struct {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint32_t shared; /* bytes of dynamic shared memory */
  bool large_l1;   /* the L1D is to have all that the block does not ask for */
  const void *params;
  size_t param_bytes;
} card_launch_t;

/* One launch, waited for at most `limit` seconds; `seconds`, which may be NULL: as the GPU's own
 * events measure it, launching included. After an error of the GPU itself the card is of no more
 * use: every later call fails with the same line. */
int card_launch(card_module_t *m, const card_launch_t *l, double limit, double *seconds,
                mrpb_err_t *err);

/* The same with a kernel that does nothing: what a launch of that shape costs. */
int card_nothing(card_t *c, const card_launch_t *like, double limit, double *seconds,
                 mrpb_err_t *err);

/* Busy for a while, so that clocks are up; then cycles of an SM in a microsecond. */
int card_clock(card_t *c, double *mhz, mrpb_err_t *err);

#endif
