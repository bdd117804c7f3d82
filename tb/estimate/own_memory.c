/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/own_memory.h"

#include "base/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void say(look_reg_t *r, bool memory, const char *reason) {
  r->memory = memory;
  snprintf(r->why, sizeof r->why, "%s", reason);
}

/* ---- named by the user ---- */

static int take_asked(look_t *l, const own_memory_t *m, const char *name, mrpb_err_t *err) {
  for (unsigned i = 0; i < l->n_regs; i++)
    if (l->reg[i].shape) say(&l->reg[i], false, "not named by --memory");
  if (m->n_asked == 1 && strcmp(m->asked[0], "none") == 0) return 0;
  for (unsigned k = 0; k < m->n_asked; k++) {
    names_near_t near = names_near(m->asked[k]);
    look_reg_t *r = NULL;
    for (unsigned i = 0; i < l->n_regs; i++) {
      names_offer(&near, l->reg[i].name);
      if (strcmp(l->reg[i].name, m->asked[k]) == 0) r = &l->reg[i];
    }
    if (!r)
      return mrpb_fail(err, "--memory %s: no such array in %s%s", m->asked[k], name, near.text);
    if (!r->shape)
      return mrpb_fail(err,
                       "--memory %s: %s; legal: an array with one read and one write port of whole "
                       "words",
                       r->name, r->array ? r->why : "registers");
    say(r, true, "named by --memory");
  }
  return 0;
}

/* ---- equated with a memory of ours ---- */

/* "u_table.tags[0]" is an element of u_table.tags. */
static bool is_array(const char *path, const char *array) {
  const size_t n = strlen(array);
  return strncmp(path, array, n) == 0 && (path[n] == '\0' || path[n] == '[');
}

/* Takes the array that is our memory `ours`: by the map, otherwise by its name. Returns whether
 * there is one. */
static bool take_ours(look_t *l, const own_memory_t *m, const char *ours) {
  const bind_reg_t *line = m->bind ? bind_said_reg(m->bind, ours, 0, 0) : NULL;
  const char *path = line ? line->net : ours;
  char reason[LOOK_WHY];
  for (unsigned i = 0; i < l->n_regs; i++) {
    look_reg_t *r = &l->reg[i];
    if (!r->shape || !is_array(path, r->name)) continue;
    snprintf(reason, sizeof reason, "it is `%.60s` of our %.40s, a memory there", ours,
             m->cls->stem);
    say(r, true, reason);
    return true;
  }
  return false;
}

static int take_beside(look_t *l, const own_memory_t *m, mrpb_err_t *err) {
  sram_t ours[SRAM_MAX];
  const int n = sram_of(m->cls, m->cfg, ours, err);
  int taken = 0;
  for (int i = 0; i < n; i++) taken += take_ours(l, m, ours[i].array);
  for (unsigned i = 0; taken > 0 && i < l->n_regs; i++)
    if (l->reg[i].shape && !l->reg[i].memory) say(&l->reg[i], false, "it is no memory of ours");
  return n < 0 ? -1 : taken;
}

/* ---- by size ---- */

static void take_large(look_t *l) {
  char reason[LOOK_WHY];
  for (unsigned i = 0; i < l->n_regs; i++) {
    look_reg_t *r = &l->reg[i];
    const bool large = r->bits >= OWN_MEMORY_BITS;
    if (!r->shape) continue;
    snprintf(reason, sizeof reason, "one read and one write port, %s than %d bits",
             large ? "not less" : "less", (int)OWN_MEMORY_BITS);
    say(r, large && r->words > 1, reason);
  }
}

int own_memories(look_t *l, const own_memory_t *m, const char *name, sram_t sram[SRAM_MAX],
                 bool *unclocked, mrpb_err_t *err) {
  int n = 0, beside = 0;
  *unclocked = false;
  if (m->n_asked > 0 && take_asked(l, m, name, err) != 0) return -1;
  if (m->n_asked == 0 && m->cls && (beside = take_beside(l, m, err)) < 0) return -1;
  if (m->n_asked == 0 && beside == 0) take_large(l);
  for (unsigned i = 0; i < l->n_regs; i++) {
    const look_reg_t *r = &l->reg[i];
    if (!r->memory) continue;
    if (strlen(r->name) >= SRAM_NAME)
      return mrpb_fail(err,
                       "%s: `%s`: a name of at most %d letters for a memory; legal: --memory none",
                       name, r->name, (int)SRAM_NAME - 1);
    if (n == SRAM_MAX)
      return mrpb_fail(err,
                       "%s: more than %d memories; legal: --memory ARRAY up to %d times, or none",
                       name, (int)SRAM_MAX, (int)SRAM_MAX);
    sram_t *s = &sram[n++];
    *s = (sram_t){.words = r->words, .bits = r->width, .clocked = r->clocked};
    sram_name(s, r->name);
    *unclocked = *unclocked || r->kept;
  }
  /* Yosys moves such registers into all arrays or into none. */
  for (int i = 0; *unclocked && i < n; i++) sram[i].clocked = false;
  return n;
}
