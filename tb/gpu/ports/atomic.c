/* SPDX-License-Identifier: Apache-2.0 */
/* The units that perform atomics, one in each slice of the L2. */
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

int ports_atomic_open(ports_t *p, mrpb_err_t *err) {
  p->atomic = calloc(p->cfg.l2_ports + 1, sizeof *p->atomic);
  return p->atomic ? 0 : mrpb_fail(err, "ports: out of memory");
}

void ports_atomic_close(ports_t *p) {
  free(p->atomic);
  p->atomic = NULL;
}

static uint64_t unit_pass(const ports_t *p, uint32_t slice, unsigned sectors, uint64_t at) {
  port_t *unit = &p->atomic[slice];
  unit->request = (uint32_t)__builtin_popcount(sectors) * p->cfg.l2_atomic;
  return port_pass(unit, at, 0);
}

/* A far one passes a slice of the SM's half on its way. Its distance delays nothing behind it, so it
 * is added after both. */
uint64_t ports_atomic_pass(ports_t *p, uint64_t addr, unsigned sectors, uint64_t at, bool far) {
  const config_t *c = &p->cfg;
  if (c->l2_atomic == 0) return at;
  const uint32_t home = ports_part(addr, c->l2_ports);
  if (!far || c->l2_atomic_far == 0) return unit_pass(p, home, sectors, at);
  at = unit_pass(p, (home + c->l2_ports / 2) % c->l2_ports, sectors, at);
  return unit_pass(p, home, sectors, at) + c->l2_atomic_far;
}
