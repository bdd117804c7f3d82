/* SPDX-License-Identifier: Apache-2.0 */
/* A VCD as the stimulus of a module: its cycles, one by one, as a flip-flop of that clock sees
 * them. docs/verify/waves.md */
#ifndef VCD_STIM_H
#define VCD_STIM_H

#include "cosim/vcd/vcd_bind.h"
#include "cosim/vcd/vcd_map.h"

enum { VCD_STIM_NAME = 192 };

typedef struct vcd_stim vcd_stim_t;

/* One cycle: arrays of in_words and out_words. */
typedef struct {
  uint64_t time;                   /* of the edge that ends it, in units of the dump */
  const uint64_t *in, *in_unknown; /* bits that are x or z are 0 in `in` */
  const uint64_t *out, *out_known; /* bits of the outputs that the dump has, and that are 0 or 1 */
} vcd_cycle_t;

/* Opens `path`, finds the module in it, and sets `cfg` where the dump has the parameters. `design`, which may be
 * NULL and must outlive it: the dump is of that design, of this size, and the inputs are what its map makes of
 * them; outputs are not compared. 0, -1 or VCD_IN_NO_TOOL, and a message. */
int vcd_stim_open(vcd_stim_t **out, const char *path, const module_class_t *cls, uint32_t *cfg,
                  const vcd_choice_t *choice, const bind_t *design, mrpb_err_t *err);
void vcd_stim_close(vcd_stim_t *s);

/* The next cycle, from the first reset on; valid until the next call. 1, 0 at the end, -1 and a
 * message. */
int vcd_stim_next(vcd_stim_t *s, vcd_cycle_t *cycle, mrpb_err_t *err);

const char *vcd_stim_scope(const vcd_stim_t *s);
/* How many outputs the dump has, and whether it has output `i`; cycles before the first reset,
 * which are left out. */
unsigned vcd_stim_outputs(const vcd_stim_t *s);
bool vcd_stim_has_output(const vcd_stim_t *s, unsigned i);
uint64_t vcd_stim_left_out(const vcd_stim_t *s);
/* What input `port` of ours is in the dump; of a design what its map has made of it, NULL of a module of ours. */
void vcd_stim_said(const vcd_stim_t *s, unsigned port, char *text, size_t size);
const vcd_map_t *vcd_stim_map(const vcd_stim_t *s);

#endif
