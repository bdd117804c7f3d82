/* SPDX-License-Identifier: Apache-2.0 */
/* A memory that reads and writes at once, when it is asked: it has no packets, and no L2 line that
 * differs from the DRAM. */
#include "gpu/check/check_state.h"

#include <stdarg.h>

enum { SECTOR = 32 };

static uint64_t line_of(uint64_t addr) {
  return addr & ~(uint64_t)(LINE - 1);
}

check_data_t *check_now_read(check_t *c, uint64_t addr, unsigned sectors) {
  check_data_t *d = check_data_new(c, line_of(addr));
  check_image_read(c, d);
  d->has[0] = d->has[1] = 0;
  for (unsigned s = 0; s < LINE / SECTOR; s++)
    if (sectors >> s & 1) check_data_mark(d, s * SECTOR, SECTOR);
  return d;
}

void check_now_write(check_t *c, uint64_t addr, check_data_t *d) {
  if (!d) return;
  if (d->atomic) {
    check_data_t *line = check_data_new(c, line_of(addr));
    packet_t p = {.addr = addr, .data = d};
    check_image_read(c, line);
    check_perform_atomic(c, &p, line);
    check_image_write(c, line, false);
    check_data_drop(c, line);
    d = p.data;
  } else {
    check_perform(c, d->id);
    check_image_write(c, d, false);
  }
  check_data_drop(c, d);
}

void check_now_fill(check_sm_t *s, uint32_t index, check_data_t *d) {
  check_data_t *line = s->line[index];
  if (!line || line->line != d->line) {
    check_data_drop(s->check, line);
    s->line[index] = d;
    return;
  }
  check_data_over(line, d);
  line->has[0] |= d->has[0];
  line->has[1] |= d->has[1];
  check_data_drop(s->check, d);
}

void check_now_update(check_sm_t *s, uint32_t index, const check_data_t *d) {
  if (d) check_now_fill(s, index, check_data_copy(s->check, d));
}

void check_now_entry(check_sm_t *s, uint32_t entry, check_data_t *d) {
  check_data_drop(s->check, s->entry[entry].data);
  s->entry[entry].data = d;
}

void check_now_arrives(check_sm_t *s, unsigned warp, unsigned reg, check_data_t *d) {
  check_arrived(s, warp, reg, d->line, LINE, d, FROM_BYPASS);
  check_data_drop(s->check, d);
}

void check_broken(check_sm_t *s, const char *format, ...) {
  char text[256];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  (void)mrpb_fail(&s->check->err, "sm%u: %s", s->id, text);
}
