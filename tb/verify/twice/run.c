/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/twice/run.h"

#include "verify/twice/ports.h"
#include "verilog/build.h"

#include <inttypes.h>

typedef struct {
  const twice_command_t *c;
  twice_ports_t ports;
} run_t;

static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  const run_t *run = r->ctx;
  (void)err;
  twice_stimulus_random(to, r->cls, r->cfg, run->ports.field, run->ports.n_fields, run->c->seed);
  return 0;
}

static int verdict(const run_t *run, const rtl_lib_t *lib) {
  const char *unknown = rtl_lib_unknown(lib);
  const twice_ports_t *p = &run->ports;
  fprintf(run->c->out,
          "%s %s, %u of %u outputs, %u bits; %u random inputs, %u bits, seed %" PRIu64 "\n",
          *unknown ? "FAILED, but equal" : "equal", rtl_lib_bind(lib)->called, p->n_out, p->n_out,
          p->cfg.TWICE_OUT_BITS, p->n_in, p->n_in ? p->cfg.TWICE_IN_BITS : 0, run->c->seed);
  return !rtl_lib_say(lib, run->c->out);
}

/* Compares the design's builds, using the generated map. */
static int compare(run_t *run, mrpb_err_t *err) {
  const twice_command_t *c = run->c;
  rtl_from_t from = c->from;
  rtl_env_t *env = NULL;
  rtl_lib_t *lib = NULL;
  char name[64];
  from.design.map_said = from.design.map ? from.design.map : "clk_i and srst_ni";
  from.design.map = run->ports.map;
  snprintf(name, sizeof name, "seed %" PRIu64, c->seed);
  int rc = rtl_env_open(&env, &from, c->progress, err);
  if (rc == RTL_OK) {
    rtl_env_set_patience(env, c->patience);
    rtl_env_set_stimulus(env, &(rtl_stimulus_t){name, record, run, (size_t)c->cycles});
    rc = rtl_lib_open(&lib, env, &twice_class, (const uint32_t *)&run->ports.cfg, err);
  }
  if (rc == RTL_OK) rc = verdict(run, lib);
  rtl_lib_close(lib);
  rtl_env_close(env);
  return rc;
}

int twice_command(const twice_command_t *c, mrpb_err_t *err) {
  run_t run = {.c = c};
  rtl_env_t *env = NULL;
  int rc = rtl_env_open_source(&env, &c->from, err);
  if (rc == RTL_OK) rc = twice_ports(&run.ports, env, c->from.design.map, err);
  rtl_env_close(env);
  return rc == RTL_OK ? compare(&run, err) : rc;
}
