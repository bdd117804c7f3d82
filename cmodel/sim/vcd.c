/* SPDX-License-Identifier: Apache-2.0 */
/* VCD writer: declarations become a tree of scopes; changes go through one buffer. Every record is
 * at most RECORD_MAX bytes, so one comparison per record keeps the buffer from overflowing and
 * keeps lines whole. */
#include "sim/vcd.h"

#include "bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 20, RECORD_MAX = VCD_MAX_WIDTH + 32, CODE_MAX = 6, NONE = -1 };

typedef struct {
  char *name; /* only the last part of the full name */
  uint64_t last;
  size_t wide; /* index of its last value in vcd->words, if wider than 64 bits */
  uint32_t width, hash;
  int next; /* next variable in the same scope */
  vcd_kind_t kind;
  bool known;
  uint8_t code_len;
  char code[CODE_MAX]; /* identifier and newline */
} var_t;

typedef struct {
  char *name;
  int parent, next, first_child, last_child, first_var, last_var;
} scope_t;

struct vcd {
  char *buf;
  size_t n;
  var_t *var;
  uint64_t *words;
  uint64_t time;
  bool failed, dumped, have_time, stamp_due;
  int n_vars, n_scopes;
  int vars_room, scopes_room; /* allocated */
  size_t n_words, words_room;
  scope_t *scope; /* element 0 is the unnamed top */
  FILE *file;
  char *path;
  char timescale[16];
  mrpb_err_t err;
};

/* "00000000" "00000001" ... "11111111" in one flat table; the 8 extra bytes at the end let a copy
 * start anywhere. */
#define T1(p) p "0" p "1"
#define T2(p) T1(p "0") T1(p "1")
#define T3(p) T2(p "0") T2(p "1")
#define T4(p) T3(p "0") T3(p "1")
#define T5(p) T4(p "0") T4(p "1")
#define T6(p) T5(p "0") T5(p "1")
#define T7(p) T6(p "0") T6(p "1")
static const char digits[256 * 8 + 8] = T7("0") T7("1");

static char *copy_text(const char *s, size_t n) {
  char *p = malloc(n + 1);
  if (p) {
    memcpy(p, s, n);
    p[n] = '\0';
  }
  return p;
}

/* ---- output --------------------------------------------------------------------------------- */

static void drain(vcd_t *v) {
  if (!v->failed && v->n && fwrite(v->buf, 1, v->n, v->file) != v->n) {
    v->failed = true;
    mrpb_fail(&v->err, "%s: cannot write: %s", v->path, strerror(errno));
  }
  v->n = 0;
}

static inline void make_room(vcd_t *v) {
  if (v->n > BUFFER_SIZE - RECORD_MAX) drain(v);
}

/* Writes text of any length, piece by piece. */
static void put_text(vcd_t *v, const char *s) {
  for (size_t left = strlen(s), step; left; s += step, left -= step) {
    make_room(v);
    step = left < RECORD_MAX ? left : RECORD_MAX;
    memcpy(v->buf + v->n, s, step);
    v->n += step;
  }
}

static void put_stamp(vcd_t *v) {
  make_room(v);
  char text[24], *p = text + sizeof text;
  uint64_t t = v->time;
  *--p = '\n';
  do *--p = (char)('0' + t % 10);
  while (t /= 10);
  *--p = '#';
  size_t len = (size_t)(text + sizeof text - p);
  memcpy(v->buf + v->n, p, len);
  v->n += len;
  v->stamp_due = false;
}

/* Writes the binary digits of `x` from its highest 1 (if `full`, all 64), whole bytes through the
 * table. Leaves up to 7 bytes of garbage behind the end that it returns. */
static inline char *put_bits(char *p, uint64_t x, bool full) {
  unsigned n = full ? 64 : 64 - (unsigned)__builtin_clzll(x | 1);
  unsigned shift = (n - 1) & ~7u, lead = n - shift;
  memcpy(p, digits + ((x >> shift) & 0xff) * 8 + (8 - lead), 8);
  p += lead;
  while (shift) {
    shift -= 8;
    memcpy(p, digits + ((x >> shift) & 0xff) * 8, 8);
    p += 8;
  }
  return p;
}

static inline void put_code(vcd_t *v, char *p, const var_t *var) {
  memcpy(p, var->code, CODE_MAX);
  v->n = (size_t)(p - v->buf) + var->code_len;
}

static void put_value(vcd_t *v, const var_t *var) {
  make_room(v);
  char *p = v->buf + v->n;
  if (!var->known) {
    if (var->width > 1) *p++ = 'b';
    *p++ = 'x';
  } else if (var->width == 1) {
    *p++ = (char)('0' + var->last);
  } else {
    *p++ = 'b';
    if (var->width <= 64) {
      p = put_bits(p, var->last, false);
    } else {
      const uint64_t *w = v->words + var->wide;
      size_t top = (var->width - 1) / 64;
      while (top && w[top] == 0) top--;
      p = put_bits(p, w[top], false);
      while (top) p = put_bits(p, w[--top], true);
    }
  }
  if (var->width > 1) *p++ = ' ';
  put_code(v, p, var);
}

static const char *kind_name(vcd_kind_t kind) {
  switch (kind) {
  case VCD_WIRE:
    return "wire";
  case VCD_REG:
    return "reg";
  case VCD_INTEGER:
    return "integer";
  case VCD_PARAMETER:
    return "parameter";
  }
  return "wire";
}

static void put_scope(vcd_t *v, int id) {
  const scope_t *s = &v->scope[id];
  if (id) {
    put_text(v, "$scope module ");
    put_text(v, s->name);
    put_text(v, " $end\n");
  }
  char line[64];
  for (int i = s->first_var; i != NONE; i = v->var[i].next) {
    const var_t *var = &v->var[i];
    snprintf(line, sizeof line, "$var %s %u %.*s ", kind_name(var->kind), (unsigned)var->width,
             var->code_len - 1, var->code);
    put_text(v, line);
    put_text(v, var->name);
    snprintf(line, sizeof line, " [%u:0]", (unsigned)var->width - 1);
    if (var->width > 1) put_text(v, line);
    put_text(v, " $end\n");
  }
  for (int c = s->first_child; c != NONE; c = v->scope[c].next) put_scope(v, c);
  if (id) put_text(v, "$upscope $end\n");
}

/* Writes the header and the $dumpvars block, once: at the end of the first time. */
static void put_dump(vcd_t *v) {
  if (v->dumped) return;
  v->dumped = true;
  put_text(v, "$timescale ");
  put_text(v, v->timescale);
  put_text(v, " $end\n");
  put_scope(v, 0);
  put_text(v, "$enddefinitions $end\n");
  put_stamp(v);
  put_text(v, "$dumpvars\n");
  for (int i = 0; i < v->n_vars; i++) put_value(v, &v->var[i]);
  put_text(v, "$end\n");
}

/* ---- opening and declaring ------------------------------------------------------------------ */

static bool timescale_ok(const char *s) {
  size_t n = 0;
  if (s[n++] != '1') return false;
  while (n < 3 && s[n] == '0') n++;
  const char *u = s + n;
  return !strcmp(u, "s") || (strlen(u) == 2 && u[1] == 's' && strchr("munpf", u[0]));
}

static void free_all(vcd_t *v) {
  for (int i = 0; i < v->n_vars; i++) free(v->var[i].name);
  for (int i = 0; i < v->n_scopes; i++) free(v->scope[i].name);
  free(v->var);
  free(v->scope);
  free(v->words);
  free(v->buf);
  free(v->path);
  free(v);
}

/* Returns an array with room for one more element, doubled if full; NULL if out of memory (the old
 * array stays). */
static void *longer(void *array, int n, int *room, size_t size) {
  if (n < *room) return array;
  int more = *room ? *room * 2 : 16;
  void *p = realloc(array, (size_t)more * size);
  if (p) *room = more;
  return p;
}

/* Returns the index of the scope `name` (n characters) in `parent`, made if new; -1 if out of
 * memory. */
static int scope_of(vcd_t *v, int parent, const char *name, size_t n) {
  if (v->n_scopes) /* the top itself has no parent to search */
    for (int c = v->scope[parent].first_child; c != NONE; c = v->scope[c].next)
      if (strncmp(v->scope[c].name, name, n) == 0 && v->scope[c].name[n] == '\0') return c;
  scope_t *s = longer(v->scope, v->n_scopes, &v->scopes_room, sizeof *s);
  if (!s) return -1;
  v->scope = s;
  int id = v->n_scopes;
  s[id] = (scope_t){copy_text(name, n), parent, NONE, NONE, NONE, NONE, NONE};
  if (!s[id].name) return -1;
  v->n_scopes++;
  if (id) {
    if (s[parent].last_child != NONE)
      s[s[parent].last_child].next = id;
    else
      s[parent].first_child = id;
    s[parent].last_child = id;
  }
  return id;
}

int vcd_open(vcd_t **out, const char *path, const char *timescale, mrpb_err_t *err) {
  *out = NULL;
  if (!timescale_ok(timescale))
    return mrpb_fail(err, "%s: timescale \"%s\" is not 1, 10 or 100 of s, ms, us, ns, ps, fs", path,
                     timescale);
  vcd_t *v = calloc(1, sizeof *v);
  if (v) {
    v->buf = malloc(BUFFER_SIZE);
    v->path = copy_text(path, strlen(path));
    snprintf(v->timescale, sizeof v->timescale, "%s", timescale);
  }
  if (!v || !v->buf || !v->path || scope_of(v, 0, "", 0) < 0) {
    if (v) free_all(v);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  v->file = fopen(path, "wb");
  if (!v->file) {
    mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
    free_all(v);
    return -1;
  }
  setvbuf(v->file, NULL, _IONBF, 0); /* this writer has its own buffer */
  *out = v;
  return 0;
}

static int check_var(vcd_t *v, const char *name, unsigned width, mrpb_err_t *err) {
  if (v->failed) return mrpb_fail(err, "%s", v->err.text);
  if (v->have_time)
    return mrpb_fail(err, "%s: \"%s\" is declared after the first time", v->path, name);
  if (width < 1 || width > VCD_MAX_WIDTH)
    return mrpb_fail(err, "%s: \"%s\" has %u bits; legal are 1 to %d", v->path, name, width,
                     VCD_MAX_WIDTH);
  for (const char *p = name, *part = name;; p++) {
    if ((*p == '.' || *p == '\0') && p == part)
      return mrpb_fail(err, "%s: \"%s\" has an empty part", v->path, name);
    if (*p == '\0') return 0;
    if (*p <= ' ' || *p > '~')
      return mrpb_fail(err, "%s: \"%s\" has a character that is not legal", v->path, name);
    if (*p == '.') part = p + 1;
  }
}

static void set_code(var_t *var, int id) {
  int n = 0;
  do var->code[n++] = (char)('!' + id % 94);
  while ((id /= 94) > 0);
  var->code[n++] = '\n';
  var->code_len = (uint8_t)n;
}

static uint32_t hash_of(const char *s) {
  uint32_t h = UINT32_C(2166136261);
  for (; *s; s++) h = (h ^ (uint8_t)*s) * UINT32_C(16777619);
  return h;
}

/* Makes room for one variable and its words; false if out of memory. */
static bool reserve_var(vcd_t *v, unsigned width) {
  var_t *var = longer(v->var, v->n_vars, &v->vars_room, sizeof *var);
  if (!var) return false;
  v->var = var;
  size_t need = v->n_words + (width + 63) / 64;
  if (width > 64 && need > v->words_room) {
    uint64_t *w = realloc(v->words, 2 * need * sizeof *w);
    if (!w) return false;
    v->words = w;
    v->words_room = 2 * need;
  }
  return true;
}

int vcd_var(vcd_t *v, const char *full_name, unsigned width, vcd_kind_t kind, mrpb_err_t *err) {
  if (check_var(v, full_name, width, err)) return -1;
  int scope = 0;
  const char *part = full_name;
  for (const char *dot; scope >= 0 && (dot = strchr(part, '.')); part = dot + 1)
    scope = scope_of(v, scope, part, (size_t)(dot - part));
  if (scope < 0 || !reserve_var(v, width)) return mrpb_fail(err, "%s: out of memory", v->path);
  scope_t *s = &v->scope[scope];
  uint32_t hash = hash_of(part);
  for (int i = s->first_var; i != NONE; i = v->var[i].next)
    if (v->var[i].hash == hash && strcmp(v->var[i].name, part) == 0)
      return mrpb_fail(err, "%s: \"%s\" is declared twice", v->path, full_name);
  int id = v->n_vars;
  var_t *var = &v->var[id];
  *var = (var_t){.name = copy_text(part, strlen(part)),
                 .width = width,
                 .hash = hash,
                 .next = NONE,
                 .kind = kind};
  if (!var->name) return mrpb_fail(err, "%s: out of memory", v->path);
  set_code(var, id);
  if (width > 64) {
    var->wide = v->n_words;
    v->n_words += (width + 63) / 64;
  }
  if (s->last_var != NONE)
    v->var[s->last_var].next = id;
  else
    s->first_var = id;
  s->last_var = id;
  v->n_vars++;
  return id;
}

/* ---- changes -------------------------------------------------------------------------------- */

void vcd_time(vcd_t *v, uint64_t time) {
  if (!v->have_time) {
    v->have_time = true;
    v->time = time;
  }
  if (time == v->time) return;
  if (time < v->time) {
    if (!v->failed)
      mrpb_fail(&v->err, "%s: time goes back from %llu to %llu", v->path,
                (unsigned long long)v->time, (unsigned long long)time);
    v->failed = true;
    return;
  }
  put_dump(v);
  v->time = time;
  v->stamp_due = true;
}

static inline void put_change(vcd_t *v, const var_t *var) {
  if (!v->dumped) return;
  if (v->stamp_due) put_stamp(v);
  put_value(v, var);
}

void vcd_change(vcd_t *v, int id, uint64_t x) {
  var_t *var = &v->var[id];
  if (var->width > 64) {
    uint64_t w[VCD_MAX_WIDTH / 64] = {x};
    vcd_change_words(v, id, w);
    return;
  }
  x = bits(x, var->width);
  if (x == var->last && var->known) return;
  var->last = x;
  var->known = true;
  put_change(v, var);
}

void vcd_change_words(vcd_t *v, int id, const uint64_t *words) {
  var_t *var = &v->var[id];
  if (var->width <= 64) {
    vcd_change(v, id, words[0]);
    return;
  }
  uint64_t *last = v->words + var->wide;
  size_t n = (var->width + 63) / 64;
  bool equal = var->known;
  for (size_t i = 0; i < n; i++) {
    uint64_t x = i + 1 < n ? words[i] : bits(words[i], (var->width - 1) % 64 + 1);
    equal = equal && x == last[i];
    last[i] = x;
  }
  if (equal) return;
  var->known = true;
  put_change(v, var);
}

void vcd_change_bytes(vcd_t *v, int id, const void *bytes) {
  const uint8_t *b = bytes;
  uint64_t w[VCD_MAX_WIDTH / 64] = {0};
  size_t n = (v->var[id].width + 7) / 8;
  for (size_t i = 0; i < n; i++) w[i / 8] |= (uint64_t)b[i] << (i % 8 * 8);
  vcd_change_words(v, id, w);
}

void vcd_unknown(vcd_t *v, int id) {
  var_t *var = &v->var[id];
  if (!var->known) return;
  var->known = false;
  put_change(v, var);
}

/* ---- closing -------------------------------------------------------------------------------- */

bool vcd_failed(const vcd_t *v) {
  return v->failed;
}

int vcd_flush(vcd_t *v, mrpb_err_t *err) {
  v->have_time = true;
  put_dump(v);
  if (v->stamp_due) put_stamp(v);
  drain(v);
  return v->failed ? mrpb_fail(err, "%s", v->err.text) : 0;
}

int vcd_close(vcd_t *v, mrpb_err_t *err) {
  if (!v) return 0;
  int status = vcd_flush(v, err);
  if (fclose(v->file) && status == 0)
    status = mrpb_fail(err, "%s: cannot write: %s", v->path, strerror(errno));
  free_all(v);
  return status;
}
