/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU of this machine: its driver compiles PTX texts, which can be launched. Memory is at the
 * addresses of the simulator's image (workload/simt/memory.h), so no pointer needs to be changed,
 * not even one stored in memory. docs/silicon.md */
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
  uint32_t driver;       /* 13000: the driver supports CUDA 13.0 */
  uint32_t major, minor; /* compute capability */
  uint32_t sms, threads_per_block, l2_bytes;
  uint32_t shared_per_sm, shared_per_block; /* bytes; of a block: the most that it may request */
} card_info_t;

/* Opens GPU `number`, from 0 on. Returns 0, or -1 and a message: no driver, no such GPU, or another
 * mrpb is using it. Waits end early when `stop` returns true; NULL: never. */
int card_open(card_t **out, unsigned number, bool (*stop)(void), mrpb_err_t *err);
void card_close(card_t *c);
const card_info_t *card_info(const card_t *c);
/* Whether the GPU itself has had no error so far (card_launch). */
bool card_works(const card_t *c);

/* ---- memory -------------------------------------------------------------------- */

/* Makes at least `bytes` of the GPU's memory available from MEMORY_BASE on; new memory is
 * undefined. */
int card_map(card_t *c, uint64_t bytes, mrpb_err_t *err);
/* Also maps the last MEMORY_FRONT bytes before MEMORY_BASE. */
int card_map_front(card_t *c, mrpb_err_t *err);
int card_write(card_t *c, uint64_t to, const void *from, uint64_t bytes, mrpb_err_t *err);
int card_read(card_t *c, void *to, uint64_t from, uint64_t bytes, mrpb_err_t *err);
int card_clear(card_t *c, uint64_t at, uint64_t bytes, mrpb_err_t *err);
/* Pinned host memory, zeroed, at the same address for host and GPU; NULL and a message on an
 * error. */
void *card_pin(card_t *c, uint64_t bytes, mrpb_err_t *err);
void card_unpin(card_t *c, void *at, uint64_t bytes);
/* Evicts from the L2 everything that was read or written before. */
int card_flush(card_t *c, mrpb_err_t *err);

/* ---- programs ------------------------------------------------------------------ */

/* `name` stands for the text in messages; an error of the driver's compiler becomes the message. */
int card_load(card_module_t **out, card_t *c, const char *text, size_t n, const char *name,
              mrpb_err_t *err);
void card_unload(card_module_t *m);
/* The address that the driver gave to a variable; 0 and a message on an error. */
uint64_t card_variable(card_module_t *m, const char *name, uint64_t bytes, mrpb_err_t *err);
/* Binds texture `name` to the buffer at `at`, which consists of words as the kernels read them. */
int card_texture(card_module_t *m, const char *name, uint64_t at, uint64_t bytes, bool is_float,
                 mrpb_err_t *err);
/* Kinds of memory accesses in compiled code. */
typedef enum {
  CARD_LOAD, /* of global memory, as the next three */
  CARD_STORE,
  CARD_ATOM,  /* returns the old value */
  CARD_RED,   /* returns nothing */
  CARD_ASYNC, /* copy to shared memory by each lane */
  CARD_BULK,  /* copy by one lane for all: TMA */
  CARD_TEXTURE,
  CARD_CONSTANT,
  CARD_LOCAL
} card_access_t;
/* The number of such accesses in a kernel's compiled code; UINT32_MAX if its format is unknown. */
uint32_t card_accesses(const card_module_t *m, const char *kernel, card_access_t what);

typedef struct {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint32_t shared; /* bytes of dynamic shared memory */
  bool large_l1;   /* gives the L1D all memory that the block does not request */
  const void *params;
  size_t param_bytes;
} card_launch_t;

/* Launches once and waits at most `limit` seconds. `seconds` (may be NULL) is the time that the
 * GPU's own events measure, including the launch overhead. After an error of the GPU itself the
 * card can no longer be used: every later call fails with the same line. */
int card_launch(card_module_t *m, const card_launch_t *l, double limit, double *seconds,
                mrpb_err_t *err);

/* The same with a kernel that does nothing: the cost of a launch of that shape. */
int card_nothing(card_t *c, const card_launch_t *like, double limit, double *seconds,
                 mrpb_err_t *err);

/* Keeps the GPU busy for a while so that its clocks are up, then measures the cycles of an SM per
 * microsecond. */
int card_clock(card_t *c, double *mhz, mrpb_err_t *err);

#endif
