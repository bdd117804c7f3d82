/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the map of any module for `mrpb twice`: which ports are driven at random, and which are
 * compared. */
#ifndef TWICE_PORTS_H
#define TWICE_PORTS_H

#include "verify/twice/iface.h"
#include "verilog/load/lib.h"

/* A port of the module: bits of in_i or out_o. */
typedef struct {
  char name[MAP_NAME];
  bool input;
  unsigned lsb, width;
} twice_port_t;

/* A module as `mrpb twice` sees it. */
typedef struct {
  twice_cfg_t cfg;
  unsigned n_in, n_out; /* ports that are random, ports that are compared */
  twice_field_t field[TWICE_FIELDS];
  unsigned n_fields; /* of the random ports: each field of a struct counts */
  twice_port_t port[BIND_PORTS];
  unsigned n_ports;     /* random and compared */
  char map[FILES_PATH]; /* the user's lines, and one for each of these ports */
} twice_ports_t;

/* Examines the design of `env`, whose map is `given` (NULL: none), and writes the map. Returns
 * RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int twice_ports(twice_ports_t *p, const rtl_env_t *env, const char *given, mrpb_err_t *err);

#endif
