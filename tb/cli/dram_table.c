/* SPDX-License-Identifier: Apache-2.0 */
/* The table of docs/memory/dram.md: see dram_table.h. */
#include "cli/dram_table.h"
#include "cli/cli.h"
#include "base/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATORS = 4, PATTERNS = 16, NAME = 40 };

typedef struct {
  char simulator[SIMULATORS][NAME];
  unsigned n;
  struct {
    uint64_t cycles; /* 0: no such figure */
    char hits[NAME];
  } of[PATTERNS][SIMULATORS];
} figures_t;

static unsigned pattern_index(const char *name) {
  unsigned i = 0;
  while (dram_pattern_name(i) && strcmp(dram_pattern_name(i), name) != 0) i++;
  return dram_pattern_name(i) ? i : PATTERNS;
}

static unsigned simulator_index(figures_t *f, const char *name) {
  unsigned i = 0;
  while (i < f->n && strcmp(f->simulator[i], name) != 0) i++;
  if (i == f->n && i < SIMULATORS) snprintf(f->simulator[f->n++], NAME, "%s", name);
  return i;
}

static int parse(figures_t *f, const char *line, mrpb_err_t *err) {
  char pattern[NAME], simulator[NAME], hits[NAME], end;
  uint64_t cycles;
  if (line[0] == '\0' || line[0] == '#') return 0;
  if (sscanf(line, "%39[a-z-],%39[^,],%" SCNu64 ",%39[0-9.]%c", pattern, simulator, &cycles, hits,
             &end) != 4 ||
      cycles == 0 || pattern_index(pattern) == PATTERNS)
    return mrpb_fail(err, "'%.60s'; legal: a pattern's name, a simulator, cycles, row hits in %%",
                     line);
  unsigned s = simulator_index(f, simulator);
  if (s == SIMULATORS) return mrpb_fail(err, "legal: at most %d simulators", SIMULATORS);
  f->of[pattern_index(pattern)][s].cycles = cycles;
  snprintf(f->of[pattern_index(pattern)][s].hits, NAME, "%s", hits);
  return 0;
}

static int read_figures(figures_t *f, const char *path, mrpb_err_t *err) {
  lines_t *l;
  const char *line;
  int rc;
  if (lines_open(&l, path, err) != 0) return -1;
  while ((rc = lines_next(l, &line, err)) > 0) {
    mrpb_err_t why = {{0}};
    if (parse(f, line, &why) == 0) continue;
    rc = mrpb_fail(err, "%s:%lu: %s", path, lines_number(l), why.text);
    break;
  }
  lines_close(l);
  return rc;
}

/* Measures and prints a pattern with one order of commands. */
static int cell(FILE *out, const char *pattern, const dram_cfg_t *dram, const dram_map_t *map,
                uint32_t bytes, uint64_t requests, bool (*stop)(void), mrpb_err_t *err) {
  dram_source_t *from;
  dram_replay_t r;
  if (dram_source_pattern(&from, pattern, requests, err) != 0) return -1;
  dram_replay_end_t end = dram_replay(&r, dram, map, bytes, from, stop, err);
  dram_source_close(from);
  if (end == DRAM_REPLAY_STOPPED) return CLI_INTERRUPTED;
  if (end == DRAM_REPLAY_FAILED) return -1;
  fprintf(out, " %" PRIu64 ", %.2f %% |", r.cycles, 100.0 * (double)r.hits / (double)r.requests);
  return 0;
}

static int rows(FILE *out, const figures_t *f, const dram_cfg_t *dram, const dram_map_t *map,
                uint32_t bytes, uint64_t requests, bool (*stop)(void), mrpb_err_t *err) {
  fprintf(out, "| pattern | requests | here | here, `--columns-first` |");
  for (unsigned s = 0; s < f->n; s++) fprintf(out, " %s |", f->simulator[s]);
  fprintf(out, "\n| --- | --- | --- | --- |");
  for (unsigned s = 0; s < f->n; s++) fprintf(out, " --- |");
  fprintf(out, "\n");
  for (unsigned i = 0; dram_pattern_name(i); i++) {
    fprintf(out, "| `%s` | %s |", dram_pattern_name(i), dram_pattern_doc(i));
    for (uint32_t first = 0; first < 2; first++) {
      dram_cfg_t c = *dram;
      c.columns_first = first;
      int rc = cell(out, dram_pattern_name(i), &c, map, bytes, requests, stop, err);
      if (rc != 0) return rc;
    }
    for (unsigned s = 0; s < f->n; s++) {
      if (f->of[i][s].cycles)
        fprintf(out, " %" PRIu64 ", %s %% |", f->of[i][s].cycles, f->of[i][s].hits);
      else
        fprintf(out, " |");
    }
    fprintf(out, "\n");
  }
  return 0;
}

int dram_table(FILE *out, const char *figures, const dram_cfg_t *dram, const dram_map_t *map,
               uint32_t bytes, uint64_t requests, bool (*stop)(void), mrpb_err_t *err) {
  figures_t *f = calloc(1, sizeof *f);
  if (!f) return mrpb_fail(err, "out of memory");
  int rc = read_figures(f, figures, err);
  if (rc == 0) rc = rows(out, f, dram, map, bytes, requests, stop, err);
  free(f);
  return rc;
}
