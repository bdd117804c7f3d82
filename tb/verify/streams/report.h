/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict and the mismatch report of `mrpb streams`. */
#ifndef STREAMS_REPORT_H
#define STREAMS_REPORT_H

#include "verify/streams/shorter.h"

#include <jansson.h>
#include <stdio.h>

enum { STREAMS_ITEM_TEXT = 320 };
/* An item: its tag and payload. */
void streams_item_text(char text[STREAMS_ITEM_TEXT], const streams_spec_t *s, const uint64_t *w);

typedef struct {
  FILE *out;
  const char *repeat; /* the command, without --cycles */
} streams_report_t;

void streams_report_matched(const streams_report_t *r, const pair_t *b, const char *word);
/* The mismatch, without the command that repeats it. */
void streams_report_mismatch(const streams_report_t *r, const pair_t *b);
void streams_report_repeat(const streams_report_t *r, const pair_t *b);
/* What passes in each cycle of the shortest stimulus, which is played for it. Returns 0, or -1 and a
 * message in err. */
int streams_report_shorter(const streams_report_t *r, pair_t *b, const shorter_t *s,
                           mrpb_err_t *err);

/* The result; the mismatch; what was found by shortening it. NULL if out of memory. */
json_t *streams_json(const pair_t *b);
json_t *streams_json_mismatch(const pair_t *b);
json_t *streams_json_shorter(const pair_t *b, const shorter_t *s);

#endif
