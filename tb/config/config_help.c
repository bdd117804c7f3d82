/* What the key table says, for people: help-config, docs/config.md, complete files; and its hash.
 */
#include "config/config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 128 };

void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size) {
  const config_key_t *k = config_key(i);
  uint32_t v = config_value(cfg, i);
  if (!k->words) {
    snprintf(text, size, "%" PRIu32, v);
    return;
  }
  const char *w = k->words;
  for (; v > 0 && strchr(w, '|'); v--) w = strchr(w, '|') + 1;
  snprintf(text, size, "%.*s", (int)strcspn(w, "|"), w);
}

static int by_name(const void *a, const void *b) {
  const unsigned *x = a, *y = b;
  return strcmp(config_key(*x)->name, config_key(*y)->name);
}

uint64_t config_hash(const config_t *cfg) {
  unsigned order[MAX_KEYS], n = config_count();
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (unsigned i = 0; i < n; i++) order[i] = i;
  qsort(order, n, sizeof *order, by_name);
  for (unsigned i = 0; i < n; i++) {
    char value[64], line[160];
    config_print_value(cfg, order[i], value, sizeof value);
    snprintf(line, sizeof line, "%s=%s\n", config_key(order[i])->name, value);
    for (const char *c = line; *c; c++) {
      h ^= (unsigned char)*c;
      h *= UINT64_C(0x100000001b3);
    }
  }
  return h;
}

static void print_legal(const config_key_t *k, char *text, size_t size) {
  if (k->words)
    snprintf(text, size, "%s", k->words);
  else
    snprintf(text, size, "%" PRIu32 " to %" PRIu32, k->min, k->max);
}

static void help_markdown(FILE *out, const config_t *deflt) {
  fputs("# Configuration keys\n\n"
        "Made from `tb/config/table.def` by `build/mrpb help-config --markdown`. A file in "
        "`configs/` is flat:\n"
        "`KEY = value`, `#` starts a comment, every key exactly once. The default is the value of "
        "Base-S\n"
        "(Table 1 of the MRPB paper; the rest from GPGPU-Sim 3.2.0's TeslaC2050). A key that "
        "drives a Verilog\n"
        "parameter names it.\n\n"
        "| key | legal | default | unit | Verilog | meaning |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        out);
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    char value[64], legal[128];
    config_print_value(deflt, i, value, sizeof value);
    print_legal(k, legal, sizeof legal);
    for (char *c = legal; *c; c++)
      if (*c == '|') *c = ',';
    fprintf(out, "| `%s` | %s | %s | %s | %s%s%s | %s |\n", k->name, legal, value, k->unit,
            k->verilog[0] ? "`" : "", k->verilog, k->verilog[0] ? "`" : "", k->doc);
  }
}

static void help_text(FILE *out, const config_t *deflt) {
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    char value[64], legal[128];
    config_print_value(deflt, i, value, sizeof value);
    print_legal(k, legal, sizeof legal);
    fprintf(out, "%-18s %s%s%s (%s)%s%s\n                   %s\n", k->name, legal,
            k->unit[0] ? " " : "", k->unit, value, k->verilog[0] ? ", drives " : "", k->verilog,
            k->doc);
  }
}

void config_help(FILE *out, int markdown) {
  config_t deflt;
  config_defaults(&deflt);
  if (markdown)
    help_markdown(out, &deflt);
  else
    help_text(out, &deflt);
}

void config_dump(FILE *out, const config_t *cfg, const char *title) {
  fprintf(out, "# %s\n", title);
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    char value[64];
    config_print_value(cfg, i, value, sizeof value);
    fprintf(out, "%-18s = %-8s # %s%s%s%s\n", k->name, value, k->unit, k->unit[0] ? "; " : "",
            k->doc, "");
  }
}
