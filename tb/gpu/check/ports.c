/* SPDX-License-Identifier: Apache-2.0 */
/* A memory that reads and writes at once, when it is asked: it has no L2 line that differs from the
 * DRAM. And the sectors of 32 bytes in which in-order cores ask. */
#include "gpu/check/check_state.h"

#include <stdarg.h>

enum { SECTOR = 32, SECTORS = LINE / SECTOR };

static uint64_t line_of(uint64_t addr) {
  return addr & ~(uint64_t)(LINE - 1);
}

static void mark_sectors(check_data_t *d, unsigned sectors) {
  for (unsigned s = 0; s < SECTORS; s++)
    if (sectors >> s & 1) check_data_mark(d, s * SECTOR, SECTOR);
}

check_data_t *check_wanted(check_t *c, uint64_t addr, unsigned sectors) {
  check_data_t *d = check_data_new(c, line_of(addr));
  mark_sectors(d, sectors);
  return d;
}

/* ---- the memory ---------------------------------------------------------------- */

static void perform_atomic(check_t *c, packet_t *p) {
  check_data_t *line = check_data_new(c, line_of(p->addr));
  check_image_read(c, line);
  check_perform_atomic(c, p, line);
  check_image_write(c, line, false);
  check_data_drop(c, line);
}

void check_at_once(check_t *c, packet_t *p) {
  if (p->atomic) {
    perform_atomic(c, p);
  } else if (packet_is_write(p) && p->data) {
    check_perform(c, p->data->id);
    check_image_write(c, p->data, false);
  } else if (p->kind == PACKET_READ) {
    check_data_t *d = check_data_new(c, line_of(p->addr));
    check_image_read(c, d);
    check_data_answer(c, p, d);
    return;
  }
  check_data_drop(c, p->data);
  p->data = NULL;
}

/* ---- an SM --------------------------------------------------------------------- */

void check_sectors_fill(check_sm_t *s, uint32_t index, const check_data_t *d, unsigned sectors) {
  check_data_t *part = check_data_copy(s->check, d), *line = s->line[index];
  const uint64_t has[2] = {d->has[0], d->has[1]};
  part->has[0] = part->has[1] = 0;
  mark_sectors(part, sectors);
  part->has[0] &= has[0];
  part->has[1] &= has[1];
  if (!line || line->line != d->line) {
    check_data_drop(s->check, line);
    s->line[index] = part;
    return;
  }
  check_data_over(line, part);
  line->has[0] |= part->has[0];
  line->has[1] |= part->has[1];
  check_data_drop(s->check, part);
}

void check_sectors_entry(check_sm_t *s, uint32_t entry, const check_data_t *d) {
  if (entry >= s->check->cfg.mshr_entries) return;
  check_data_drop(s->check, s->entry[entry].data);
  s->entry[entry].data = check_data_copy(s->check, d);
}

/* Sectors for which no lane waits come for others. That a load has got all of its own is seen when it
 * ends. */
void check_sectors_arrive(check_sm_t *s, unsigned warp, unsigned reg, const check_data_t *d,
                          unsigned sectors, bool fetched) {
  const check_source_t from = fetched ? FROM_FILL : FROM_BYPASS;
  for (unsigned k = 0; k < SECTORS; k++) {
    const uint64_t addr = d->line + k * SECTOR;
    if (sectors >> k & 1 && check_data_has(d, k * SECTOR) &&
        check_waits(s, warp, reg, addr, SECTOR))
      check_arrived(s, warp, reg, addr, SECTOR, d, from);
  }
}

void check_broken(check_sm_t *s, const char *format, ...) {
  char text[256];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  (void)mrpb_fail(&s->check->err, "sm%u: %s", s->id, text);
}
