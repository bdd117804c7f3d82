/* SPDX-License-Identifier: Apache-2.0 */
/* Value change dump (VCD, IEEE 1364) writer, independent of the kernel.
 * Call vcd_open, then vcd_var for each variable, then for each time vcd_time followed by vcd_change
 * of every variable that may have changed (equal values are dropped), and finally vcd_close. The
 * values of the first time form the $dumpvars block; a variable without one is x. Names are split
 * into scopes at their dots. The file has no date, so equal runs leave equal files. It is written
 * in place through a buffer of 1 MiB that reaches the disk only at line ends, so the file stays
 * readable if a run is cut short. The first error sticks: every later call is then harmless, and
 * vcd_flush and vcd_close report it. */
#ifndef SIM_VCD_H
#define SIM_VCD_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct vcd vcd_t;

enum { VCD_MAX_WIDTH = 2048 };
typedef enum { VCD_WIRE, VCD_REG, VCD_INTEGER, VCD_PARAMETER } vcd_kind_t;

/* Creates (truncates) the file. `timescale` is 1, 10 or 100 followed by s, ms, us, ns, ps or fs,
 * such as "1ns". Returns 0, or -1 and a message; *out is then NULL. */
int vcd_open(vcd_t **out, const char *path, const char *timescale, mrpb_err_t *err);

/* Declares "scope.scope.name" of `width` bits, 1 to VCD_MAX_WIDTH; call it before the first
 * vcd_time. Names must have no white space and be unique. Returns the variable's number, counted
 * from 0 in order of declaration, or -1 and a message. */
int vcd_var(vcd_t *v, const char *full_name, unsigned width, vcd_kind_t kind, mrpb_err_t *err);

/* Sets the time of the changes that follow; it must not decrease. The call costs nothing if the
 * time equals the last one. */
void vcd_time(vcd_t *v, uint64_t time);

/* Set values as little-endian bits: `x` for variables of up to 64 bits; or (width + 63) / 64 words,
 * low word first; or (width + 7) / 8 bytes, low byte first. Bits above the width are ignored.
 * vcd_unknown sets x. */
void vcd_change(vcd_t *v, int id, uint64_t x);
void vcd_change_words(vcd_t *v, int id, const uint64_t *words);
void vcd_change_bytes(vcd_t *v, int id, const void *bytes);
void vcd_unknown(vcd_t *v, int id);

/* True after an error, for callers that want to stop early. */
bool vcd_failed(const vcd_t *v);

/* Writes everything so far to the file. Returns 0, or -1 and a message. */
int vcd_flush(vcd_t *v, mrpb_err_t *err);

/* Flushes, closes and frees, even after an error. Returns 0, or -1 and a message. vcd_close(NULL)
 * returns 0. */
int vcd_close(vcd_t *v, mrpb_err_t *err);

#endif
