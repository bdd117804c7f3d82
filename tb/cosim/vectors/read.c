/* SPDX-License-Identifier: Apache-2.0 */
/* The strict reader of .vec files. */
#include "cosim/vectors/vectors.h"
#include "base/sizes.h"

#include "base/lines.h"
#include "base/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  lines_t *lines;
  const char *line; /* the current line */
  bool again;       /* it is also the next line */
  mrpb_err_t *err;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned n_in; /* inputs that a line gives */
} reader_t;

static int fail(const reader_t *r, const char *what, const char *legal) {
  return mrpb_fail(r->err, "%s:%lu: %s; legal: %s", r->path, lines_number(r->lines), what, legal);
}

/* Gets the next line that is neither empty nor a comment. Returns 1, 0 at the end, or -1 and a
 * message in err. */
static int next_line(reader_t *r) {
  int rc = 1;
  if (r->again) {
    r->again = false;
    return rc;
  }
  while ((rc = lines_next(r->lines, &r->line, r->err)) > 0)
    if (r->line[0] != '\0' && r->line[0] != '#') break;
  return rc;
}

/* Returns the rest of the next line, which must begin with the word `key`; otherwise NULL and a
 * message. */
static const char *keyed(reader_t *r, const char *key, const char *example) {
  char what[128];
  int rc = next_line(r);
  size_t n = strlen(key);
  if (rc < 0) return NULL;
  if (rc == 0) {
    snprintf(what, sizeof what, "the file ends before its '%s' line", key);
  } else {
    if (strncmp(r->line, key, n) == 0 && r->line[n] == ' ') return r->line + n + 1;
    if (strcmp(r->line, key) == 0) return r->line + n;
    snprintf(what, sizeof what, "'%.40s' where the line '%s' belongs", r->line, key);
  }
  fail(r, what, example);
  return NULL;
}

/* Reads all of `text` as a number of base 10 or 16 up to `max`. */
static bool number(const char *text, unsigned base, uint64_t max, uint64_t *value) {
  uint64_t v = 0;
  if (!text[0]) return false;
  for (; *text; text++) {
    unsigned d = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                 : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a') + 10
                                                : 99;
    if (d >= base || d > max || v > (max - d) / base) return false;
    v = v * base + d;
  }
  *value = v;
  return true;
}

static int read_size(reader_t *r, const module_param_t *p, uint32_t *size) {
  char example[128], name[64] = "";
  snprintf(example, sizeof example, "set %s and a number from %" PRIu32 " to %" PRIu32, p->name,
           p->min, p->max);
  const char *text = keyed(r, "set", example);
  if (!text) return -1;
  const char *space = strchr(text, ' ');
  size_t n = space ? (size_t)(space - text) : 0;
  uint64_t value;
  if (n > 0 && n < sizeof name) memcpy(name, text, n);
  if (strcmp(name, p->name) != 0 || !number(space + 1, 10, p->max, &value) || value < p->min) {
    char what[128];
    snprintf(what, sizeof what, "'set %.60s'", text);
    return fail(r, what, example);
  }
  *size = (uint32_t)value;
  return 0;
}

/* A file written before a parameter was added ends before it. With the parameter's default, the
 * module is unchanged. */
static int read_sizes(reader_t *r, const module_class_t *cls, uint32_t *cfg) {
  const unsigned first = vectors_first_params(cls);
  module_defaults(cls, cfg);
  for (unsigned i = 0; i < cls->n_params; i++) {
    if (i >= first) {
      const int rc = next_line(r);
      if (rc < 0) return -1;
      r->again = rc > 0;
      if (rc == 0 || strncmp(r->line, "set ", 4) != 0) break;
    }
    if (read_size(r, &cls->params[i], &cfg[i]) != 0) return -1;
  }
  return 0;
}

/* Reads the module, its sizes and their hash, and makes an empty stimulus. */
static int read_module(reader_t *r, vectors_t *v) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t why = {""};
  uint64_t hash;
  char legal[64];
  const char *text = keyed(r, "mrpb-vec", "mrpb-vec 1, the first line of a vector file");
  if (!text) return -1;
  if (strcmp(text, "1") != 0) return fail(r, "unknown version of the format", "mrpb-vec 1");
  if (!(text = keyed(r, "module", "module NAME"))) return -1;
  const module_class_t *cls = sizes_module(text, &why);
  if (!cls) return mrpb_fail(r->err, "%s:%lu: %s", r->path, lines_number(r->lines), why.text);
  if (read_sizes(r, cls, cfg) != 0) return -1;
  snprintf(legal, sizeof legal, "config %016" PRIx64, vectors_config_hash(cls, cfg));
  if (!(text = keyed(r, "config", legal))) return -1;
  if (strlen(text) != 16 || !number(text, 16, UINT64_MAX, &hash) ||
      hash != vectors_config_hash(cls, cfg))
    return fail(r, "the hash is not that of the module and the sizes above", legal);
  if (cls->check(cfg, &why) != 0)
    return mrpb_fail(r->err, "%s:%lu: %s", r->path, lines_number(r->lines), why.text);
  cls->ports(cfg, r->in, r->out);
  return vectors_init(v, cls, cfg, 0, r->err);
}

/* A file written before an input was added ends before it, and so do its lines. The input is 0. */
static int read_inputs(reader_t *r, const vectors_t *v) {
  const unsigned first = vectors_first_inputs(v->cls);
  char legal[40 * MODULE_MAX_PORTS] = "";
  size_t n = 0, early = 0;
  for (unsigned i = 0; i < v->cls->n_in; i++) {
    if (i == first) early = n;
    n += (size_t)snprintf(legal + n, sizeof legal - n, "%s%s:%u", i ? " " : "", r->in[i].name,
                          r->in[i].width);
  }
  const char *text = keyed(r, "inputs", legal);
  if (!text) return -1;
  r->n_in = v->cls->n_in;
  if (strcmp(text, legal) == 0) return 0;
  r->n_in = first;
  if (early > 0 && strlen(text) == early && strncmp(text, legal, early) == 0) return 0;
  return fail(r, "these are not the inputs of the module", legal);
}

static int read_notes(reader_t *r, vectors_t *v, uint64_t *cycles) {
  const char *text = keyed(r, "seed", "seed and a decimal number below 2^64");
  if (!text) return -1;
  if (!number(text, 10, UINT64_MAX, &v->seed))
    return fail(r, "the seed is not a number", "seed and a decimal number below 2^64");
  if (!(text = keyed(r, "tools", "tools and a note, which may be empty"))) return -1;
  if (strlen(text) >= sizeof v->tools)
    return fail(r, "the note is too long", "tools and at most 383 characters");
  strcpy(v->tools, text);
  if (read_inputs(r, v) != 0) return -1;
  if (!(text = keyed(r, "cycles", "cycles and the number of lines that follow"))) return -1;
  return number(text, 10, UINT64_MAX, cycles) && *cycles > 0
             ? 0
             : fail(r, "the number of cycles is wrong", "cycles and a decimal number above 0");
}

/* Reads one port's value: exactly the digits that its width needs. */
static bool read_value(const char **text, const module_port_t *p, uint64_t *words) {
  unsigned digits = (p->width + 3) / 4;
  for (unsigned w = 0; w < (p->width + 63) / 64; w++) words[p->word + w] = 0;
  while (digits-- > 0) {
    const char one[2] = {*(*text)++, '\0'};
    uint64_t d;
    if (!number(one, 16, 15, &d)) return false;
    words[p->word + digits / 16] |= d << 4 * (digits % 16);
  }
  return p->width % 4 == 0 || words[p->word + (p->width - 1) / 64] >> (p->width - 1) % 64 <= 1;
}

static int read_cycle(reader_t *r, vectors_t *v, uint64_t *words) {
  const char *text = r->line;
  for (unsigned i = 0; i < r->n_in; i++) {
    const module_port_t *p = &r->in[i];
    char what[128], legal[128];
    bool good = read_value(&text, p, words);
    const char end = i + 1 < r->n_in ? ' ' : '\0';
    if (good && *text == end) {
      text++;
      continue;
    }
    snprintf(what, sizeof what, "input %s, value %u of the line", p->name, i + 1);
    snprintf(legal, sizeof legal, "%u hexadecimal digits (0-9 a-f) of %u bits, then %s",
             (p->width + 3) / 4, p->width, end ? "one space" : "the end of the line");
    return fail(r, what, legal);
  }
  if (v->n == 0 && v->cls->n_regs > 0 && (words[r->in[0].word] & 1) != 0)
    return fail(r, "the first cycle is not a reset", "srst_ni 0 in the first cycle");
  return vectors_add(v, words, r->err);
}

static int read_file(reader_t *r, vectors_t *v) {
  uint64_t cycles;
  char what[96];
  if (read_module(r, v) != 0 || read_notes(r, v, &cycles) != 0) return -1;
  uint64_t *words = calloc(v->cls->in_words, sizeof *words);
  int rc = words ? 1 : mrpb_fail(r->err, "%s: out of memory", r->path);
  snprintf(what, sizeof what, "'cycles %" PRIu64 "' in its head", cycles);
  while (rc > 0 && (rc = next_line(r)) > 0) {
    if (v->n == cycles)
      rc = fail(r, "more cycles than the header states", what);
    else if (read_cycle(r, v, words) != 0)
      rc = -1;
  }
  free(words);
  if (rc == 0 && v->n < cycles) {
    char got[96];
    snprintf(got, sizeof got, "the file ends after %" PRIu64 " cycles", v->n);
    return fail(r, got, what);
  }
  return rc;
}

int vectors_read(vectors_t *v, const char *path, mrpb_err_t *err) {
  mrpb_err_t own = {""};
  reader_t r = {.path = path, .err = err ? err : &own};
  *v = (vectors_t){.cls = NULL};
  if (lines_open(&r.lines, path, r.err) != 0) return -1;
  int rc = read_file(&r, v);
  lines_close(r.lines);
  if (rc != 0) vectors_free(v);
  return rc;
}
