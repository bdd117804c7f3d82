/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/path/owed.h"

#include <stddef.h>
#include <string.h>

owed_t *owed_add(owed_list_t *m, uint64_t addr, uint32_t id, bool write, uint64_t cycle) {
  if (m->n == OWED_MOST) return NULL;
  owed_t *j = &m->job[m->n++];
  memset(j, 0, sizeof *j);
  *j = (owed_t){
      .addr = addr, .since = cycle, .id = id, .number = m->numbers++, .write = write, .beats = 1};
  if (m->n > m->most) m->most = m->n;
  return j;
}

void owed_remove(owed_list_t *m, owed_t *job) {
  const size_t at = (size_t)(job - m->job);
  m->n--;
  memmove(job, job + 1, (m->n - at) * sizeof *job);
}

bool owed_may_answer(const owed_list_t *m, const owed_t *job, bool kinds_apart) {
  for (const owed_t *j = m->job; j < job; j++)
    if (j->id == job->id && (!kinds_apart || j->write == job->write)) return false;
  return true;
}

owed_t *owed_choose(owed_list_t *m, uint32_t id, unsigned kinds, bool kinds_apart) {
  owed_t *first = NULL;
  for (unsigned i = 0; i < m->n; i++) {
    owed_t *j = &m->job[i];
    if (!(kinds >> j->write & 1) || !owed_may_answer(m, j, kinds_apart)) continue;
    if (j->id == id) return j;
    if (!first) first = j;
  }
  return first;
}
