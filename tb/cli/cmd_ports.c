/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb ports MODULE: prints the parameters, ports and registers of a module as Markdown, from
 * its table. */
#include "cli/cli.h"
#include "base/sizes.h"

#include <stdio.h>
#include <string.h>

static void print_params(const module_class_t *cls) {
  printf("| parameter | legal | default | meaning |\n| --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < cls->n_params; i++) {
    const module_param_t *p = &cls->params[i];
    printf("| `%s` | %u to %u | %u | %s |\n", p->name, p->min, p->max, p->deflt, p->doc);
  }
}

static void print_ports(const char *direction, const module_port_t *ports, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    printf("| `%s` | %s | %u | %s |\n", ports[i].name, direction, ports[i].width, ports[i].doc);
}

static int print_regs(const module_class_t *cls, const uint32_t *cfg, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self;
  if (cls->n_regs == 0) return 0;
  if (cls->create(&self, cfg, err) != 0) return -1;
  cls->regs(self, regs);
  printf("\n| register | words | bits | meaning |\n| --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < cls->n_regs; i++)
    printf("| `%s` | %u | %u | %s |\n", regs[i].name, regs[i].words, regs[i].width, regs[i].doc);
  cls->destroy(self);
  return 0;
}

int cli_print_ports(const module_class_t *cls, mrpb_err_t *err) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  module_defaults(cls, cfg);
  cls->ports(cfg, in, out);
  printf("`%s`: %s. Widths are those of the default sizes.\n\n", cls->stem, cls->doc);
  print_params(cls);
  printf("\n| port | | bits | meaning |\n| --- | --- | --- | --- |\n");
  if (cls->n_regs) printf("| `clk_i` | in | 1 | clock |\n");
  print_ports("in", in, cls->n_in);
  print_ports("out", out, cls->n_out);
  return print_regs(cls, cfg, err);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  const module_class_t **cls = self;
  (void)name;
  if (*cls) return mrpb_fail(err, "'%s': one module at a time", v);
  *cls = sizes_module(v, err);
  return *cls ? 0 : -1;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  const module_class_t *cls = NULL;
  int rc = cli_parse(&cmd_ports, &cls, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && !cls) mrpb_fail(&err, "no module given; `mrpb ports --help`");
  if (err.text[0]) return cli_fail("ports", &err);
  return cli_print_ports(cls, &err) == 0 ? CLI_OK : cli_fail("ports", &err);
}

static const cli_option_t options[] = {CLI_MODULE};

const cli_command_t cmd_ports = {
    .name = "ports",
    .operands = "MODULE",
    .doc = "parameters, ports and registers of a module, as Markdown",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
