/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a VCD as the stimulus of a module, cycle by cycle, as a flip-flop of its clock samples it.
 * docs/verify/waves.md */
#ifndef VCD_STIM_H
#define VCD_STIM_H

#include "cosim/vcd/vcd_bind.h"
#include "cosim/vcd/vcd_map.h"

enum { VCD_STIM_NAME = 192 };

typedef struct vcd_stim vcd_stim_t;

/* One cycle: arrays of in_words and out_words. */
typedef struct {
  uint64_t time;                   /* of the edge that ends the cycle, in units of the dump */
  const uint64_t *in, *in_unknown; /* bits that are x or z are 0 in `in` */
  const uint64_t *out, *out_known; /* output bits that the dump has and that are 0 or 1 */
} vcd_cycle_t;

/* Opens `path`, finds the module in it, and sets `cfg` where the dump has the parameters. `design`
 * may be NULL and must outlive `out`. If given, the dump is of that design at this size; the inputs
 * are derived with its map, and outputs are not compared. Returns 0, or -1 or VCD_IN_NO_TOOL and a
 * message in err. */
int vcd_stim_open(vcd_stim_t **out, const char *path, const module_class_t *cls, uint32_t *cfg,
                  const vcd_choice_t *choice, const bind_t *design, mrpb_err_t *err);
void vcd_stim_close(vcd_stim_t *s);

/* Gives the next cycle, from the first reset on; it is valid until the next call. Returns 1, 0 at
 * the end, or -1 and a message in err. */
int vcd_stim_next(vcd_stim_t *s, vcd_cycle_t *cycle, mrpb_err_t *err);

const char *vcd_stim_scope(const vcd_stim_t *s);
/* Whether the dump has output `i`; and the number of cycles before the first reset, which are left
 * out. */
bool vcd_stim_has_output(const vcd_stim_t *s, unsigned i);
uint64_t vcd_stim_left_out(const vcd_stim_t *s);
/* vcd_stim_said writes what our input `port` is in the dump. vcd_stim_map returns what a design's
 * map has made of it, or NULL for one of our modules. */
void vcd_stim_said(const vcd_stim_t *s, unsigned port, char *text, size_t size);
const vcd_map_t *vcd_stim_map(const vcd_stim_t *s);

#endif
