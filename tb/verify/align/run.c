/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/align/run.h"

#include "base/waves/vcd_in.h"
#include "verify/align/report.h"
#include "verify/align/wave.h"

enum { BAD_INPUT = 2, BAD_TOOL = 5 };

static int read_side(const align_command_t *c, unsigned s, align_rows_t *r, align_words_t *words,
                     mrpb_err_t *err) {
  const int known = align_rows_known(c->file[s], err);
  if (known < 0) return BAD_INPUT;
  if (known) return align_rows_read(r, c->file[s], words, err) == 0 ? 0 : BAD_INPUT;
  if (!c->map) {
    mrpb_fail(
        err,
        "%s: no file of requests; legal: its first line is '# mrpb-requests 1', or --map FILE "
        "for a wave",
        c->file[s]);
    return BAD_INPUT;
  }
  const int rc = align_wave(r, c->file[s], c->map, c->scope, words, err);
  return rc == 0 ? 0 : rc == VCD_IN_NO_TOOL ? BAD_TOOL : BAD_INPUT;
}

static int compare(const align_command_t *c, const align_rows_t *rows, mrpb_err_t *err) {
  align_pairs_t p;
  const align_choice_t choice = {c->kinds, c->who, c->accepted};
  int rc = align_pairs(&p, &rows[0], &rows[1], c->shift, &choice, err);
  if (rc == 0) rc = align_report(c->out, &p, err);
  if (rc == 0) rc = p.differ + p.only[0] + p.only[1] > 0;
  align_pairs_close(&p);
  return rc < 0 ? BAD_INPUT : rc;
}

int align_command(const align_command_t *c, mrpb_err_t *err) {
  align_rows_t rows[2] = {{.path = NULL}, {.path = NULL}};
  align_words_t *words = align_words_open();
  int rc = words ? 0 : (mrpb_fail(err, "out of memory"), BAD_INPUT);
  for (unsigned s = 0; s < 2 && rc == 0; s++) rc = read_side(c, s, &rows[s], words, err);
  if (rc == 0) rc = compare(c, rows, err);
  for (unsigned s = 0; s < 2; s++) align_rows_close(&rows[s]);
  align_words_close(words);
  return rc;
}
