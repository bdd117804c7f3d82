/* SPDX-License-Identifier: Apache-2.0 */
/* The mismatch report: one screen in a stable format, the same for a module's own run and for a run
 * inside the SM-to-DRAM simulation. */
#ifndef COSIM_REPORT_H
#define COSIM_REPORT_H

#include "cosim/lockstep/lockstep.h"
#include "verilog/design/verdict.h"

#include <stdio.h>

typedef struct {
  const char *place; /* "mshr", or "sm3.mshr" */
  const char *rtl_dir;
  bool recorded; /* the other side is a recording, which rtl_dir names; no seed */
  uint64_t seed;
  uint64_t cycle;            /* in which outputs differ, or whose edge made registers differ */
  uint64_t skip;             /* printed cycle numbers count from this cycle */
  bool regs;                 /* after the edge */
  bool brief;                /* without the last transactions, because a shrunk case follows */
  const char *wave, *repeat; /* commands, or what to do to get one; NULL omits the line */
} report_t;

/* Prints the report. `ls` must stand right after the comparison that failed. */
void report_mismatch(FILE *out, const lockstep_t *ls, const report_t *report);

/* Prints only the last transactions of `ls`, for a brief report whose stimulus could not be
 * shrunk. */
void report_transactions(FILE *out, const lockstep_t *ls, const report_t *report);

/* Writes a cycle's transactions, as the stimulus describes them, into STIM_TEXT bytes. With `all`,
 * also writes inputs that are not idle although their strobe is, because a look-up alone can make a
 * difference. */
void report_cycle(const module_class_t *cls, const uint32_t *cfg, const uint64_t *in,
                  const uint64_t *out, bool all, char *text);

/* Writes one line, "cycle 12: output full_o[3:0] C 0x1 RTL 0x0", into `size` bytes. */
void report_line(const lockstep_t *ls, const report_t *report, char *text, size_t size);

/* Writes a word as a shell takes it: unchanged or quoted, cut to `size` bytes. */
void report_quote(const char *word, char *text, size_t size);

/* Cuts a text to at most n characters, at the end of a word, and appends dots. The text needs room
 * for five more characters. */
void report_cut(char *text, size_t n);

/* Fills in what has been compared so far. Returns 0, or -1 and a message in err. */
int report_verdict(const lockstep_t *ls, verdict_t *v, mrpb_err_t *err);

#endif
