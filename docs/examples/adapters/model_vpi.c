/* SPDX-License-Identifier: Apache-2.0 */
/* Any module of libmrpb as a Verilog module, through VPI: in the module that has its parameters and
 * ports (mshr_vpi.v), `initial $mrpb_model("mshr");` makes the C model drive the outputs. Inputs are sampled at the
 * rising edge of clk_i; outputs follow registers as after a nonblocking assignment, and inputs at once. A bit that is x
 * or z is taken as 0.
 * iverilog-vpi model_vpi.c $(pkg-config --cflags --libs mrpb); vvp -M. -mmodel_vpi ... */
#include <libmrpb.h>

#include <stdlib.h>
#include <string.h>
#include <vpi_user.h>

enum { MOST_WORDS = 64 };

typedef struct {
  const module_class_t *cls;
  void *self;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  vpiHandle in_net[MODULE_MAX_PORTS], out_net[MODULE_MAX_PORTS];
  bool clock_was_high;
} model_t;

/* One line, and the simulation ends with the exit status of an error. */
static PLI_INT32 refuse(vpiHandle scope, const char *what, const char *name) {
  vpi_printf((PLI_BYTE8 *)"%s: %s %s\n", vpi_get_str(vpiFullName, scope), what, name);
  vpi_control(vpiFinish, 1);
  return 0;
}

static void read_inputs(const model_t *m, uint64_t *words) {
  for (unsigned i = 0; i < m->cls->n_in; i++) {
    s_vpi_value v = {.format = vpiVectorVal};
    vpi_get_value(m->in_net[i], &v);
    for (unsigned k = 0; k * 32 < m->in[i].width; k++) {
      const uint32_t bits = (uint32_t)(v.value.vector[k].aval & ~v.value.vector[k].bval);
      uint64_t *word = &words[m->in[i].word + k / 2];
      *word = k % 2 ? *word | (uint64_t)bits << 32 : bits;
    }
  }
}

static PLI_INT32 drive(s_cb_data *cb) {
  const model_t *m = (const model_t *)(void *)cb->user_data;
  uint64_t in[MOST_WORDS] = {0}, out[MOST_WORDS] = {0};
  read_inputs(m, in);
  m->cls->comb(m->self, in, out);
  for (unsigned i = 0; i < m->cls->n_out; i++) {
    s_vpi_vecval bits[2 * MOST_WORDS] = {{0, 0}};
    s_vpi_value v = {.format = vpiVectorVal, .value.vector = bits};
    for (unsigned k = 0; k * 32 < m->out[i].width; k++)
      bits[k].aval = (PLI_INT32)(out[m->out[i].word + k / 2] >> 32 * (k % 2));
    vpi_put_value(m->out_net[i], &v, NULL, vpiNoDelay);
  }
  return 0;
}

static void call(model_t *m, PLI_INT32 reason, vpiHandle net, PLI_INT32 (*function)(s_cb_data *)) {
  static const s_vpi_time template = {.type = vpiSimTime};
  s_vpi_time now = template;
  s_vpi_value none = {.format = vpiSuppressVal};
  s_cb_data cb = {.reason = reason,
                  .cb_rtn = function,
                  .obj = net,
                  .time = &now,
                  .value = &none,
                  .user_data = (PLI_BYTE8 *)(void *)m};
  vpi_free_object(vpi_register_cb(&cb));
}

/* The registers change now, with the inputs of before; what they drive does when all else has settled. */
static PLI_INT32 clock_changes(s_cb_data *cb) {
  model_t *m = (model_t *)(void *)cb->user_data;
  s_vpi_value v = {.format = vpiScalarVal};
  uint64_t in[MOST_WORDS] = {0};
  vpi_get_value(cb->obj, &v);
  const bool rises = v.value.scalar == vpi1 && !m->clock_was_high;
  m->clock_was_high = v.value.scalar == vpi1;
  if (!rises) return 0;
  read_inputs(m, in);
  m->cls->edge(m->self, in);
  call(m, cbReadWriteSynch, NULL, drive);
  return 0;
}

static bool bind_port(vpiHandle scope, const module_port_t *port, vpiHandle *net) {
  *net = vpi_handle_by_name((PLI_BYTE8 *)port->name, scope);
  if (*net && vpi_get(vpiSize, *net) == (PLI_INT32)port->width) return true;
  refuse(scope, *net ? "other width than in libmrpb: port" : "no port", port->name);
  return false;
}

/* $mrpb_model("STEM"), in an instance that has the parameters and ports of that module. */
static PLI_INT32 model_call(PLI_BYTE8 *unused) {
  vpiHandle self = vpi_handle(vpiSysTfCall, NULL), scope = vpi_handle(vpiScope, self);
  vpiHandle args = vpi_iterate(vpiArgument, self);
  s_vpi_value v = {.format = vpiStringVal};
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  model_t *m = calloc(1, sizeof *m);
  (void)unused;
  if (!m || !args) return refuse(scope, "legal: $mrpb_model(\"mshr\")", "");
  vpi_get_value(vpi_scan(args), &v);
  m->cls = module_class(v.value.str);
  if (!m->cls) return refuse(scope, "no module of libmrpb:", v.value.str);
  for (unsigned i = 0; i < m->cls->n_params; i++) {
    vpiHandle p = vpi_handle_by_name((PLI_BYTE8 *)m->cls->params[i].name, scope);
    s_vpi_value n = {.format = vpiIntVal};
    if (!p) return refuse(scope, "no parameter", m->cls->params[i].name);
    vpi_get_value(p, &n);
    cfg[i] = (uint32_t)n.value.integer;
  }
  if (m->cls->create(&m->self, cfg, &err) != 0) return refuse(scope, err.text, "");
  m->cls->ports(cfg, m->in, m->out);
  for (unsigned i = 0; i < m->cls->n_in; i++)
    if (!bind_port(scope, &m->in[i], &m->in_net[i])) return 0;
  for (unsigned i = 0; i < m->cls->n_out; i++)
    if (!bind_port(scope, &m->out[i], &m->out_net[i])) return 0;
  vpiHandle clock = vpi_handle_by_name((PLI_BYTE8 *)"clk_i", scope);
  if (clock) call(m, cbValueChange, clock, clock_changes);
  for (unsigned i = 0; i < m->cls->n_in; i++) call(m, cbValueChange, m->in_net[i], drive);
  return 0;
}

static void register_tasks(void) {
  s_vpi_systf_data task = {
      .type = vpiSysTask, .tfname = (PLI_BYTE8 *)"$mrpb_model", .calltf = model_call};
  vpi_register_systf(&task);
}

void (*vlog_startup_routines[])(void) = {register_tasks, NULL};
