/* SPDX-License-Identifier: Apache-2.0 */
/* Converts options of GPGPU-Sim to keys of this project: see gpgpusim.h. */
#include "config/gpgpusim.h"
#include "config/gpgpusim_rows.h"

#include "base/number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 64, TEXT = 24, WHERE = 360, REST = 500 };

/* A value split into its fields. */
typedef struct {
  unsigned group, place;
  char *text;
  bool used;
} field_t;

typedef struct {
  char text[GPGPUSIM_VALUE + 1];
  field_t field[MOST_FIELDS];
  unsigned n;
} split_t;

/* The future value of a key: a word, or a number as a product. */
typedef struct {
  char text[TEXT];
  uint64_t product, per;
} made_t;

typedef struct {
  gpgpusim_t *m;
  made_t made[KEYFILE_MAX_KEYS];
  const gpgpusim_option_t **last; /* for each row: the option that counts; NULL: not in the file */
  char where[WHERE];              /* the current option, for messages */
  char rest[REST];                /* the unmapped part of the current option */
} work_t;

/* ---- a value --------------------------------------------------------------- */

static char *trimmed(char *text) {
  text += strspn(text, " ");
  text[strcspn(text, " ")] = '\0';
  return text;
}

static int split(split_t *s, const gpgpusim_option_t *o, const char *where, mrpb_err_t *err) {
  unsigned group = 0, place = 0;
  char *at = strcpy(s->text, o->value), end;
  s->n = 0;
  do {
    if (s->n == MOST_FIELDS)
      return mrpb_fail(err, "%s: too many fields; legal: %d", where, MOST_FIELDS);
    char *from = at;
    at += strcspn(at, ":,;");
    end = *at;
    *at++ = '\0';
    s->field[s->n++] = (field_t){.group = group, .place = place, .text = trimmed(from)};
    group += end == ',' || end == ';';
    place = end == ':' ? place + 1 : 0;
  } while (end);
  if (s->n == 1 || !isalpha((unsigned char)s->field[0].text[0]) || s->field[0].text[1]) return 0;
  for (unsigned i = 1; i < s->n && s->field[i].group == 0; i++) s->field[i].place--;
  s->field[0].place = GPGPUSIM_KIND;
  return 0;
}

/* True if no field of the group has a name. */
static bool unnamed(const split_t *s, unsigned group) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->field[i].group == group && strchr(s->field[i].text, '=')) return false;
  return true;
}

/* The field of row `r`, and its text without the prefix; NULL if the value has no such field. */
static field_t *find(split_t *s, const gpgpusim_row_t *r, const char **text) {
  const size_t n = strlen(r->prefix);
  const bool named = n > 0 && (r->prefix[n - 1] != '=' || !unnamed(s, r->group));
  for (unsigned i = 0; i < s->n; i++) {
    field_t *f = &s->field[i];
    if (f->group != r->group) continue;
    if (named ? strncmp(f->text, r->prefix, n) != 0 : f->place != r->place) continue;
    *text = f->text + (named ? n : 0);
    return f;
  }
  return NULL;
}

/* Adds an unmapped part of an option, for the comment in the output. */
static void leave(work_t *w, const char *text, const char *doc, const char *ours) {
  const size_t at = strlen(w->rest);
  snprintf(w->rest + at, sizeof w->rest - at, doc ? "%s%s (%s; ours: %s)" : "%s%s", at ? ", " : "",
           text, doc, ours);
}

/* ---- rows ------------------------------------------------------------------ */

static bool is_number(const gpgpusim_row_t *r) {
  return r->how == GPGPUSIM_NUMBER || r->how == GPGPUSIM_CLOCK;
}

/* True if the option of the key's first row is in the file. */
static bool begun(const work_t *w, unsigned key) {
  for (unsigned i = 0; i < gpgpusim_n_rows; i++)
    if (is_number(&gpgpusim_rows[i]) && gpgpusim_rows[i].key == key) return w->last[i];
  return true;
}

static int take_number(work_t *w, const gpgpusim_row_t *r, const char *text, mrpb_err_t *err) {
  made_t *k = &w->made[r->key];
  char whole[TEXT], legal[64];
  const char *point = r->how == GPGPUSIM_CLOCK ? strchr(text, '.') : NULL;
  uint64_t v = 0;
  const size_t digits = point ? (size_t)(point - text) : strlen(text);
  snprintf(whole, sizeof whole, "%.*s", digits < TEXT ? (int)digits : 0, text);
  if (!number_decimal(whole, UINT32_MAX, &v) ||
      (point && point[1 + strspn(point + 1, "0123456789")])) {
    const keyfile_key_t key = keyfile_key(&config_table, config_values(&w->m->cfg), r->key);
    keyfile_print_legal(&key, legal, sizeof legal);
    return mrpb_fail(err, "%s: '%.40s' is not a number for %s; legal: %s", w->where, text,
                     config_key(r->key)->name, legal);
  }
  if (point) {
    v += point[1] >= '5';
    w->m->key[r->key].rounded = point[1 + strspn(point + 1, "0")];
  }
  if (!k->per) k->product = k->per = 1;
  k->per *= r->per;
  k->product = k->product > UINT32_MAX ? k->product : k->product * v;
  return 0;
}

static int take_word(work_t *w, const gpgpusim_row_t *r, const char *text, mrpb_err_t *err) {
  const size_t n = strlen(text);
  char legal[128] = "";
  for (const char *at = r->words; *at; at += strspn(at, " ")) {
    const size_t name = strcspn(at, "="), all = strcspn(at, " "), used = strlen(legal);
    if (name == n && strncmp(at, text, n) == 0) {
      snprintf(w->made[r->key].text, TEXT, "%.*s", (int)(all - name - 1), at + name + 1);
      return 0;
    }
    snprintf(legal + used, sizeof legal - used, "%s%.*s", used ? ", " : "", (int)name, at);
    at += all;
  }
  return mrpb_fail(err, "%s: '%.40s' for %s; legal: %s", w->where, text, config_key(r->key)->name,
                   legal);
}

static void comes_from(gpgpusim_key_t *k, const gpgpusim_option_t *o) {
  for (unsigned i = 0; i < k->n; i++)
    if (k->from[i] == o) return;
  if (k->n < GPGPUSIM_SOURCES) k->from[k->n++] = o;
}

static int take_row(work_t *w, const gpgpusim_row_t *r, split_t *s, const gpgpusim_option_t *o,
                    mrpb_err_t *err) {
  const char *text = NULL;
  field_t *f = find(s, r, &text);
  if (!f || (is_number(r) && !begun(w, r->key))) return 0;
  f->used = true;
  if (r->how == GPGPUSIM_SAME) {
    if (strcmp(text, r->words) != 0) leave(w, text, r->doc, r->words);
    return 0;
  }
  gpgpusim_key_t *k = &w->m->key[r->key];
  if (r->how != GPGPUSIM_MUST) comes_from(k, o);
  if (k->by_hand) return 0;
  if (r->how == GPGPUSIM_WORD) return take_word(w, r, text, err);
  if (r->how != GPGPUSIM_MUST) return take_number(w, r, text, err);
  if (strcmp(text, r->words) == 0) return 0;
  return mrpb_fail(err, "%s: %.40s %s (%s); legal: %s", w->where, text, r->doc,
                   config_key(r->key)->name, r->words);
}

/* ---- options --------------------------------------------------------------- */

static void say_where(work_t *w, const gpgpusim_option_t *o) {
  snprintf(w->where, sizeof w->where, "%.160s:%u: %.60s %.100s", w->m->path, o->line, o->name,
           o->value);
}

static int take_option(work_t *w, gpgpusim_option_t *o, mrpb_err_t *err) {
  split_t s;
  w->rest[0] = '\0';
  say_where(w, o);
  if (split(&s, o, w->where, err) != 0) return -1;
  for (unsigned i = 0; i < gpgpusim_n_rows; i++)
    if (w->last[i] == o && take_row(w, &gpgpusim_rows[i], &s, o, err) != 0) return -1;
  for (unsigned i = 0; i < s.n; i++)
    if (!s.field[i].used) leave(w, s.field[i].text, NULL, NULL);
  if (!w->rest[0]) return 0;
  o->rest = strdup(w->rest);
  return o->rest ? 0 : mrpb_fail(err, "out of memory");
}

/* For each row the last matching option counts. */
static void find_last(work_t *w) {
  gpgpusim_file_t *f = &w->m->file;
  for (unsigned i = 0; i < f->n; i++)
    for (unsigned r = 0; r < gpgpusim_n_rows; r++) {
      gpgpusim_option_t *o = &f->option[f->n - 1 - i];
      if (strcmp(gpgpusim_rows[r].option, gpgpusim_now(o->name)) != 0) continue;
      o->mapped = true;
      if (!w->last[r]) w->last[r] = o;
      if (w->last[r] != o) o->again = w->last[r]->line;
    }
}

static int take_options(work_t *w, mrpb_err_t *err) {
  gpgpusim_file_t *f = &w->m->file;
  unsigned taken = 0;
  find_last(w);
  for (unsigned i = 0; i < f->n; i++) {
    if (!f->option[i].mapped || f->option[i].again) continue;
    taken++;
    if (take_option(w, &f->option[i], err) != 0) return -1;
  }
  if (taken) return 0;
  return mrpb_fail(err, "%s: no option that has a counterpart; legal: a gpgpusim.config",
                   w->m->path);
}

/* ---- keys ------------------------------------------------------------------ */

static int make_key(work_t *w, unsigned key, mrpb_err_t *err) {
  made_t *k = &w->made[key];
  const gpgpusim_key_t *from = &w->m->key[key];
  if (from->n == 0 || from->by_hand) return 0;
  say_where(w, from->from[0]);
  if (k->per) {
    if (k->product % k->per)
      return mrpb_fail(err, "%s: %s = %" PRIu64 " / %" PRIu64 "; legal: a multiple of %" PRIu64,
                       w->where, config_key(key)->name, k->product, k->per, k->per);
    snprintf(k->text, sizeof k->text, "%" PRIu64, k->product / k->per);
  }
  return keyfile_store(&config_table, (uint32_t *)(void *)&w->m->cfg, key, k->text, w->where, err);
}

/* Checks what a single key cannot express. The message begins with the key, and with its line if
 * the file gives it. */
static int check(work_t *w, mrpb_err_t *err) {
  mrpb_err_t why = {""};
  if (config_check(&w->m->cfg, "", &why) == 0) return 0;
  const char *text = why.text + 2;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
  const int key = keyfile_find(&config_table, name);
  const bool given = key >= 0 && w->m->key[key].n && !w->m->key[key].by_hand;
  snprintf(w->where, sizeof w->where, "%.200s", w->m->path);
  if (given) say_where(w, w->m->key[key].from[0]);
  return mrpb_fail(err, "%s: %s", w->where, text);
}

static int set_by_hand(gpgpusim_t *m, const char *assignment, mrpb_err_t *err) {
  char name[64];
  if (config_set(&m->cfg, assignment, err) != 0) return -1;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
  m->key[keyfile_find(&config_table, name)].by_hand = true;
  return 0;
}

static int take_all(work_t *w, mrpb_err_t *err) {
  if (take_options(w, err) != 0) return -1;
  for (unsigned i = 0; i < config_count(); i++)
    if (make_key(w, i, err) != 0) return -1;
  return check(w, err);
}

int gpgpusim_import(gpgpusim_t *m, const char *path, const char *const *set, unsigned n_set,
                    mrpb_err_t *err) {
  *m = (gpgpusim_t){.path = path};
  config_defaults(&m->cfg);
  for (unsigned i = 0; i < n_set; i++)
    if (set_by_hand(m, set[i], err) != 0) return -1;
  if (gpgpusim_read(&m->file, path, err) != 0) return -1;
  work_t w = {.m = m, .last = calloc(gpgpusim_n_rows, sizeof(gpgpusim_option_t *))};
  const int rc = w.last ? take_all(&w, err) : mrpb_fail(err, "out of memory");
  free(w.last);
  return rc;
}
