/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and points, each stored once: see sweep.h. */
#include "studies/sweep/sweep.h"

#include "base/grow.h"
#include "base/hash.h"
#include "cosim/lockstep/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256, QUOTED = 4096 };

void sweep_hash_text(uint64_t hash, char text[SWEEP_HASH]) {
  snprintf(text, SWEEP_HASH, "%016" PRIx64, hash);
}

uint64_t sweep_words_hash(const char *const *word, unsigned n) {
  uint64_t hash = HASH_START;
  for (unsigned i = 0; i < n; i++) hash = hash_text(hash, word[i]);
  return hash;
}

/* ---- programs ---------------------------------------------------------------------------------- */

static void free_program(sweep_program_t *p) {
  for (unsigned i = 0; p->word && i < p->n_words; i++) free(p->word[i]);
  free(p->word);
  free(p->name);
  free(p->options);
}

static char *quoted(const char *const *word, unsigned n) {
  char part[QUOTED];
  size_t size = 1, at = 0;
  for (unsigned i = 0; i < n; i++) {
    report_quote(word[i], part, sizeof part);
    size += strlen(part) + 1;
  }
  char *text = calloc(1, size);
  for (unsigned i = 0; text && i < n; i++) {
    report_quote(word[i], part, sizeof part);
    at += (size_t)snprintf(text + at, size - at, "%s%s", i ? " " : "", part);
  }
  return text;
}

int sweep_list_program(sweep_list_t *l, const char *name, const char *const *word, unsigned n,
                       bool cut, uint64_t hash, mrpb_err_t *err) {
  for (size_t i = 0; i < l->n_programs; i++)
    if (l->program[i].hash == hash) return (int)i;
  sweep_program_t *p = grow(l->program, l->n_programs + 1, &l->room_programs, sizeof *p);
  if (!p) return mrpb_fail(err, "out of memory for a program");
  l->program = p;
  p += l->n_programs;
  *p = (sweep_program_t){.name = strdup(name),
                         .options = quoted(word, n),
                         .word = calloc(n + 1, sizeof *p->word),
                         .n_words = n,
                         .cut = cut,
                         .hash = hash};
  bool good = p->name && p->options && p->word;
  for (unsigned i = 0; good && i < n; i++) good = (p->word[i] = strdup(word[i])) != NULL;
  if (good) return (int)l->n_programs++;
  free_program(p);
  return mrpb_fail(err, "out of memory for a program");
}

/* ---- points ------------------------------------------------------------------------------------ */

static size_t *find_slot(const sweep_list_t *l, unsigned program, uint64_t hash) {
  size_t at = (hash ^ (program * UINT64_C(0x9e3779b97f4a7c15))) % l->n_slots;
  for (; l->slot[at]; at = (at + 1) % l->n_slots) {
    const sweep_point_t *p = &l->point[l->slot[at] - 1];
    if (p->program == program && p->hash == hash) break;
  }
  return &l->slot[at];
}

/* Keeps at most half of the slots occupied. */
static int more_slots(sweep_list_t *l, mrpb_err_t *err) {
  if (2 * (l->n + 1) <= l->n_slots) return 0;
  size_t *slot = calloc(4 * (l->n + 16), sizeof *slot);
  if (!slot) return mrpb_fail(err, "out of memory for the list of points");
  free(l->slot);
  l->slot = slot;
  l->n_slots = 4 * (l->n + 16);
  for (size_t i = 0; i < l->n; i++) *find_slot(l, l->point[i].program, l->point[i].hash) = i + 1;
  return 0;
}

size_t sweep_list_find(const sweep_list_t *l, uint64_t program, uint64_t configuration) {
  for (unsigned p = 0; p < l->n_programs && l->n_slots; p++)
    if (l->program[p].hash == program) return *find_slot(l, p, configuration) - 1;
  return SIZE_MAX;
}

int sweep_list_add(sweep_list_t *l, unsigned program, const config_t *cfg, mrpb_err_t *err) {
  return sweep_list_add_to(l, program, cfg, 0, err);
}

int sweep_list_add_to(sweep_list_t *l, unsigned program, const config_t *cfg, uint64_t group,
                      mrpb_err_t *err) {
  const uint64_t hash = config_hash(cfg);
  if (more_slots(l, err) != 0) return -1;
  size_t *slot = find_slot(l, program, hash);
  if (*slot) {
    sweep_point_t *there = &l->point[*slot - 1];
    if (there->group != group) there->group = 0;
    return 0;
  }
  if (l->n == SWEEP_MOST_POINTS)
    return mrpb_fail(err, "too many points; legal: at most %d", SWEEP_MOST_POINTS);
  sweep_point_t *p = grow(l->point, l->n + 1, &l->room, sizeof *p);
  if (!p) return mrpb_fail(err, "out of memory for the list of points");
  l->point = p;
  p[l->n] = (sweep_point_t){.program = program, .cfg = *cfg, .hash = hash, .group = group};
  *slot = ++l->n;
  return 0;
}

bool *sweep_list_keys(const sweep_list_t *l) {
  bool *key = calloc(config_count(), sizeof *key);
  for (size_t i = 1; key && i < l->n; i++)
    for (unsigned k = 0; k < config_count(); k++)
      key[k] |= config_has(&l->point[i].cfg, k) != config_has(&l->point[0].cfg, k) ||
                config_value(&l->point[i].cfg, k) != config_value(&l->point[0].cfg, k);
  return key;
}

void sweep_list_free(sweep_list_t *l) {
  for (size_t i = 0; i < l->n_programs; i++) free_program(&l->program[i]);
  free(l->program);
  free(l->point);
  free(l->slot);
  *l = (sweep_list_t){0};
}

char *sweep_config_text(const config_t *cfg, uint64_t hash) {
  char value[LINE];
  const size_t size = ((size_t)config_count() + 1) * LINE;
  char *text = malloc(size);
  size_t at = 0;
  if (!text) return NULL;
  at += (size_t)snprintf(text, size, "# configuration %016" PRIx64 "\n", hash);
  for (unsigned i = 0; i < config_count(); i++) {
    if (!config_has(cfg, i)) continue;
    config_print_value(cfg, i, value, sizeof value);
    at += (size_t)snprintf(text + at, size - at, "%.64s = %.120s\n", config_key(i)->name, value);
  }
  return text;
}
