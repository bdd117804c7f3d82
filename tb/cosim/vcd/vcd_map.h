/* SPDX-License-Identifier: Apache-2.0 */
/* A wave of a design of the user's as the inputs of our module: its map read backwards.
 * docs/verify/waves.md */
#ifndef VCD_MAP_H
#define VCD_MAP_H

#include "cosim/vcd/vcd_bind.h"
#include "verilog/design/bind.h"

typedef struct vcd_map vcd_map_t;

/* Values of the dump: of the face's inputs, one behind the other (words as its ports say). */
typedef struct {
  const uint64_t *in, *in_unknown;
  const uint64_t *out,
      *out_known; /* inputs of theirs from which nothing of ours comes, if they are there */
} vcd_theirs_t;

/* `bind` must outlive it. `dump` is the file's name, for messages. 0, or -1 and a message: an input of ours that
 * cannot be had, and the map's line. */
int vcd_map_open(vcd_map_t **out, const bind_t *bind, const char *dump, mrpb_err_t *err);
void vcd_map_close(vcd_map_t *m);

/* What is looked for in the dump. */
const vcd_face_t *vcd_map_face(const vcd_map_t *m);
/* What parameter i of the face must be. */
uint64_t vcd_map_param(const vcd_map_t *m, unsigned i);
/* Our inputs (in_words each, 0 before). */
void vcd_map_inputs(const vcd_map_t *m, const vcd_theirs_t *theirs, uint64_t *in,
                    uint64_t *unknown);
/* To be called once for a cycle that counts: bits of theirs that the map makes otherwise are counted. */
void vcd_map_compare(vcd_map_t *m, const vcd_theirs_t *theirs, const uint64_t *in,
                     const uint64_t *unknown, uint64_t time);
/* In how many cycles there was one; of the first its place ("read[44], line 9 of the map"), what the dump has and
 * when. */
uint64_t vcd_map_others(const vcd_map_t *m, char *place, size_t size, bool *has, uint64_t *time);
/* Where input `port` of ours comes from: "read[48:17]". */
void vcd_map_said(const vcd_map_t *m, unsigned port, char *text, size_t size);

#endif
