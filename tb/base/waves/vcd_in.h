/* SPDX-License-Identifier: Apache-2.0 */
/* Reads value change dumps (IEEE 1364) of any simulator, in constant memory: the declarations
 * first, then one time after the other. Only watched signals have values. Every error is one line
 * with file and line. docs/verify/waves.md */
#ifndef VCD_IN_H
#define VCD_IN_H

#include "base/waves/fst_in.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vcd_in vcd_in_t;

/* A declaration. Declarations with equal `id` are names of one signal. */
typedef struct {
  const char *name; /* without its range */
  unsigned scope, id, width;
  bool ranged; /* has [msb:lsb], or is one bit of a vector: msb = lsb */
  bool valued; /* has bits: is no real, string or event */
  int32_t msb, lsb;
  unsigned long line;
} vcd_in_var_t;

/* Opens the file, compressed or not, and reads its declarations; an FST file is read as its VCD.
 * Returns 0, or a message and -1 or VCD_IN_NO_TOOL (for FST). */
enum { VCD_IN_NO_TOOL = FST_IN_NO_TOOL };
int vcd_in_open(vcd_in_t **out, const char *path, mrpb_err_t *err);
void vcd_in_close(vcd_in_t *v);

/* Declarations in the order of the file. Scopes are full paths ("bench.dut"); 0 is the unnamed
 * top. */
unsigned vcd_in_n_vars(const vcd_in_t *v);
const vcd_in_var_t *vcd_in_var(const vcd_in_t *v, unsigned i);
unsigned vcd_in_n_scopes(const vcd_in_t *v);
const char *vcd_in_scope(const vcd_in_t *v, unsigned scope);
/* The scope that contains it; that of the top is the top. */
unsigned vcd_in_parent(const vcd_in_t *v, unsigned scope);

/* Keeps the values of signal `id` from now on; call it before the first step. Returns 0, or -1 and
 * a message. */
int vcd_in_watch(vcd_in_t *v, unsigned id, mrpb_err_t *err);

/* Advances to the next time and applies all of its changes. Returns 1, 0 at the end, or -1 and a
 * message. Changes before the first time form a step of their own (*time is 0); *time has no
 * fraction. */
int vcd_in_step(vcd_in_t *v, uint64_t *time, mrpb_err_t *err);

/* The bits of a watched signal: (width + 63) / 64 words, low word first. Bits that are x or z, or
 * have had no value yet, are 0 in `ones` and 1 in `unknown`. Valid until the reader is closed. */
const uint64_t *vcd_in_ones(const vcd_in_t *v, unsigned id);
const uint64_t *vcd_in_unknown(const vcd_in_t *v, unsigned id);

/* The file's name. */
const char *vcd_in_path(const vcd_in_t *v);

#endif
