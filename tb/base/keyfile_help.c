/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a table of keys for people: help and complete files; and the hash of its values. */
#include "base/keyfile.h"

#include "base/hash.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void print_one(const keyfile_key_t *k, uint32_t left, char *text, size_t size) {
  if (!k->words) {
    snprintf(text, size, "%" PRIu32, left);
    return;
  }
  const char *w = k->words;
  for (; left > 0 && strchr(w, '|'); left--) w = strchr(w, '|') + 1;
  snprintf(text, size, "%.*s", (int)strcspn(w, "|"), w);
}

void keyfile_print_value(const key_table_t *t, const uint32_t *v, unsigned i, char *text,
                         size_t size) {
  print_one(&t->keys[i], v[i], text, size);
}

uint64_t keyfile_hash(const key_table_t *t, const uint32_t *v) {
  unsigned order[KEYFILE_MAX_KEYS];
  uint64_t h = HASH_START;
  for (unsigned i = 0; i < t->n; i++) {
    unsigned at = i;
    for (; at > 0 && strcmp(t->keys[order[at - 1]].name, t->keys[i].name) > 0; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (unsigned i = 0; i < t->n; i++) {
    char value[64], line[160];
    if (!keyfile_has(t, v, order[i]) || (t->hashed && !t->hashed(v, order[i]))) continue;
    keyfile_print_value(t, v, order[i], value, sizeof value);
    snprintf(line, sizeof line, "%s=%s\n", t->keys[order[i]].name, value);
    h = hash_bytes(h, line, strlen(line));
  }
  return h;
}

void keyfile_print_legal(const keyfile_key_t *k, char *text, size_t size) {
  if (k->words)
    snprintf(text, size, "%s", k->words);
  else
    snprintf(text, size, "%" PRIu32 " to %" PRIu32, k->min, k->max);
}

/* Appends what a key has with other parts: "; in-order cores: 1 to 128". */
static void print_with(const key_table_t *t, unsigned i, bool legal, char *text, size_t size) {
  const keyfile_key_t *k = &t->keys[i];
  for (unsigned n = 0; n < t->n_with; n++) {
    const keyfile_with_t *w = &t->with[n];
    char parts[64], value[64];
    size_t at = strlen(text);
    if (w->key != i ||
        (legal ? k->words || (w->min == k->min && w->max == k->max) : w->deflt == k->deflt))
      continue;
    keyfile_key_t with = *k;
    with.min = w->min, with.max = w->max;
    if (legal)
      keyfile_print_legal(&with, value, sizeof value);
    else
      print_one(k, w->deflt, value, sizeof value);
    keyfile_print_parts(t, w->has, parts, sizeof parts);
    snprintf(text + at, size - at, "; %s: %s", parts, value);
  }
}

enum { ROW_TEXT = 128 };

/* The default and the legal values of a key, with any parts. */
static void print_both(const key_table_t *t, unsigned i, char value[ROW_TEXT],
                       char legal[ROW_TEXT]) {
  const keyfile_key_t *k = &t->keys[i];
  print_one(k, k->deflt, value, ROW_TEXT);
  print_with(t, i, false, value, ROW_TEXT);
  keyfile_print_legal(k, legal, ROW_TEXT);
  print_with(t, i, true, legal, ROW_TEXT);
}

static void row_markdown(const key_table_t *t, unsigned i, FILE *out) {
  const keyfile_key_t *k = &t->keys[i];
  char value[ROW_TEXT], legal[ROW_TEXT];
  print_both(t, i, value, legal);
  for (char *c = legal; *c; c++)
    if (*c == '|') *c = ',';
  fprintf(out, "| `%s` | %s | %s | %s | %s%s%s | %s |\n", k->name, legal, value, k->unit,
          k->verilog[0] ? "`" : "", k->verilog, k->verilog[0] ? "`" : "", k->doc);
}

static void row_text(const key_table_t *t, unsigned i, FILE *out) {
  const keyfile_key_t *k = &t->keys[i];
  char value[ROW_TEXT], legal[ROW_TEXT];
  print_both(t, i, value, legal);
  fprintf(out, "%-18s %s%s%s (%s)%s%s\n                   %s\n", k->name, legal,
          k->unit[0] ? " " : "", k->unit, value, k->verilog[0] ? ", drives " : "", k->verilog,
          k->doc);
}

/* The keys with the same `has` as key `first`, under a title. */
static void section(const key_table_t *t, unsigned first, FILE *out, int markdown) {
  const unsigned has = t->keys[first].has;
  char title[64];
  keyfile_print_parts(t, has, title, sizeof title);
  if (markdown)
    fprintf(out,
            "%s## %c%s\n\n| key | legal | default | unit | Verilog | meaning |\n"
            "| --- | --- | --- | --- | --- | --- |\n",
            first ? "\n" : "", toupper((unsigned char)title[0]), title + 1);
  else
    fprintf(out, "%s%s\n\n", first ? "\n" : "", title);
  for (unsigned i = first; i < t->n; i++)
    if (t->keys[i].has == has) (markdown ? row_markdown : row_text)(t, i, out);
}

void keyfile_help(const key_table_t *t, FILE *out, int markdown) {
  for (unsigned i = 0; i < t->n; i++) {
    bool before = false;
    for (unsigned n = 0; n < i; n++) before |= t->keys[n].has == t->keys[i].has;
    if (!before) section(t, i, out, markdown);
  }
}

void keyfile_dump(const key_table_t *t, FILE *out, const uint32_t *v, const char *title) {
  fprintf(out, "# %s\n", title);
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t *k = &t->keys[i];
    char value[64];
    if (!keyfile_has(t, v, i)) continue;
    keyfile_print_value(t, v, i, value, sizeof value);
    fprintf(out, "%-18s = %-8s # %s%s%s\n", k->name, value, k->unit, k->unit[0] ? "; " : "",
            k->doc);
  }
}
