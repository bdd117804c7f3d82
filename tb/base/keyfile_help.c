/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a table of keys for people: help and complete files; and the hash of its values. */
#include "base/keyfile.h"

#include "base/hash.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void keyfile_print_value(const key_table_t *t, const uint32_t *v, unsigned i, char *text,
                         size_t size) {
  const keyfile_key_t *k = &t->keys[i];
  uint32_t left = v[i];
  if (!k->words) {
    snprintf(text, size, "%" PRIu32, left);
    return;
  }
  const char *w = k->words;
  for (; left > 0 && strchr(w, '|'); left--) w = strchr(w, '|') + 1;
  snprintf(text, size, "%.*s", (int)strcspn(w, "|"), w);
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
    if (t->hashed && !t->hashed(v, order[i])) continue;
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

static void help_markdown(const key_table_t *t, FILE *out, const uint32_t *deflt) {
  fprintf(out,
          "## %c%s\n\nFrom `%s`; the defaults are %s.\n\n"
          "| key | legal | default | unit | Verilog | meaning |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          toupper((unsigned char)t->title[0]), t->title + 1, t->from, t->values);
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t *k = &t->keys[i];
    char value[64], legal[128];
    keyfile_print_value(t, deflt, i, value, sizeof value);
    keyfile_print_legal(k, legal, sizeof legal);
    for (char *c = legal; *c; c++)
      if (*c == '|') *c = ',';
    fprintf(out, "| `%s` | %s | %s | %s | %s%s%s | %s |\n", k->name, legal, value, k->unit,
            k->verilog[0] ? "`" : "", k->verilog, k->verilog[0] ? "`" : "", k->doc);
  }
}

static void help_text(const key_table_t *t, FILE *out, const uint32_t *deflt) {
  fprintf(out, "%s\n\n", t->title);
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t *k = &t->keys[i];
    char value[64], legal[128];
    keyfile_print_value(t, deflt, i, value, sizeof value);
    keyfile_print_legal(k, legal, sizeof legal);
    fprintf(out, "%-18s %s%s%s (%s)%s%s\n                   %s\n", k->name, legal,
            k->unit[0] ? " " : "", k->unit, value, k->verilog[0] ? ", drives " : "", k->verilog,
            k->doc);
  }
}

void keyfile_help(const key_table_t *t, FILE *out, int markdown) {
  uint32_t deflt[KEYFILE_MAX_KEYS];
  keyfile_defaults(t, deflt);
  if (markdown)
    help_markdown(t, out, deflt);
  else
    help_text(t, out, deflt);
}

void keyfile_dump(const key_table_t *t, FILE *out, const uint32_t *v, const char *title) {
  fprintf(out, "# %s\n", title);
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t *k = &t->keys[i];
    char value[64];
    keyfile_print_value(t, v, i, value, sizeof value);
    fprintf(out, "%-18s = %-8s # %s%s%s\n", k->name, value, k->unit, k->unit[0] ? "; " : "",
            k->doc);
  }
}
