/* SPDX-License-Identifier: Apache-2.0 */
/* A wave of a lockstep run, for GTKWave: all ports and registers by the Verilog's names, below a
 * scope named as the module; beside each the C model's (prefix ref_) and their XOR (prefix diff_).
 * Cycle n begins with the rising edge at 10 n ns and shows what the edge at its end samples.
 * docs/verify/waves.md */
#ifndef COSIM_WAVE_H
#define COSIM_WAVE_H

#include "cosim/lockstep/lockstep.h"

typedef struct wave wave_t;

enum { WAVE_NAME = 192, WAVE_CYCLE = 10 /* ns */ };
/* The window around a difference, in cycles. */
enum { WAVE_BEFORE = 200, WAVE_AFTER = 40 };

/* Creates `path` and declares the signals. 0, or -1 and a message. */
int wave_open(wave_t **out, const char *path, const lockstep_t *ls, mrpb_err_t *err);
/* This cycle: to be called between comb and edge. */
void wave_cycle(wave_t *wave, const lockstep_t *ls);
/* Finishes the file. 0, or -1 and a message. */
int wave_close(wave_t *wave, mrpb_err_t *err);

/* "mrpb.u_bank.ref_len_q[3]" of "mrpb", "ref_", "u_bank.len_q" and 3; elem < 0 for a plain one. */
void wave_name(char text[WAVE_NAME], const char *stem, const char *prefix, const char *name,
               int elem);

/* What a save file opens on. */
typedef struct {
  uint64_t from, to;            /* cycles that the wave has */
  const lockstep_diff_t *diffs; /* shown first */
  unsigned n_diffs;
  bool failed;        /* there is a failing cycle */
  uint64_t cycle;     /* that one */
  bool regs;          /* what differs does so after its edge */
  bool no_state;      /* registers are the C model's only */
  const bind_t *bind; /* of a design of the user's; NULL: it is none */
} wave_window_t;

/* Writes a GTKWave save file for such a wave. `dump` is the wave's name as seen from there, or
 * NULL; `window` NULL is a wave that begins at 0. 0, GTKW_KEPT (base/waves/gtkw.h), or -1 and a message.
 */
int wave_save_file(const char *path, const char *dump, const module_class_t *cls,
                   const uint32_t *cfg, const wave_window_t *window, mrpb_err_t *err);

/* The complete wave `temp` gets its name `vcd`, and its save file stands beside it: both, or none.
 * Says on `out` if a save file that GTKWave has saved was kept. 0, or -1 and a message. */
int wave_commit(const char *vcd, const char *temp, const module_class_t *cls, const uint32_t *cfg,
                const wave_window_t *window, FILE *out, mrpb_err_t *err);
/* A file that cannot be written is refused before the run, not after it: 0, or -1 and a message.
 * `option` is how it was asked for. */
int wave_probe(const char *option, const char *path, mrpb_err_t *err);
/* How to look at it, for a report; `vcd` NULL: how to get one. */
void wave_command(const char *vcd, const char *stem, char *text, size_t size);

#endif
