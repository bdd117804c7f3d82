/* SPDX-License-Identifier: Apache-2.0 */
/* Reads value change dumps: words, and the changes after the declarations. */
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

enum { FIRST = 16 }; /* bytes that identify the format */

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

/* Reads the next piece of the file, at least 1 byte, behind the first `at` bytes of the buffer.
 * Returns 0 at the end or after an error, which is then in v->broken. */
static size_t fill(vcd_in_t *v, size_t at) {
  if (v->packed) {
    const long n = compress_in_read(v->packed, v->buf + at, sizeof v->buf - at, &v->broken);
    return n > 0 ? (size_t)n : 0;
  }
  const size_t n = fread(v->buf + at, 1, sizeof v->buf - at, v->file);
  if (n == 0 && ferror(v->file)) mrpb_fail(&v->broken, "cannot read: %s", strerror(errno));
  return n;
}

/* The next character, or -1 at the end or after an error. */
static inline int next_char(vcd_in_t *v) {
  if (v->at == v->n) {
    v->n = fill(v, 0);
    v->at = 0;
    if (v->n == 0) return -1;
  }
  return (unsigned char)v->buf[v->at++];
}

static bool is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static int at_end(vcd_in_t *v, mrpb_err_t *err) {
  return v->broken.text[0] ? mrpb_fail(err, "%s: %s", v->path, v->broken.text) : 0;
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
  if (v->held) return !(v->held = false);
  int c = next_char(v);
  for (; c >= 0 && is_space(c); c = next_char(v)) v->line += c == '\n';
  v->word_len = 0;
  v->word_line = v->line;
  if (c < 0) return at_end(v, err);
  for (; c >= 0 && !is_space(c); c = next_char(v)) {
    if (c == 0) return vcd_in_fail(v, v->line, err, "a 0 byte: this is not VCD text");
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

/* Refuses wave formats that cannot be read, by their first bytes. */
static int refuse_others(const vcd_in_t *v, mrpb_err_t *err) {
  static const struct {
    const char *bytes, *says;
    size_t n;
  } others[] = {
      {"GHDLwave", "a GHW file; GHDL writes a VCD with --vcd=FILE, an FST with --fst=FILE", 8},
      {"\1\70", "an LXT file; legal: a VCD or an FST of the same simulation", 2},
      {"\23\200", "an LXT2 file; lxt2vcd of the Debian package gtkwave makes a VCD of it", 2},
      {"VZ", "a VZT file; vzt2vcd of the Debian package gtkwave makes a VCD of it", 2},
  };
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    if (v->n > others[i].n && memcmp(v->buf, others[i].bytes, others[i].n) == 0)
      return mrpb_fail(err, "%s: %s", v->path, others[i].says);
  return 0;
}

/* Opens the file, or the VCD of an FST file. The bytes examined here are the first piece to be
 * read. */
static int open_file(vcd_in_t *v, mrpb_err_t *err) {
  if (compress_in_open(&v->packed, v->path, err) != 0) return -1;
  for (size_t n = 1; n > 0 && v->n < FIRST; v->n += n) n = fill(v, v->n);
  if (!fst_in_begins(v->buf, v->n)) return refuse_others(v, err);
  v->n = 0;
  compress_in_close(v->packed);
  v->packed = NULL;
  FILE *fst = input_open(v->path, err);
  if (!fst) return -1;
  const int rc = fst_in_open(&v->file, v->path, fst, err);
  fclose(fst);
  return rc;
}

int vcd_in_open(vcd_in_t **out, const char *path, mrpb_err_t *err) {
  *out = NULL;
  vcd_in_t *v = calloc(1, sizeof *v);
  if (!v) return mrpb_fail(err, "%s: out of memory", path);
  v->line = v->word_line = 1;
  v->word_room = 256;
  v->word = malloc(v->word_room);
  v->path = malloc(strlen(path) + 1);
  int rc = v->word && v->path ? 0 : mrpb_fail(err, "%s: out of memory", path);
  if (rc == 0) {
    strcpy(v->path, path);
    rc = open_file(v, err);
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
  compress_in_close(v->packed);
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

/* Sets bits `from` to `width` - 1 of a vector. */
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

/* Verilog's four states and VHDL's nine. */
static const char states[] = "01xXzZuUwWhHlL-";

static bool is_one(char c) {
  return c == '1' || c == 'H' || c == 'h';
}

static bool is_known(char c) {
  return is_one(c) || c == '0' || c == 'L' || c == 'l';
}

/* Assigns states, given with the highest bit first; a short value is extended as the standard
 * says. */
static void assign(vcd_in_signal_t *s, const char *digits, size_t n) {
  size_t words = ((size_t)s->width + 63) / 64;
  memset(s->ones, 0, 2 * words * sizeof *s->ones);
  for (size_t b = 0; b < n && b < s->width; b++) {
    char c = digits[n - 1 - b];
    uint64_t bit = UINT64_C(1) << (b % 64);
    if (is_one(c)) s->ones[b / 64] |= bit;
    if (!is_known(c)) s->unknown[b / 64] |= bit;
  }
  if (!is_known(digits[0])) set_from(s->unknown, n, s->width);
}

/* Finds the signal of a value by its code. Returns -1 and a message on failure. */
static int value_of(vcd_in_t *v, unsigned long line, mrpb_err_t *err) {
  const int rc = vcd_in_word(v, err);
  if (rc == 0) vcd_in_fail(v, line, err, "a value without its signal at the end of the file");
  return rc > 0 ? signal_of(v, v->word, err) : -1;
}

/* A variable of 0 bits: any value is accepted. */
static bool is_empty(const vcd_in_signal_t *s) {
  return !s->valued && s->width == 0;
}

static int vector(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN], *digits;
  const char *value = v->word + (strncmp(v->word + 1, "0b", 2) == 0 ? 3 : 1);
  size_t n = strlen(value);
  unsigned long line = v->word_line;
  if (strspn(value, states) != n)
    return vcd_in_fail(v, line, err,
                       "'%s': a vector's value is b and digits 0, 1, x, z, or u, w, h, l, -",
                       vcd_in_shown(v->word, shown));
  digits = malloc(n + 1);
  if (!digits) return mrpb_fail(err, "%s: out of memory", v->path);
  memcpy(digits, value, n + 1);
  int id = value_of(v, line, err);
  if (id >= 0 && !is_empty(&v->signal[id])) {
    vcd_in_signal_t *s = &v->signal[id];
    if (n == 0)
      id = vcd_in_fail(v, line, err, "no digit for '%s', which has %u bits",
                       vcd_in_shown(v->word, shown), s->width);
    else if (!s->valued || n > s->width)
      id = vcd_in_fail(v, line, err, "%zu bits for '%s', which has %u", n,
                       vcd_in_shown(v->word, shown), s->valued ? s->width : 0);
    else if (s->ones)
      assign(s, digits, n);
  }
  free(digits);
  return id < 0 ? -1 : 0;
}

/* A real or a string, and its signal: both are ignored. */
static int real_value(vcd_in_t *v, mrpb_err_t *err) {
  unsigned long line = v->word_line;
  int id = value_of(v, line, err);
  if (id >= 0 && v->signal[id].valued)
    return vcd_in_fail(v, line, err, "a real or string value for a signal of bits");
  return id < 0 ? -1 : 0;
}

static int scalar(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  const char state = v->word[0];
  const int id = v->word[1] ? signal_of(v, v->word + 1, err) : value_of(v, v->word_line, err);
  if (id < 0) return -1;
  vcd_in_signal_t *s = &v->signal[id];
  if (!s->valued) return 0; /* an event */
  if (s->width != 1)
    return vcd_in_fail(v, v->word_line, err, "'%s': one bit for a signal of %u",
                       vcd_in_shown(v->word, shown), s->width);
  if (s->ones) assign(s, &state, 1);
  return 0;
}

/* "1200", or "1200.5" with any number of decimals, of which the first 18 count. */
static bool parse_time(char *text, vcd_in_time_t *t) {
  char places[19] = "000000000000000000", *point = strchr(text, '.');
  size_t n = 0;
  if (point) {
    n = strspn(point + 1, "0123456789");
    if (n == 0 || point[1 + n]) return false;
    memcpy(places, point + 1, n < 18 ? n : 18);
    *point = '\0';
  }
  const bool good = number_decimal(text, UINT64_MAX, &t->units) &&
                    number_decimal(places, UINT64_MAX, &t->fraction);
  if (point) *point = '.';
  return good;
}

/* Returns -1, 0 or 1: a is before, at or after b. */
static int compare(const vcd_in_time_t *a, const vcd_in_time_t *b) {
  if (a->units != b->units) return a->units < b->units ? -1 : 1;
  return (a->fraction > b->fraction) - (a->fraction < b->fraction);
}

/* "#1200": the next time, which must not be earlier than the current one. */
static int time_stamp(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  if (!parse_time(v->word + 1, &v->next_time))
    return vcd_in_fail(v, v->word_line, err, "'%s': a time is # and a number below 2^64",
                       vcd_in_shown(v->word, shown));
  vcd_in_shown(v->word + 1, shown);
  if (v->have_time && compare(&v->next_time, &v->time) < 0)
    return vcd_in_fail(v, v->word_line, err, "time goes back from %s to %s", v->stamp, shown);
  memcpy(v->stamp, shown, sizeof shown);
  return 0;
}

int vcd_in_extended(const vcd_in_t *v, const char *what, mrpb_err_t *err) {
  return vcd_in_fail(v, v->word_line, err,
                     "'%s': an extended VCD; evcd2vcd of the Debian package gtkwave makes a VCD of "
                     "it",
                     what);
}

static int command(vcd_in_t *v, mrpb_err_t *err) {
  static const char *const blocks[] = {"$dumpvars", "$dumpall", "$dumpon", "$dumpoff", "$end"};
  char shown[VCD_IN_SHOWN];
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (strcmp(v->word, blocks[i]) == 0) return 0; /* their values are read like any others */
  if (strcmp(v->word, "$comment") == 0) return vcd_in_skip(v, "$comment", v->word_line, err);
  if (strncmp(v->word, "$dumpports", 10) == 0 || strcmp(v->word, "$vcdclose") == 0)
    return vcd_in_extended(v, vcd_in_shown(v->word, shown), err);
  return vcd_in_fail(v, v->word_line, err,
                     "'%s' after the declarations; legal: $dumpvars $dumpall $dumpon $dumpoff "
                     "$comment $end",
                     vcd_in_shown(v->word, shown));
}

static int change(vcd_in_t *v, mrpb_err_t *err) {
  char shown[VCD_IN_SHOWN];
  if (strchr(states, v->word[0])) return scalar(v, err);
  switch (v->word[0]) {
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
    return vcd_in_extended(v, vcd_in_shown(v->word, shown), err);
  default:
    return vcd_in_fail(
        v, v->word_line, err,
        "'%s' is not a value change; legal: 0 1 x z b r s and a signal, # and a time, $ and "
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
    if (v->have_time && compare(&v->next_time, &v->time) == 0) continue;
    v->have_next = true;
    if (any) break;
    v->time = v->next_time; /* nothing was before it */
    v->have_time = any = true;
    v->have_next = false;
  }
  if (!v->have_next) v->ended = true;
  *time = v->time.units;
  return any;
}
