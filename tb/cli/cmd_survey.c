/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb ptx FILE`: what a PTX text contains, which of its kernels can run, and what the others
 * lack. */
#include "base/input.h"
#include "cli/cli.h"
#include "workload/launch/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SOMEWHERE = 0x10000 }; /* stands for the addresses that a launch would bind */

static int take_file(void *self, const char *name, const char *v, mrpb_err_t *err) {
  const char **file = self;
  (void)name;
  if (*file) return mrpb_fail(err, "'%s': one file at a time", v);
  *file = v;
  return 0;
}

static void print_parameters(const ptx_kernel_t *k) {
  for (unsigned i = 0; i < k->n_params; i++) {
    const ptx_param_t *p = &k->params[i];
    printf("  parameter %u: .%s %s, %" PRIu32 " byte%s\n", i, ptx_type_name(p->type), p->name,
           p->bytes, p->bytes == 1 ? "" : "s");
  }
  if (k->block[0])
    printf("  block: %" PRIu32 ",%" PRIu32 ",%" PRIu32 " (.reqntid)\n", k->block[0], k->block[1],
           k->block[2]);
  if (k->most) printf("  block: up to %" PRIu32 " threads (.maxntid)\n", k->most);
}

static bool print_kernel(const ptx_kernel_t *k) {
  mrpb_err_t err = {{0}};
  const bool runs = !k->refused && simt_can_run(k, &err) == 0;
  printf("\nkernel %s: %s\n", k->name, runs ? "can run" : "cannot run");
  if (!runs) {
    printf("  lacks: %s\n", k->refused ? k->refused : err.text);
    return false;
  }
  printf("  %u instructions, %u registers, %" PRIu32 " bytes of shared and %" PRIu32
         " of local memory; calls %u functions\n",
         k->n_insts, k->n_regs - 1, k->shared_bytes, k->local_bytes, k->n_spans - 1);
  print_parameters(k);
  return true;
}

/* The functions of a text, which only other functions or kernels call. */
static void print_functions(const ptx_module_t *m) {
  const char *name, *refused;
  for (unsigned i = 0; (name = ptx_function(m, i, &refused)); i++) {
    printf("\nfunction %s: %s\n", name, refused ? "cannot run" : "read");
    if (refused) printf("  lacks: %s\n", refused);
  }
}

/* The variables to which a launch or the text itself gives an address. */
static void print_variables(const ptx_module_t *m) {
  for (unsigned i = 0; i < ptx_variables(m); i++) {
    const ptx_variable_t *v = ptx_variable(m, i);
    if (v->texture)
      printf("\ntexture %s: bound by --tex ARGUMENT:%s\n", v->name, v->name);
    else if (v->space == PTX_GLOBAL || v->space == PTX_CONST)
      printf("\n.%s variable %s: %" PRIu64 " bytes, alignment %" PRIu64 "%s\n",
             v->space == PTX_CONST ? "const" : "global", v->name, v->bytes, v->align,
             v->init ? ", with values" : "");
  }
}

static int survey(const char *file, mrpb_err_t *err) {
  ptx_module_t *m = NULL;
  size_t size = 0;
  unsigned can = 0;
  char *text = input_text(file, LAUNCH_MOST_TEXT, &size, err);
  const int rc = text ? ptx_survey(&m, text, size, file, err) : -1;
  free(text);
  if (rc != 0) return -1;
  for (unsigned i = 0; i < ptx_variables(m); i++) ptx_bind(m, i, SOMEWHERE);
  const unsigned kernels = ptx_kernels(m), functions = ptx_functions(m);
  printf("%s: %u kernel%s, %u function%s\n", file, kernels, kernels == 1 ? "" : "s", functions,
         functions == 1 ? "" : "s");
  for (unsigned i = 0; i < ptx_kernels(m); i++) can += print_kernel(ptx_kernel(m, i));
  if (kernels == 0) print_functions(m);
  print_variables(m);
  printf("\n%u of %u kernels can run\n", can, kernels);
  ptx_free(m);
  return 0;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  const char *file = NULL;
  const int rc = cli_parse(&cmd_ptx, &file, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && !file) mrpb_fail(&err, "no file given; `mrpb ptx --help`");
  if (err.text[0] || survey(file, &err) != 0) return cli_fail("ptx", &err);
  return CLI_OK;
}

const cli_command_t cmd_ptx = {
    .name = "ptx",
    .operands = "FILE",
    .doc = "lists what a PTX text has, which of its kernels can run, and what the others lack",
    .operand = take_file,
    .run = run,
};
