/* SPDX-License-Identifier: Apache-2.0 */
/* Crosses: the list of them, cross_NAME of each module NAME that has a file here; their names, reasons
 * and counts. */
#include "cosim/cross/cross.h"

#include <inttypes.h>
#include <string.h>

#define MODULE_STEM(stem) extern const cross_class_t cross_##stem;
#include "crosses.def"
#undef MODULE_STEM

const cross_class_t *cross_class(const char *stem) {
  static const cross_class_t *const all[] = {
#define MODULE_STEM(stem) &cross_##stem,
#include "crosses.def"
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->stem, stem) == 0) return all[i];
  return NULL;
}

static unsigned values(const cross_axis_t *axis) {
  unsigned n = 0;
  while (axis->name && axis->values[n]) n++;
  return n > 0 ? n : 1;
}

unsigned cross_cells(const cross_t *cross) {
  unsigned n = 1;
  for (unsigned a = 0; a < CROSS_AXES; a++) n *= values(&cross->axes[a]);
  return n;
}

/* The names of a cell's values, one for each axis. */
static void split(const cross_t *cross, unsigned cell, const char *names[CROSS_AXES]) {
  for (unsigned a = CROSS_AXES; a-- > 0;) {
    const cross_axis_t *axis = &cross->axes[a];
    unsigned n = values(axis);
    names[a] = axis->name ? axis->values[cell % n] : NULL;
    cell /= n;
  }
}

void cross_cell_name(const cross_t *cross, unsigned cell, char text[CROSS_TEXT]) {
  const char *names[CROSS_AXES];
  size_t n = 0;
  split(cross, cell, names);
  text[0] = '\0';
  for (unsigned a = 0; a < CROSS_AXES && names[a] && n < CROSS_TEXT; a++)
    n += (size_t)snprintf(text + n, CROSS_TEXT - n, "%s%s", a ? ", " : "", names[a]);
}

bool cross_matches(const char *pattern, const char *const names[CROSS_AXES]) {
  for (unsigned a = 0; a < CROSS_AXES && names[a]; a++) {
    size_t n = strcspn(pattern, ","), m = strlen(names[a]);
    bool fits = n == 1 && pattern[0] == '*';
    for (size_t at = 0; at < n && !fits;) {
      size_t k = strcspn(pattern + at, "|,");
      fits = k == m && memcmp(pattern + at, names[a], m) == 0;
      at += k + 1;
    }
    if (!fits) return false;
    pattern += n + (pattern[n] == ',');
    pattern += strspn(pattern, " ");
  }
  return true;
}

void cross_print_pattern(const char *pattern, FILE *out) {
  for (const char *c = pattern; *c; c++)
    if (*c == '|')
      fprintf(out, " or ");
    else if (*c == '*')
      fprintf(out, "any");
    else
      fputc(*c, out);
}

const char *cross_reason(const cross_class_t *cls, const cross_t *cross, unsigned cell) {
  const char *names[CROSS_AXES];
  split(cross, cell, names);
  for (unsigned g = 0; g < cls->n_gaps; g++)
    if (strcmp(cls->gaps[g].cross, cross->name) == 0 && cross_matches(cls->gaps[g].cells, names))
      return cls->gaps[g].reason;
  return NULL;
}

void cross_count(const cross_class_t *cls, cross_counts_t *counts, const cross_cycle_t *c) {
  cross_values_t value = {{0}};
  for (unsigned i = 0; i < cls->n; i++) value[i][0] = CROSS_NONE;
  cls->sample(c, value);
  for (unsigned i = 0; i < cls->n; i++) {
    unsigned cell = 0;
    if (value[i][0] == CROSS_NONE) continue;
    for (unsigned a = 0; a < CROSS_AXES; a++)
      cell = cell * values(&cls->crosses[i].axes[a]) + (unsigned)value[i][a];
    counts->count[i][cell]++;
  }
}

void cross_print(const cross_class_t *cls, const cross_counts_t *counts, FILE *out) {
  for (unsigned i = 0; i < cls->n; i++) {
    const cross_t *cross = &cls->crosses[i];
    fprintf(out, "  cross %s: %s (", cross->name, cross->doc);
    for (unsigned a = 0; a < CROSS_AXES && cross->axes[a].name; a++)
      fprintf(out, "%s%s", a ? " x " : "", cross->axes[a].name);
    fprintf(out, ")\n");
    for (unsigned cell = 0; cell < cross_cells(cross); cell++) {
      char name[CROSS_TEXT];
      const char *reason = cross_reason(cls, cross, cell);
      cross_cell_name(cross, cell, name);
      fprintf(out, "    %12" PRIu64 "  %s%s%s%s\n", counts->count[i][cell], name,
              reason ? " (cannot be: " : "", reason ? reason : "", reason ? ")" : "");
    }
  }
}
