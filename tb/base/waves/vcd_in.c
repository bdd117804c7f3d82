/* SPDX-License-Identifier: Apache-2.0 */
/* Reads value change dumps: words, and the changes behind the declarations. */
#include "base/waves/vcd_in_state.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/number.h"
#include "base/waves/fst_in.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------ */

int vcd_in_fail(const vcd_in_t *v, unsigned long line, mrpb_err_t *err, const char *format, ...) {
  char text[400];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  return mrpb_fail(err, "%s:%lu: %s", v->path, line, text);
}

const char *vcd_in_shown(const char *word, char text[VCD_IN_SHOWN]) {
  size_t n = 0;
  for (; word[n] && n < VCD_IN_SHOWN - 4; n++)
    text[n] = word[n] > ' ' && word[n] <= '~' ? word[n] : '?';
  strcpy(text + n, word[n] ? "..." : "");
  return text;
}

/* The next character, or -1 at the end or after an error. */
static inline int next_char(vcd_in_t *v) {
  if (v->at == v->n) {
    v->n = fread(v->buf, 1, sizeof v->buf, v->file);
    v->at = 0;
    if (v->n == 0) return -1;
  }
  return v->last = (unsigned char)v->buf[v->at++];
}

static bool is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int at_end(vcd_in_t *v, mrpb_err_t *err) {
  if (ferror(v->file)) return mrpb_fail(err, "%s: cannot read: %s", v->path, strerror(errno));
  if (v->last != '\n')
    return vcd_in_fail(v, v->line, err, "ends within a line: the file is cut off");
  return 0;
}

static int put_char(vcd_in_t *v, int c, mrpb_err_t *err) {
  if (v->word_len + 1 >= v->word_room) {
    if (v->word_len >= VCD_IN_WORD)
      return vcd_in_fail(v, v->word_line, err, "a word of more than %d characters", VCD_IN_WORD);
    char *more = grow(v->word, v->word_room + 1, &v->word_room, 1);
    if (!more) return mrpb_fail(err, "%s: out of memory", v->path);
    v->word = more;
  }
  v->word[v->word_len++] = (char)c;
  return 0;
}

int vcd_in_word(vcd_in_t *v, mrpb_err_t *err) {
  int c = next_char(v);
  for (; c >= 0 && is_space(c); c = next_char(v)) v->line += c == '\n';
  v->word_len = 0;
  v->word_line = v->line;
  if (c < 0) return at_end(v, err);
  for (; c >= 0 && !is_space(c); c = next_char(v)) {
    if (c == 0) return vcd_in_fail(v, v->line, err, "a 0 byte: this is no VCD text");
    if (put_char(v, c, err) != 0) return -1;
  }
  v->word[v->word_len] = '\0';
  if (c < 0) return at_end(v, err) != 0 ? -1 : 1;
  v->line += c == '\n';
  return 1;
}

int vcd_in_skip(vcd_in_t *v, const char *command, unsigned long line, mrpb_err_t *err) {
  char name[VCD_IN_SHOWN];
  vcd_in_shown(command, name);
  for (int rc; (rc = vcd_in_word(v, err)) != 0;) {
    if (rc < 0) return -1;
    if (strcmp(v->word, "$end") == 0) return 0;
  }
  return vcd_in_fail(v, line, err, "%s has no $end", name);
}

/* ---- opening ---------------------------------------------------------------- */

/* The file, or the VCD of an FST one; what has been looked at is the first piece to be read. */
static int open_file(vcd_in_t *v, const char *path, mrpb_err_t *err) {
  FILE *vcd;
  v->file = input_open(path, err);
  if (!v->file) return -1;
  v->n = fread(v->buf, 1, sizeof v->buf, v->file);
  if (!fst_in_begins(v->buf, v->n)) return 0;
  v->n = 0;
  int rc = fst_in_open(&vcd, path, v->file, err);
  if (rc != 0) return rc;
  fclose(v->file);
  v->file = vcd;
  return 0;
}

int vcd_in_open(vcd_in_t **out, const char *path, mrpb_err_t *err) {
  *out = NULL;
  vcd_in_t *v = calloc(1, sizeof *v);
  if (!v) return mrpb_fail(err, "%s: out of memory", path);
  v->line = v->word_line = 1;
  v->last = '\n';
  v->word_room = 256;
  v->word = malloc(v->word_room);
  v->path = malloc(strlen(path) + 1);
  int rc = v->word && v->path ? 0 : mrpb_fail(err, "%s: out of memory", path);
  if (rc == 0) {
    strcpy(v->path, path);
    rc = open_file(v, path, err);
  }
  if (rc == 0) rc = vcd_in_header(v, err);
  if (rc != 0) {
    vcd_in_close(v);
    return rc;
  }
  *out = v;
  return 0;
}

void vcd_in_close(vcd_in_t *v) {
  if (!v) return;
  for (unsigned i = 0; i < v->n_signals; i++) {
    free(v->signal[i].code);
    free(v->signal[i].ones); /* `unknown` is its second half */
  }
  for (unsigned i = 0; i < v->n_vars; i++) free((void *)(uintptr_t)v->var[i].name);
  for (unsigned i = 0; i < v->n_scopes; i++) free(v->scope[i].path);
  if (v->file) fclose(v->file);
  free(v->signal);
  free(v->bucket);
  free(v->var);
  free(v->scope);
  free(v->word);
  free(v->path);
  free(v);
}

unsigned vcd_in_n_vars(const vcd_in_t *v) {
  return v->n_vars;
}
const vcd_in_var_t *vcd_in_var(const vcd_in_t *v, unsigned i) {
  return &v->var[i];
}
unsigned vcd_in_n_scopes(const vcd_in_t *v) {
  return v->n_scopes;
}
const char *vcd_in_scope(const vcd_in_t *v, unsigned scope) {
  return v->scope[scope].path;
}
unsigned vcd_in_parent(const vcd_in_t *v, unsigned scope) {
  return v->scope[scope].parent;
}
const uint64_t *vcd_in_ones(const vcd_in_t *v, unsigned id) {
  return v->signal[id].ones;
}
const uint64_t *vcd_in_unknown(const vcd_in_t *v, unsigned id) {
  return v->signal[id].unknown;
}
const char *vcd_in_path(const vcd_in_t *v) {
  return v->path;
}

/* Bits `from` to `width` - 1 of a vector. */
static void set_from(uint64_t *bits, size_t from, size_t width) {
  size_t first = from / 64, words = (width + 63) / 64;
  if (from >= width) return;
  bits[first] |= UINT64_MAX << from % 64;
  for (size_t w = first + 1; w < words; w++) bits[w] = UINT64_MAX;
  if (width % 64) bits[words - 1] &= ~(UINT64_MAX << width % 64);
}

int vcd_in_watch(vcd_in_t *v, unsigned id, mrpb_err_t *err) {
  vcd_in_signal_t *s = &v->signal[id];
  size_t words = ((size_t)s->width + 63) / 64;
  if (s->ones) return 0;
  s->ones = calloc(2 * words, sizeof *s->ones);
  if (!s->ones) return mrpb_fail(err, "%s: out of memory", v->path);
  s->unknown = s->ones + words;
  set_from(s->unknown, 0, s->width);
  return 0;
}

/* ---- changes ---------------------------------------------------------------- */

static int signal_of(const vcd_in_t *v, const char *code, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  long id = vcd_in_find(v, code);
  if (id >= 0) return (int)id;
  return vcd_in_fail(v, v->word_line, err, "a value for '%s', which no $var declares",
                     vcd_in_shown(code, shown));
}

/* Digits 0 1 x z, the highest first; a short value is extended as the standard says. */
static void assign(vcd_in_signal_t *s, const char *digits, size_t n) {
  size_t words = ((size_t)s->width + 63) / 64;
  memset(s->ones, 0, 2 * words * sizeof *s->ones);
  for (size_t b = 0; b < n && b < s->width; b++) {
    char c = digits[n - 1 - b];
    uint64_t bit = UINT64_C(1) << (b % 64);
    if (c == '1') s->ones[b / 64] |= bit;
    if (c != '0' && c != '1') s->unknown[b / 64] |= bit;
  }
  if (digits[0] != '0' && digits[0] != '1') set_from(s->unknown, n, s->width);
}

static int vector(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN], *digits;
  size_t n = v->word_len - 1;
  unsigned long line = v->word_line;
  if (n == 0 || strspn(v->word + 1, "01xXzZ") != n)
    return vcd_in_fail(v, line, err, "'%s': a vector's value is b and digits 0, 1, x or z",
                       vcd_in_shown(v->word, shown));
  digits = malloc(n + 1);
  if (!digits) return mrpb_fail(err, "%s: out of memory", v->path);
  memcpy(digits, v->word + 1, n + 1);
  int rc = vcd_in_word(v, err), id = -1;
  if (rc == 0) vcd_in_fail(v, line, err, "a value without its signal at the end of the file");
  if (rc > 0) id = signal_of(v, v->word, err);
  if (id >= 0) {
    vcd_in_signal_t *s = &v->signal[id];
    if (!s->valued || n > s->width)
      id = vcd_in_fail(v, line, err, "%zu bits for '%s', which has %u", n,
                       vcd_in_shown(v->word, shown), s->valued ? s->width : 0);
    else if (s->ones)
      assign(s, digits, n);
  }
  free(digits);
  return id < 0 ? -1 : 0;
}

/* A real or a string, and its signal: both are of no interest. */
static int real_value(vcd_in_t *v, mrpb_err_t *err) {
  unsigned long line = v->word_line;
  int rc = vcd_in_word(v, err);
  if (rc == 0)
    return vcd_in_fail(v, line, err, "a value without its signal at the end of the file");
  if (rc < 0) return -1;
  int id = signal_of(v, v->word, err);
  if (id >= 0 && v->signal[id].valued)
    return vcd_in_fail(v, line, err, "a real or string value for a signal of bits");
  return id < 0 ? -1 : 0;
}

static int scalar(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  int id = signal_of(v, v->word + 1, err);
  if (id < 0) return -1;
  vcd_in_signal_t *s = &v->signal[id];
  if (!s->valued) return 0; /* an event */
  if (s->width != 1)
    return vcd_in_fail(v, v->word_line, err, "'%s': one bit for a signal of %u",
                       vcd_in_shown(v->word, shown), s->width);
  if (s->ones) assign(s, v->word, 1);
  return 0;
}

/* "#1200": *time is the new time; must not fall. */
static int time_stamp(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  const char *digits = v->word + 1;
  uint64_t t;
  if (!number_decimal(digits, UINT64_MAX, &t))
    return vcd_in_fail(v, v->word_line, err, "'%s': a time is # and a number below 2^64",
                       vcd_in_shown(v->word, shown));
  if (v->have_time && t < v->time)
    return vcd_in_fail(v, v->word_line, err, "time goes back from %" PRIu64 " to %" PRIu64, v->time,
                       t);
  v->next_time = t;
  return 0;
}

static int command(vcd_in_t *v, mrpb_err_t *err) {
  static const char *const blocks[] = {"$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end"};
  char shown[VCD_IN_SHOWN];
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (strcmp(v->word, blocks[i]) == 0) return 0; /* their values are read as any others */
  if (strcmp(v->word, "$comment") == 0) return vcd_in_skip(v, "$comment", v->word_line, err);
  return vcd_in_fail(v, v->word_line, err,
                     "'%s' behind the declarations; legal: $dumpvars $dumpall $dumpon $dumpoff "
                     "$comment $end",
                     vcd_in_shown(v->word, shown));
}

static int change(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  switch (v->word[0]) {
  case '0':
  case '1':
  case 'x':
  case 'X':
  case 'z':
  case 'Z':
    return scalar(v, err);
  case 'b':
  case 'B':
    return vector(v, err);
  case 'r':
  case 'R':
  case 's':
  case 'S':
    return real_value(v, err);
  case '$':
    return command(v, err);
  case 'p':
    return vcd_in_fail(v, v->word_line, err,
                       "'%s': port values of an extended VCD; evcd2vcd (GTKWave's) converts it",
                       vcd_in_shown(v->word, shown));
  default:
    return vcd_in_fail(v, v->word_line, err,
                       "'%s' is no change; legal: 0 1 x z b r s and a signal, # and a time, $ and "
                       "a command",
                       vcd_in_shown(v->word, shown));
  }
}

int vcd_in_step(vcd_in_t *v, uint64_t *time, mrpb_err_t *err) {
  bool any = v->have_next;
  if (v->ended) return 0;
  if (v->have_next) {
    v->time = v->next_time;
    v->have_time = true;
    v->have_next = false;
  }
  for (int rc; (rc = vcd_in_word(v, err)) != 0;) {
    if (rc < 0) return -1;
    if (v->word[0] != '#') {
      if (change(v, err) != 0) return -1;
      any = true;
      continue;
    }
    if (time_stamp(v, err) != 0) return -1;
    if (v->have_time && v->next_time == v->time) continue;
    v->have_next = true;
    if (any) break;
    v->time = v->next_time; /* nothing stood before it */
    v->have_time = any = true;
    v->have_next = false;
  }
  if (!v->have_next) v->ended = true;
  *time = v->time;
  return any;
}
