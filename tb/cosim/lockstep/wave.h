/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a wave of a lockstep run for GTKWave. All ports and registers have the Verilog's names,
 * below a scope named after the module; beside each signal are the C model's (prefix ref_) and
 * their XOR (prefix diff_). Cycle n begins with the rising edge at 10 n ns and shows the values
 * that the edge at its end samples. docs/verify/waves.md */
#ifndef COSIM_WAVE_H
#define COSIM_WAVE_H

#include "cosim/lockstep/lockstep.h"

typedef struct wave wave_t;

enum { WAVE_NAME = 192, WAVE_CYCLE = 10 /* ns */ };
/* The window around a difference, in cycles. */
enum { WAVE_BEFORE = 200, WAVE_AFTER = 40 };

/* Creates `path` and declares the signals. Returns 0, or -1 and a message in err. */
int wave_open(wave_t **out, const char *path, const lockstep_t *ls, mrpb_err_t *err);
/* Writes this cycle. Call it between comb and edge. */
void wave_cycle(wave_t *wave, const lockstep_t *ls);
/* Finishes the file. Returns 0, or -1 and a message in err. */
int wave_close(wave_t *wave, mrpb_err_t *err);

/* Makes "mrpb.u_bank.ref_len_q[3]" from "mrpb", "ref_", "u_bank.len_q" and 3. `elem` < 0 means a
 * plain register. */
void wave_name(char text[WAVE_NAME], const char *stem, const char *prefix, const char *name,
               int elem);

/* What a save file shows when it is opened. */
typedef struct {
  uint64_t from, to;            /* the cycles in the wave */
  const lockstep_diff_t *diffs; /* shown first */
  unsigned n_diffs;
  bool failed;        /* there is a failing cycle */
  uint64_t cycle;     /* the failing cycle */
  bool regs;          /* the difference shows after the edge */
  bool no_state;      /* the registers are the C model's only */
  const bind_t *bind; /* of a user's design; NULL: it is none */
} wave_window_t;

/* Writes a GTKWave save file for such a wave. `dump` is the wave's name relative to the save file,
 * or NULL. `window` NULL means a wave that begins at 0. Returns 0, GTKW_KEPT (base/waves/gtkw.h),
 * or -1 and a message in err. */
int wave_save_file(const char *path, const char *dump, const module_class_t *cls,
                   const uint32_t *cfg, const wave_window_t *window, mrpb_err_t *err);

/* Renames the complete wave `temp` to `vcd` and writes its save file beside it: both, or neither.
 * Reports on `out` if it kept a save file that GTKWave has saved. Returns 0, or -1 and a message in
 * err. */
int wave_commit(const char *vcd, const char *temp, const module_class_t *cls, const uint32_t *cfg,
                const wave_window_t *window, FILE *out, mrpb_err_t *err);
/* Refuses a file that cannot be written before the run instead of after it. `option` is the option
 * that asked for the file. Returns 0, or -1 and a message in err. */
int wave_probe(const char *option, const char *path, mrpb_err_t *err);
/* Writes how to view the wave, for a report; with `vcd` NULL, how to get one. */
void wave_command(const char *vcd, const char *stem, char *text, size_t size);

#endif
