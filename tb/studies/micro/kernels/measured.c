/* SPDX-License-Identifier: Apache-2.0 */
/* The file: see measured.h. */
#include "studies/micro/kernels/measured.h"

#include "base/lines.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, ROW = 3900 /* characters: fewer than lines_next takes */ };
#define FORM "mrpb-measured 1"

struct measured {
  char path[OUTPUT_NAME], temp[OUTPUT_NAME];
  FILE *to;          /* NULL: the record is read */
  lines_t *from;     /* NULL: the record is written */
  bench_gpu_t inner; /* the GPU whose results are recorded */
  const char *kept;  /* a line that was looked at and will be read again; or NULL */
};

const bench_gpu_t *measured_inner(measured_t *m, const bench_gpu_t *g) {
  if (g) m->inner = *g;
  return &m->inner;
}

/* ---- lines ------------------------------------------------------------------------ */

/* Returns 1, 0 at the end, or -1 and a message. */
static int look(measured_t *m, const char **line, mrpb_err_t *err) {
  if (!m->kept) return lines_next(m->from, line, err);
  *line = m->kept;
  m->kept = NULL;
  return 1;
}

static int next(measured_t *m, const char **line, mrpb_err_t *err) {
  const int rc = look(m, line, err);
  if (rc == 0)
    return mrpb_fail(err, "%s: ends after line %lu; the studies ask for more", m->path,
                     lines_number(m->from));
  return rc < 0 ? -1 : 0;
}

static int other_line(const measured_t *m, const char *line, const char *asked, mrpb_err_t *err) {
  return mrpb_fail(err,
                   "%s:%lu: has '%.120s', but the study asks for '%.120s': another study, or "
                   "another version of it",
                   m->path, lines_number(m->from), line, asked);
}

int measured_line(measured_t *m, mrpb_err_t *err, const char *format, ...) {
  char text[LINE];
  const char *line;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (m->to)
    return fprintf(m->to, "%s\n", text) < 0 ? mrpb_fail(err, "%s: %s", m->path, strerror(errno))
                                            : 0;
  if (next(m, &line, err) != 0) return -1;
  if (strcmp(line, text) == 0) return 0;
  return other_line(m, line, text, err);
}

int measured_text(measured_t *m, uint64_t hash, int opened, mrpb_err_t *err) {
  char taken[LINE], refused[LINE];
  const char *line;
  snprintf(taken, sizeof taken, "bench %016" PRIx64, hash);
  snprintf(refused, sizeof refused, "refused %016" PRIx64 " ", hash);
  if (m->to && opened == 0) return measured_line(m, err, "%s", taken);
  if (m->to) {
    mrpb_err_t failed = {""};
    if (measured_line(m, &failed, "%s%s", refused, err->text) == 0) return opened;
    *err = failed;
    return -1;
  }
  if (next(m, &line, err) != 0) return -1;
  if (strcmp(line, taken) == 0) return 0;
  if (strncmp(line, refused, strlen(refused)) != 0) return other_line(m, line, taken, err);
  mrpb_fail(err, "%s", line + strlen(refused));
  return BENCH_REFUSED;
}

/* Stores differences, because consecutive numbers are mostly close together. */
static int write_words(measured_t *m, const uint32_t *word, size_t n, mrpb_err_t *err) {
  int column = 0;
  for (size_t i = 0; i < n; i++) {
    const int32_t step = (int32_t)(word[i] - (i ? word[i - 1] : 0));
    column += fprintf(m->to, "%s%" PRId32, column ? " " : "", step);
    if (column < ROW && i + 1 < n) continue;
    fputc('\n', m->to);
    column = 0;
  }
  return ferror(m->to) ? mrpb_fail(err, "%s: %s", m->path, strerror(errno)) : 0;
}

static int read_words(measured_t *m, uint32_t *word, size_t n, mrpb_err_t *err) {
  const char *at = "";
  for (size_t i = 0; i < n; i++) {
    char *end;
    if (!*at && next(m, &at, err) != 0) return -1;
    errno = 0;
    const long step = strtol(at, &end, 10);
    if (end == at || errno || step < INT32_MIN || step > INT32_MAX || (*end && *end != ' '))
      return mrpb_fail(err, "%s:%lu: '%.20s'; legal: a difference of 32 bits, %zu of them", m->path,
                       lines_number(m->from), at, n);
    word[i] = (i ? word[i - 1] : 0) + (uint32_t)step;
    at = *end ? end + 1 : end;
  }
  return *at ? mrpb_fail(err, "%s:%lu: more numbers than the %zu that belong there", m->path,
                         lines_number(m->from), n)
             : 0;
}

int measured_words(measured_t *m, uint32_t *word, size_t n, mrpb_err_t *err) {
  return m->to ? write_words(m, word, n, err) : read_words(m, word, n, err);
}

int measured_study(measured_t *m, const char *name, mrpb_err_t *err) {
  return measured_line(m, err, "study %s", name);
}

int measured_part(measured_t *m, const char *name, bool *there, mrpb_err_t *err) {
  char text[LINE];
  const char *line;
  *there = true;
  if (m->to) return measured_line(m, err, "part %s", name);
  const int rc = look(m, &line, err);
  if (rc < 0) return -1;
  snprintf(text, sizeof text, "part %s", name);
  *there = rc > 0 && strcmp(line, text) == 0;
  m->kept = rc > 0 && !*there ? line : NULL;
  return 0;
}

/* ---- the head --------------------------------------------------------------------- */

/* Numbers of the head, by name. */
typedef struct {
  const char *name;
  uint64_t value;
} number_t;
enum { NUMBERS = 9 };

static void numbers_of(const measured_head_t *h, number_t n[NUMBERS]) {
  const bench_limits_t *l = &h->limits;
  const number_t all[NUMBERS] = {{"driver", h->driver},
                                 {"khz", (uint64_t)(1e3 * h->mhz + 0.5)},
                                 {"threads_per_block", l->threads_per_block},
                                 {"shared", l->shared},
                                 {"sms", l->sms},
                                 {"schedulers", l->schedulers},
                                 {"l1d_lines", l->l1d_lines},
                                 {"l2_bytes", l->l2_bytes},
                                 {"repeats", l->repeats}};
  memcpy(n, all, sizeof all);
}

static void take_numbers(measured_head_t *h, const number_t n[NUMBERS]) {
  h->driver = (uint32_t)n[0].value;
  h->mhz = 1e-3 * (double)n[1].value;
  h->limits.threads_per_block = (uint32_t)n[2].value;
  h->limits.shared = (uint32_t)n[3].value;
  h->limits.sms = (uint32_t)n[4].value;
  h->limits.schedulers = (uint32_t)n[5].value;
  h->limits.l1d_lines = (uint32_t)n[6].value;
  h->limits.l2_bytes = n[7].value;
  h->limits.repeats = (uint32_t)n[8].value;
}

/* Takes the rest of a line after its word: "gpu NVIDIA H100". */
static int take_text(measured_t *m, const char *word, char *to, size_t size, mrpb_err_t *err) {
  const char *line;
  const size_t n = strlen(word);
  if (next(m, &line, err) != 0) return -1;
  if (strncmp(line, word, n) != 0 || line[n] != ' ' || strlen(line + n + 1) >= size)
    return mrpb_fail(err, "%s:%lu: '%.60s'; legal: %s and at most %zu characters", m->path,
                     lines_number(m->from), line, word, size - 1);
  snprintf(to, size, "%s", line + n + 1);
  return 0;
}

static int read_head(measured_t *m, measured_head_t *h, mrpb_err_t *err) {
  number_t n[NUMBERS];
  const char *line;
  char text[24], *end;
  *h = (measured_head_t){.limits = bench_card_limits()};
  if (next(m, &line, err) != 0) return -1;
  if (strcmp(line, FORM) != 0)
    return mrpb_fail(err, "%s:1: legal: " FORM ", as mrpb micro --gpu --save writes it", m->path);
  if (take_text(m, "gpu", h->gpu, sizeof h->gpu, err) != 0 ||
      take_text(m, "name", h->name, sizeof h->name, err) != 0 ||
      take_text(m, "uuid", h->uuid, sizeof h->uuid, err) != 0 ||
      take_text(m, "date", h->date, sizeof h->date, err) != 0)
    return -1;
  numbers_of(h, n);
  for (unsigned i = 0; i < NUMBERS; i++) {
    if (take_text(m, n[i].name, text, sizeof text, err) != 0) return -1;
    errno = 0;
    n[i].value = strtoull(text, &end, 10);
    if (*end || end == text || errno || (i != 7 && n[i].value > INT32_MAX))
      return mrpb_fail(err, "%s:%lu: %s %s; legal: a number", m->path, lines_number(m->from),
                       n[i].name, text);
  }
  take_numbers(h, n);
  if (strpbrk(h->name, "/ "))
    return mrpb_fail(err, "%s: name %s; legal: a word without /", m->path, h->name);
  return h->limits.repeats > 0 && h->limits.threads_per_block > 0
             ? 0
             : mrpb_fail(err, "%s: repeats, threads_per_block; legal: at least 1", m->path);
}

static int write_head(measured_t *m, const measured_head_t *h, mrpb_err_t *err) {
  number_t n[NUMBERS];
  numbers_of(h, n);
  fprintf(m->to, FORM "\ngpu %s\nname %s\nuuid %s\ndate %s\n", h->gpu, h->name, h->uuid, h->date);
  for (unsigned i = 0; i < NUMBERS; i++) fprintf(m->to, "%s %" PRIu64 "\n", n[i].name, n[i].value);
  return ferror(m->to) ? mrpb_fail(err, "%s: %s", m->path, strerror(errno)) : 0;
}

/* ---- open and close ----------------------------------------------------------------- */

static measured_t *new_one(const char *path, mrpb_err_t *err) {
  measured_t *m = calloc(1, sizeof *m);
  if (!m) mrpb_fail(err, "%s: out of memory", path);
  if (m) snprintf(m->path, sizeof m->path, "%s", path);
  return m;
}

int measured_create(measured_t **out, const char *path, const measured_head_t *head,
                    mrpb_err_t *err) {
  measured_t *m = *out = new_one(path, err);
  if (!m) return -1;
  m->to = output_open(path, m->temp, err);
  if (m->to && write_head(m, head, err) == 0) return 0;
  measured_close(m);
  *out = NULL;
  return -1;
}

int measured_open(measured_t **out, const char *path, measured_head_t *head, mrpb_err_t *err) {
  measured_t *m = *out = new_one(path, err);
  if (!m) return -1;
  if (lines_open(&m->from, path, err) == 0 && read_head(m, head, err) == 0) return 0;
  measured_close(m);
  *out = NULL;
  return -1;
}

int measured_end(measured_t *m, mrpb_err_t *err) {
  const char *line;
  if (m->to) {
    FILE *f = m->to;
    m->to = NULL;
    return output_close(f, ferror(f) != 0, m->path, m->temp, err);
  }
  const int rc = look(m, &line, err);
  if (rc <= 0) return rc;
  return mrpb_fail(err, "%s:%lu: '%.60s'; no study asks for that: other studies were measured",
                   m->path, lines_number(m->from), line);
}

void measured_close(measured_t *m) {
  if (!m) return;
  if (m->to) {
    fclose(m->to);
    output_discard(m->path, m->temp);
  }
  if (m->from) lines_close(m->from);
  free(m);
}
