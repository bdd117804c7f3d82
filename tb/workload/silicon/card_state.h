/* SPDX-License-Identifier: Apache-2.0 */
/* State of a GPU, shared by the files of tb/workload/silicon only. */
#ifndef SILICON_CARD_STATE_H
#define SILICON_CARD_STATE_H

#include "workload/silicon/card.h"
#include "workload/silicon/driver.h"

/* mapped <= reserved: of the image, from MEMORY_BASE on. */
struct card {
  driver_t driver;
  card_info_t info;
  int device, claim; /* claim: a socket that only one program can have; -1: none */
  void *context;
  bool (*stop)(void);
  uint64_t reserved, mapped, piece; /* bytes; piece: what is mapped at once */
  uint64_t front_reserved, front;   /* the same just before MEMORY_BASE: nothing, or one piece */
  uint64_t handle[(MEMORY_CAPACITY >> 21)];
  unsigned n_handles;
  void *event[2];
  card_module_t *own;            /* kernels that flush and spin; NULL until they are needed */
  uint64_t flushed, flush_bytes; /* what is read to flush; 0: not allocated yet */
  mrpb_err_t broken;             /* the first error of the GPU itself */
};

enum { CARD_LOG = 4096 };

struct card_module {
  card_t *card;
  void *module;
  char *text; /* as it was loaded */
  size_t n;
  void *cubin, *link; /* the compiled code, which is the link's */
  size_t cubin_bytes;
  char log[CARD_LOG]; /* what the compiler said; the link's as long as there is one */
};

/* 0, or -1 and "GPU n: what: what the driver says". An error after which the GPU does nothing more
 * is remembered. */
int card_check(card_t *c, int result, const char *what, mrpb_err_t *err);
/* The card still works. */
int card_alive(const card_t *c, mrpb_err_t *err);

/* A launch of the card's own kernels. */
int card_own_launch(card_t *c, const char *kernel, const uint64_t *arg, unsigned n, uint32_t blocks,
                    double *seconds, mrpb_err_t *err);

#endif
