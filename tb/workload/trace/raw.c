/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text of Accel-Sim's tracer as it comes from the GPU (.trace), with the instructions of all
 * warps interleaved. They are collected warp by warp in a temporary file, and then read like those
 * of a grouped trace. */
#include "workload/trace/read.h"
#include "workload/trace/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  PLACE = 4,
  CLUSTER = 7
}; /* words before an instruction: X Y Z WARP, and the cluster of version 6 */

typedef struct {
  accel_t *a;
  lines_t *l;
  const char *path;
  spill_t *spill;
  uint64_t chains;
  unsigned head; /* words before an instruction */
  spill_cursor_t piece;
  char line[ACCEL_LINE + 64]; /* a stored_t, then the text */
} raw_t;

/* Head of a line in a chain; the line's text and a 0 byte follow. */
typedef struct {
  uint64_t number, length;
} stored_t;

static int add_line(raw_t *r, const char *text, mrpb_err_t *err) {
  const accel_t *a = r->a;
  uint64_t v[PLACE + CLUSTER];
  const char *at = text;
  for (unsigned i = 0; i < r->head; i++)
    if (!trace_take_number(&at, &v[i]))
      return mrpb_fail(err, "'%.40s'; legal: X Y Z WARP%s and an instruction", text,
                       r->head > PLACE ? " CLUSTER X Y Z, CTA X Y Z, RANK" : "");
  if (accel_block(r->a, v[0], v[1], v[2], err) != 0) return -1;
  if (v[3] >= a->s->warps_per_block)
    return mrpb_fail(err, "warp %" PRIu64 "; legal: below %" PRIu32, v[3], a->s->warps_per_block);
  const size_t n = strlen(at) + 1;
  const stored_t head = {.number = lines_number(r->l), .length = n};
  memcpy(r->line, &head, sizeof head);
  memcpy(r->line + sizeof head, at, n);
  return spill_add(r->spill,
                   r->chains + (a->block_number * a->s->warps_per_block + v[3]) * SPILL_STEP,
                   r->line, sizeof head + n, 1, err);
}

static int group(raw_t *r, const char *first, mrpb_err_t *why, mrpb_err_t *err) {
  const char *text = first;
  int rc = 1;
  while (rc > 0) {
    if (text[0] == '-') return mrpb_fail(why, "'%.60s' after the first instruction", text);
    if (text[0] && text[0] != '#' && add_line(r, text, why) != 0) return -1;
    rc = lines_next(r->l, &text, err);
  }
  return rc < 0 ? -1 : spill_flush(r->spill, why);
}

/* Reads a warp of block a->block_number. *number is the line being read. */
static int read_warp(raw_t *r, uint64_t warp, uint64_t *number, mrpb_err_t *why) {
  accel_t *a = r->a;
  stored_t head;
  int more;
  accel_begin_warp(a, warp);
  const uint64_t chain = a->block_number * a->s->warps_per_block + warp;
  if (spill_seek(r->spill, r->chains + chain * SPILL_STEP, &r->piece, why) != 0) return -1;
  while ((more = spill_next(r->spill, &r->piece, why)) > 0)
    for (size_t at = 0; at < r->piece.n; at += sizeof head + head.length) {
      memcpy(&head, r->piece.bytes + at, sizeof head);
      memcpy(r->line, r->piece.bytes + at + sizeof head, head.length);
      *number = head.number;
      if (accel_instruction(a, r->line, why) != 0) return -1;
    }
  if (more < 0) return -1;
  *number = lines_number(r->l);
  if (!a->exited)
    return mrpb_fail(why,
                     "the trace is cut off: block %" PRIu64 " warp %" PRIu64
                     " has no EXIT as its last instruction",
                     a->block_number, warp);
  return accel_end_warp(a, why);
}

static int read_warps(raw_t *r, uint64_t *number, mrpb_err_t *why) {
  const uint64_t blocks = r->a->s->launch.blocks;
  for (uint64_t b = 0; b < blocks; b++)
    for (uint64_t w = 0; w < r->a->s->warps_per_block; w++) {
      r->a->block_number = b;
      if (read_warp(r, w, number, why) != 0) return -1;
    }
  return 0;
}

int trace_read_raw(accel_t *a, lines_t *l, const char *first, const char *path, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  uint64_t number = lines_number(l);
  raw_t *r = calloc(1, sizeof *r);
  if (!r) return mrpb_fail(err, "%s: out of memory", path);
  *r = (raw_t){.a = a, .l = l, .path = path, .head = PLACE + (a->version >= 6 ? CLUSTER : 0)};
  a->raw = true;
  bool good = accel_launch(a, &why) == 0 && (r->spill = spill_open(&why)) &&
              spill_chains(r->spill, (uint64_t)a->s->launch.blocks * a->s->warps_per_block,
                           &r->chains, &why) == 0;
  mrpb_err_t of_file = {{0}};
  good = good && group(r, first, &why, &of_file) == 0;
  if (!good) number = lines_number(l);
  good = good && read_warps(r, &number, &why) == 0;
  spill_close(r->spill);
  free(r->piece.bytes);
  free(r);
  if (of_file.text[0]) return mrpb_fail(err, "%s", of_file.text);
  return good ? 0 : mrpb_fail(err, "%s:%" PRIu64 ": %s", path, number, why.text);
}
