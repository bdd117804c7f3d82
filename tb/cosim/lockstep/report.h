/* SPDX-License-Identifier: Apache-2.0 */
/* The mismatch report: one screen in a stable format, the same for a module's own run and for one
 * inside the SM-to-DRAM run. */
#ifndef COSIM_REPORT_H
#define COSIM_REPORT_H

#include "cosim/lockstep/lockstep.h"
#include "verilog/design/verdict.h"

#include <stdio.h>

typedef struct {
  const char *place; /* "mshr", or "sm3.mshr" */
  const char *rtl_dir;
  bool recorded; /* outputs of a recording, rtl_dir says of which: no seed */
  uint64_t seed;
  uint64_t cycle;            /* in which the outputs differ, or whose edge made registers differ */
  uint64_t skip;             /* printed cycles count from this one */
  bool regs;                 /* after the edge */
  bool brief;                /* without the last transactions: a shrunk case follows */
  const char *wave, *repeat; /* commands, or what to do to get one; NULL leaves the line out */
} report_t;

/* Prints the report; `ls` stands right after the comparison that failed. */
void report_mismatch(FILE *out, const lockstep_t *ls, const report_t *report);

/* The last transactions of `ls` alone, for a brief report whose stimulus could not be shrunk. */
void report_transactions(FILE *out, const lockstep_t *ls, const report_t *report);

/* A cycle's transactions as the stimulus describes them, in STIM_TEXT bytes; with `all` also the
 * inputs that are not idle although their strobe is: a look-up alone can make a difference. */
void report_cycle(const module_class_t *cls, const uint32_t *cfg, const uint64_t *in,
                  const uint64_t *out, bool all, char *text);

/* One line, "cycle 12: output full_o[3:0] C 0x1 RTL 0x0", into a text of `size` bytes. */
void report_line(const lockstep_t *ls, const report_t *report, char *text, size_t size);

/* A word as a shell takes it: as it stands, or in quotes; cut to `size` bytes. */
void report_quote(const char *word, char *text, size_t size);

/* Cuts a text after at most n characters, at the end of a word, and says so by dots; it has room
 * for five more. */
void report_cut(char *text, size_t n);

/* What has been compared so far. 0, or -1 and a message. */
int report_verdict(const lockstep_t *ls, verdict_t *v, mrpb_err_t *err);

#endif
