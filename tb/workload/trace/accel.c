/* SPDX-License-Identifier: Apache-2.0 */
/* The header of Accel-Sim's traces, which is the same in all their files: see accel.h. */
#include "workload/trace/accel.h"
#include "workload/trace/words.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int parse_dim(const char *text, uint64_t dim[3], mrpb_err_t *err) {
  unsigned long x, y, z;
  char end, more;
  if (sscanf(text, " (%18lu,%18lu,%18lu%c%c", &x, &y, &z, &end, &more) != 4 || end != ')')
    return mrpb_fail(err, "'%.60s'; legal: (X,Y,Z)", text);
  if (x > INT32_MAX || y > UINT16_MAX || z > UINT16_MAX) /* the product fits in 64 bits */
    return mrpb_fail(err, "'%.60s'; legal: X to %d, Y and Z to %d", text, INT32_MAX, UINT16_MAX);
  dim[0] = x;
  dim[1] = y;
  dim[2] = z;
  return 0;
}

/* Lines of the header; `most` 0: not used. */
static const struct {
  const char *key;
  size_t to; /* offset in accel_t of a number */
  uint64_t least, most;
  int base;
} header_keys[] = {
    {"kernel name", 0, 0, 0, 0},
    {"kernel id", 0, 0, 0, 0},
    {"grid dim", offsetof(accel_t, grid), 0, 0, 0},
    {"block dim", offsetof(accel_t, block), 0, 0, 0},
    {"shmem", offsetof(accel_t, shared), 0, 1 << 20, 10},
    {"nregs", offsetof(accel_t, regs), 0, 1024, 10},
    {"binary version", 0, 0, 0, 0},
    {"cuda stream id", 0, 0, 0, 0},
    {"shmem base_addr", offsetof(accel_t, shared_base), 0, UINT64_MAX, 16},
    {"local mem base_addr", offsetof(accel_t, local_base), 0, UINT64_MAX, 16},
    {"nvbit version", 0, 0, 0, 0},
    {"accelsim tracer version", offsetof(accel_t, version), ACCEL_OLDEST, ACCEL_NEWEST, 10},
    {"enable lineinfo", offsetof(accel_t, with_lines), 0, 1, 10},
};
enum { HEADER_KEYS = sizeof header_keys / sizeof *header_keys };

static int take_header(accel_t *r, unsigned k, const char *value, mrpb_err_t *err) {
  uint64_t *to = (uint64_t *)(void *)((char *)r + header_keys[k].to);
  if (k == 0) snprintf(r->name, sizeof r->name, "%.200s", value);
  if (to == r->grid || to == r->block) return parse_dim(value, to, err);
  if (header_keys[k].most == 0) return 0;
  if (trace_number(value, header_keys[k].base, header_keys[k].most, to) &&
      *to >= header_keys[k].least)
    return 0;
  return mrpb_fail(err, "-%s '%.60s'; legal: a number from %" PRIu64 " to %" PRIu64,
                   header_keys[k].key, value, header_keys[k].least, header_keys[k].most);
}

/* Later tracers may write keys that are unknown here. Such a line is ignored and the caller
 * told. */
int accel_header(accel_t *r, const char *line, mrpb_err_t *err) {
  const char *equals = strstr(line, " =");
  if (r->launched) return mrpb_fail(err, "'%.60s' after the first #BEGIN_TB", line);
  if (!equals || (equals[2] && equals[2] != ' '))
    return mrpb_fail(err, "'%.60s'; legal: -KEY = VALUE", line);
  const size_t n = (size_t)(equals - line) - 1;
  for (unsigned k = 0; k < HEADER_KEYS; k++)
    if (strlen(header_keys[k].key) == n && strncmp(line + 1, header_keys[k].key, n) == 0)
      return take_header(r, k, equals + 2 + strspn(equals + 2, " "), err);
  r->unknown = true;
  return 0;
}

int accel_launch(accel_t *r, mrpb_err_t *err) {
  for (unsigned i = 0; i < 3; i++)
    if (r->grid[i] == 0 || r->block[i] == 0)
      return mrpb_fail(err, "no -grid dim or -block dim before the first thread block");
  r->launched = true;
  for (char *at = r->name; *at; at++)
    if (*at == ' ') *at = '_';
  return trace_store_launch(r->s, r->name[0] ? r->name : "kernel",
                            r->grid[0] * r->grid[1] * r->grid[2],
                            r->block[0] * r->block[1] * r->block[2], r->regs, r->shared, err);
}

int accel_block(accel_t *r, uint64_t x, uint64_t y, uint64_t z, mrpb_err_t *err) {
  if (x >= r->grid[0] || y >= r->grid[1] || z >= r->grid[2])
    return mrpb_fail(err,
                     "block %" PRIu64 ",%" PRIu64 ",%" PRIu64 "; legal: inside the grid of %" PRIu64
                     ",%" PRIu64 ",%" PRIu64,
                     x, y, z, r->grid[0], r->grid[1], r->grid[2]);
  r->block_number = x + r->grid[0] * (y + r->grid[1] * z);
  return 0;
}
