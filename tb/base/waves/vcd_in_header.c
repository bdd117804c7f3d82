/* SPDX-License-Identifier: Apache-2.0 */
/* Reads value change dumps: the declarations. */
#include "base/waves/vcd_in_state.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

enum { TOP = 0, REF = 1024 };

static unsigned hash_of(const char *s) {
  uint32_t h = UINT32_C(2166136261);
  for (; *s; s++) h = (h ^ (uint8_t)*s) * UINT32_C(16777619);
  return h;
}

long vcd_in_find(const vcd_in_t *v, const char *code) {
  if (v->n_buckets == 0) return -1;
  for (unsigned i = v->bucket[hash_of(code) % v->n_buckets]; i; i = v->signal[i - 1].next)
    if (strcmp(v->signal[i - 1].code, code) == 0) return (long)i - 1;
  return -1;
}

static char *copy(const char *s) {
  char *p = malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}

/* Keeps about as many buckets as signals. */
static int rehash(vcd_in_t *v) {
  unsigned n = v->n_buckets ? 2 * v->n_buckets : 256;
  unsigned *bucket = calloc(n, sizeof *bucket);
  if (!bucket) return -1;
  for (unsigned i = 0; i < v->n_signals; i++) {
    unsigned *head = &bucket[hash_of(v->signal[i].code) % n];
    v->signal[i].next = *head;
    *head = i + 1;
  }
  free(v->bucket);
  v->bucket = bucket;
  v->n_buckets = n;
  return 0;
}

/* The number of the signal that has this code, new or known; -1 if out of memory. */
static long add_signal(vcd_in_t *v, const char *code, unsigned width, bool valued) {
  long known = vcd_in_find(v, code);
  if (known >= 0) return known;
  vcd_in_signal_t *s = grow(v->signal, v->n_signals + 1, &v->signals_room, sizeof *s);
  if (!s) return -1;
  v->signal = s;
  s += v->n_signals;
  *s = (vcd_in_signal_t){.code = copy(code), .width = width, .valued = valued};
  if (!s->code) return -1;
  v->n_signals++;
  if (v->n_signals > v->n_buckets) {
    if (rehash(v) != 0) return -1;
  } else {
    unsigned *head = &v->bucket[hash_of(code) % v->n_buckets];
    s->next = *head;
    *head = v->n_signals;
  }
  return (long)v->n_signals - 1;
}

/* Reads the next word of a declaration that began in `line`; -1 and a message at the end of the
 * file. */
static int need(vcd_in_t *v, unsigned long line, mrpb_err_t *err) {
  int rc = vcd_in_word(v, err);
  if (rc == 0)
    return vcd_in_fail(v, line, err, "the file ends within the declarations; it is cut off");
  return rc < 0 ? -1 : 0;
}

static int add_scope(vcd_in_t *v, unsigned parent, const char *path, mrpb_err_t *err) {
  vcd_in_scope_t *s = grow(v->scope, v->n_scopes + 1, &v->scopes_room, sizeof *s);
  if (!s) return mrpb_fail(err, "%s: out of memory", v->path);
  v->scope = s;
  s += v->n_scopes;
  *s = (vcd_in_scope_t){.path = copy(path), .parent = parent};
  if (!s->path) return mrpb_fail(err, "%s: out of memory", v->path);
  if (v->n_scopes != TOP) {
    unsigned *head = &v->scope_bucket[hash_of(path) % VCD_IN_SCOPES];
    s->next = *head;
    *head = v->n_scopes;
  }
  v->n_scopes++;
  return 0;
}

/* Enters a scope below *scope, either new or left before; a scope without a name is the scope
 * around it. */
static int enter(vcd_in_t *v, unsigned *scope, mrpb_err_t *err) {
  unsigned long line = v->word_line;
  char path[VCD_IN_PATH];
  if (need(v, line, err) != 0) return -1;
  if (strcmp(v->word, "$end") == 0) return vcd_in_fail(v, line, err, "a $scope without its kind");
  if (need(v, line, err) != 0) return -1;
  if (v->depth == VCD_IN_DEPTH)
    return vcd_in_fail(v, line, err, "more than %d scopes within each other", VCD_IN_DEPTH);
  v->around[v->depth++] = *scope;
  if (strcmp(v->word, "$end") == 0) return 0;
  const char *above = v->scope[*scope].path;
  int n = snprintf(path, sizeof path, "%s%s%s", above, above[0] ? "." : "", v->word);
  if (n < 0 || n >= VCD_IN_PATH)
    return vcd_in_fail(v, line, err, "the path of this scope is too long");
  unsigned found = v->scope_bucket[hash_of(path) % VCD_IN_SCOPES];
  while (found != TOP && strcmp(v->scope[found].path, path) != 0) found = v->scope[found].next;
  if (found == TOP) {
    found = v->n_scopes;
    if (add_scope(v, *scope, path, err) != 0) return -1;
  }
  *scope = found;
  return vcd_in_skip(v, "$scope", line, err);
}

/* Reads a decimal number at *text, which then points behind it. */
static bool number(const char **text, int32_t *value) {
  char *end = NULL;
  const char *digits = **text == '-' ? *text + 1 : *text;
  long n = *digits >= '0' && *digits <= '9' ? strtol(*text, &end, 10) : 0;
  if (!end || n > INT32_MAX || n < INT32_MIN) return false;
  *text = end;
  *value = (int32_t)n;
  return true;
}

/* Removes a range that fits the width from the end of the reference: "[7:0]", or "[3]" for a
 * bit. */
static void take_range(char *ref, vcd_in_var_t *var) {
  char *open = strrchr(ref, '[');
  if (!open || open == ref) return;
  const char *p = open + 1;
  int32_t msb, lsb;
  if (!number(&p, &msb)) return;
  lsb = msb;
  if (*p == ':') {
    p++;
    if (!number(&p, &lsb)) return;
  }
  int64_t width = (int64_t)msb - lsb;
  if (strcmp(p, "]") != 0 || (width < 0 ? -width : width) + 1 != (int64_t)var->width) return;
  var->ranged = true;
  var->msb = msb;
  var->lsb = lsb;
  *open = '\0';
}

static bool has_bits(const char *kind) {
  static const char *const others[] = {"real", "realtime", "shortreal", "string", "event"};
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(kind, others[i]) == 0) return false;
  return true;
}

/* Reads the rest of "$var wire 8 # data [7:0] $end", from the name on, without its white space. */
static int reference(vcd_in_t *v, unsigned long line, char ref[REF], mrpb_err_t *err) {
  size_t n = 0;
  for (;;) {
    if (need(v, line, err) != 0) return -1;
    if (strcmp(v->word, "$end") == 0) break;
    if (n + v->word_len >= REF)
      return vcd_in_fail(v, line, err, "a name of more than %d characters", REF - 1);
    strcpy(ref + n, v->word);
    n += v->word_len;
  }
  return n > 0 ? 0 : vcd_in_fail(v, line, err, "a $var without a name");
}

static int declare(vcd_in_t *v, unsigned scope, mrpb_err_t *err) {
  unsigned long line = v->word_line;
  char ref[REF], shown[VCD_IN_SHOWN];
  int32_t width;
  if (need(v, line, err) != 0) return -1;
  vcd_in_var_t var = {.scope = scope, .line = line, .valued = has_bits(v->word)};
  const bool port = strcmp(v->word, "port") == 0;
  if (need(v, line, err) != 0) return -1;
  const char *p = v->word;
  if (port && *p == '[') return vcd_in_extended(v, "$var port [", err);
  if (!number(&p, &width) || *p || width < 0 || width > VCD_IN_WORD)
    return vcd_in_fail(v, line, err, "'%s': a $var needs its number of bits, from 0 to %d",
                       vcd_in_shown(v->word, shown), VCD_IN_WORD);
  var.width = (unsigned)width;
  var.valued = var.valued && width > 0;
  if (need(v, line, err) != 0) return -1;
  if (strcmp(v->word, "$end") == 0) return vcd_in_fail(v, line, err, "a $var without a code");
  long id = add_signal(v, v->word, var.width, var.valued);
  if (id < 0) return mrpb_fail(err, "%s: out of memory", v->path);
  var.id = (unsigned)id;
  if (v->signal[id].width != var.width || v->signal[id].valued != var.valued)
    return vcd_in_fail(v, line, err, "'%s' is declared with %u bits, and elsewhere with %u",
                       vcd_in_shown(v->word, shown), var.width, v->signal[id].width);
  if (reference(v, line, ref, err) != 0) return -1;
  take_range(ref, &var);
  vcd_in_var_t *all = grow(v->var, v->n_vars + 1, &v->vars_room, sizeof *all);
  if (!all) return mrpb_fail(err, "%s: out of memory", v->path);
  v->var = all;
  /* Verilog's escaped names begin with a backslash that is not part of the name. */
  var.name = copy(ref[0] == '\\' && ref[1] ? ref + 1 : ref);
  if (!var.name) return mrpb_fail(err, "%s: out of memory", v->path);
  all[v->n_vars++] = var;
  return 0;
}

/* True at a word that follows the declarations of a file without $enddefinitions. */
static bool ends_header(const vcd_in_t *v) {
  return v->n_vars > 0 && (v->word[0] == '#' || strcmp(v->word, "$dumpvars") == 0 ||
                           strcmp(v->word, "$dumpall") == 0);
}

int vcd_in_header(vcd_in_t *v, mrpb_err_t *err) {
  unsigned scope = TOP;
  if (add_scope(v, TOP, "", err) != 0) return -1;
  for (int rc; (rc = vcd_in_word(v, err)) != 0;) {
    unsigned long line = v->word_line;
    char shown[VCD_IN_SHOWN];
    if (rc < 0) return -1;
    if (ends_header(v)) {
      v->held = true;
      return 0;
    }
    vcd_in_shown(v->word, shown);
    if (strcmp(v->word, "$end") == 0) continue; /* a scope without a name, from an FST */
    if (strcmp(v->word, "$scope") == 0) {
      rc = enter(v, &scope, err);
    } else if (strcmp(v->word, "$upscope") == 0) {
      if (v->depth == 0) return vcd_in_fail(v, line, err, "$upscope outside of every scope");
      scope = v->around[--v->depth];
      rc = vcd_in_skip(v, shown, line, err);
    } else if (strcmp(v->word, "$var") == 0) {
      rc = declare(v, scope, err);
    } else if (strcmp(v->word, "$enddefinitions") == 0) {
      return vcd_in_skip(v, shown, line, err);
    } else if (v->word[0] == '$') { /* $date, $version, $timescale, $comment or a tool's own */
      rc = vcd_in_skip(v, shown, line, err);
    } else {
      return vcd_in_fail(v, line, err, "'%s': a VCD file begins with declarations ($scope, $var)",
                         shown);
    }
    if (rc < 0) return -1;
  }
  return vcd_in_fail(v, v->line, err, "no $enddefinitions: the file is empty or cut off");
}
