/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an imported configuration as a file, and the table of options as a page: see
 * gpgpusim.h. */
#include "config/gpgpusim.h"
#include "config/gpgpusim_rows.h"

#include <string.h>

enum { VALUE = 64, WIDTH = 100, LONGEST = 190 /* a line of a configuration */ };

/* ---- the file -------------------------------------------------------------- */

static void write_key(FILE *out, const gpgpusim_t *m, unsigned i) {
  const gpgpusim_key_t *k = &m->key[i];
  char value[VALUE];
  config_print_value(&m->cfg, i, value, sizeof value);
  fprintf(out, "%-18s = %-8s #", config_key(i)->name, value);
  if (k->by_hand) fprintf(out, " --set%s", k->n ? "; not:" : "");
  for (unsigned n = 0; n < k->n; n++)
    fprintf(out, "%s line %u: %.60s", n ? "," : "", k->from[n]->line, k->from[n]->name);
  if (k->rounded && !k->by_hand) fprintf(out, ", rounded");
  fprintf(out, "%s\n", k->n || k->by_hand ? "" : " default: not in that file");
}

/* Writes a comment in lines of at most WIDTH characters if it has blanks, of LONGEST if it has
 * none. */
static void comment(FILE *out, const char *text) {
  for (const char *more = "# "; *text; more = "#     ") {
    size_t room = WIDTH - strlen(more), n = strlen(text);
    if (n > room) {
      for (n = room; n > 0 && text[n] != ' '; n--) continue;
      if (n == 0) n = strcspn(text, " ");
      if (n > LONGEST) n = LONGEST;
    }
    fprintf(out, "%s%.*s\n", more, (int)n, text);
    text += n + strspn(text + n, " ");
  }
}

static void write_rest(FILE *out, const gpgpusim_option_t *o) {
  char text[3 * GPGPUSIM_VALUE];
  if (o->mapped && !o->again && !o->rest) return;
  int n = snprintf(text, sizeof text, "line %u: %s %s", o->line, o->name, o->value);
  if (o->again)
    snprintf(text + n, sizeof text - (size_t)n, " -- line %u counts", o->again);
  else if (o->rest)
    snprintf(text + n, sizeof text - (size_t)n, " -- of it: %s", o->rest);
  comment(out, text);
}

void gpgpusim_write(FILE *out, const gpgpusim_t *m) {
  fprintf(out, "# Imported from a configuration of GPGPU-Sim: %.120s\n", m->path);
  for (unsigned i = 0; i < config_count(); i++)
    if (config_has(&m->cfg, i)) write_key(out, m, i);
  fputs("\n# What has no counterpart:\n", out);
  for (unsigned i = 0; i < m->file.n; i++) write_rest(out, &m->file.option[i]);
}

/* ---- the page -------------------------------------------------------------- */

/* Writes the field's group and place, both counted from 1. */
static void print_place(FILE *out, const gpgpusim_row_t *r) {
  if (r->prefix[0])
    fprintf(out, "`%s`", r->prefix);
  else if (r->place == GPGPUSIM_KIND)
    fputs("the letter", out);
  else
    fprintf(out, "%u.%u", r->group + 1, r->place + 1);
}

static void print_row(FILE *out, const gpgpusim_row_t *r) {
  const char *const key = config_key(r->key)->name;
  fprintf(out, "| `%s` | ", r->option);
  print_place(out, r);
  switch (r->how) {
  case GPGPUSIM_WORD:
    fprintf(out, " | `%s` | %s |", key, r->words);
    break;
  case GPGPUSIM_MUST:
    fprintf(out, " | (`%s`) | legal: %s |", key, r->words);
    break;
  case GPGPUSIM_SAME:
    fprintf(out, " | | ours: %s |", r->words);
    break;
  case GPGPUSIM_CLOCK:
    fprintf(out, " | `%s` | rounded |", key);
    break;
  case GPGPUSIM_NUMBER:
    fprintf(out, " | `%s` | ", key);
    if (r->per > 1) fprintf(out, "by %u ", r->per);
    fputc('|', out);
    break;
  }
  fprintf(out, " %s |\n", r->doc);
}

void gpgpusim_table(FILE *out) {
  fputs("| option | field | key | value | meaning |\n| --- | --- | --- | --- | --- |\n", out);
  for (unsigned i = 0; i < gpgpusim_n_rows; i++) print_row(out, &gpgpusim_rows[i]);
}
