/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of the DRAM, each with a port. */
#include "gpu/ports/ports_state.h"

#include <stdlib.h>

int ports_dram_open(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
  p->channel = calloc(c->dram_channels, sizeof *p->channel);
  if (!p->channel) return mrpb_fail(err, "ports: out of memory");
  for (uint32_t i = 0; i < c->dram_channels; i++)
    p->channel[i].port =
        (port_t){.rate = c->dram_port / c->dram_channels, .request = c->dram_request};
  return 0;
}

void ports_dram_close(ports_t *p) {
  free(p->channel);
  p->channel = NULL;
}

uint64_t ports_dram_pass(ports_t *p, uint64_t addr, uint64_t at, uint32_t bytes, bool write) {
  const config_t *c = &p->cfg;
  channel_t *ch = &p->channel[ports_part(addr, c->dram_channels)];
  if (ch->writes != write && ch->port.free) ch->port.free += c->dram_turn;
  ch->writes = write;
  return port_pass(&ch->port, at, write ? bytes * c->dram_write / 100 : bytes);
}
