/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a wave of a user's design into the inputs of our module, by reading the design's map
 * backwards. docs/verify/waves.md */
#ifndef VCD_MAP_H
#define VCD_MAP_H

#include "cosim/vcd/vcd_bind.h"
#include "verilog/design/bind.h"

typedef struct vcd_map vcd_map_t;

/* Values in the dump: the face's inputs in sequence, in the words that its ports say. */
typedef struct {
  const uint64_t *in, *in_unknown;
  const uint64_t *out,
      *out_known; /* the design's inputs that give none of ours, where the dump has them */
} vcd_theirs_t;

/* Opens a map; `bind` must outlive it. `dump` is the file's name, for messages. Returns 0, or -1
 * and a message in err that names an input of ours that cannot be derived, and the map's line. */
int vcd_map_open(vcd_map_t **out, const bind_t *bind, const char *dump, mrpb_err_t *err);
void vcd_map_close(vcd_map_t *m);

/* What to look for in the dump. */
const vcd_face_t *vcd_map_face(const vcd_map_t *m);
/* The required value of parameter i of the face. */
uint64_t vcd_map_param(const vcd_map_t *m, unsigned i);
/* Computes our inputs (in_words each; they must be 0 before). */
void vcd_map_inputs(const vcd_map_t *m, const vcd_theirs_t *theirs, uint64_t *in,
                    uint64_t *unknown);
/* Compares with the dump, and counts cycles in which bits of the design differ from what the map
 * would make. Call it once for each cycle that counts. */
void vcd_map_compare(vcd_map_t *m, const vcd_theirs_t *theirs, const uint64_t *in,
                     const uint64_t *unknown, uint64_t time);
/* Returns in how many cycles such a bit occurred; of the first one also its place ("read[44], line
 * 9 of the map"), the dump's value, and its time. */
uint64_t vcd_map_others(const vcd_map_t *m, char *place, size_t size, bool *has, uint64_t *time);
/* Writes where our input `port` comes from: "read[48:17]". */
void vcd_map_said(const vcd_map_t *m, unsigned port, char *text, size_t size);

#endif
