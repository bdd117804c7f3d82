/* build/mrpb ports MODULE: the parameters, ports and registers of a module as Markdown, from its
 * table. */
#include "cli/cli.h"
#include "module.h"

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

static int print_regs(const module_class_t *cls, const uint32_t *cfg) {
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_err_t err = {""};
  void *self;
  if (cls->n_regs == 0) return 0;
  if (cls->create(&self, cfg, &err)) {
    fprintf(stderr, "mrpb ports: %s\n", err.text);
    return 2;
  }
  cls->regs(self, regs);
  printf("\n| register | words | bits | meaning |\n| --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < cls->n_regs; i++)
    printf("| `%s` | %u | %u | %s |\n", regs[i].name, regs[i].words, regs[i].width, regs[i].doc);
  cls->destroy(self);
  return 0;
}

static void print_names(FILE *out) {
  for (unsigned i = 0; module_class_at(i); i++) fprintf(out, " %s", module_class_at(i)->stem);
  fputc('\n', out);
}

int cmd_ports(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], "--help") == 0) {
    printf("usage: mrpb ports MODULE\nmodules:");
    print_names(stdout);
    return argc == 2 ? 0 : 2;
  }
  const module_class_t *cls = module_class(argv[1]);
  if (!cls) {
    fprintf(stderr, "mrpb ports: no module '%s'; there are:", argv[1]);
    print_names(stderr);
    return 2;
  }
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
  return print_regs(cls, cfg);
}
