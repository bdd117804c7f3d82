/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a miter in Verilog, which Yosys translates into logic and berkeley-abc decides. */
#include "verify/mutate/equal.h"

#include "base/abc.h"
#include "base/output.h"
#include "verify/mutate/counts.h"
#include "base/process.h"
#include "base/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void instance(const mutants_t *m, const module_port_t *in, const module_port_t *out,
                     const char *name, unsigned number, FILE *f) {
  fprintf(f, "  %s u_%s (%s.mutsel(%d'd%u)", m->cls->stem, name,
          m->cls->n_regs > 0 ? ".clk_i(clk_i), " : "", MUTANTS_SELECT_W, number);
  for (unsigned i = 0; i < m->cls->n_in; i++) {
    bool reset = strcmp(in[i].name, "srst_ni") == 0;
    fprintf(f, ", .%s(%s%s)", in[i].name, in[i].name, reset ? " & started" : "");
  }
  for (unsigned i = 0; i < m->cls->n_out; i++)
    fprintf(f, ", .%s(%s_%s)", out[i].name, name, out[i].name);
  for (unsigned k = 0; k < m->n_state; k++) fprintf(f, ", .state_%u(%s_state_%u)", k, name, k);
  fprintf(f, ");\n");
}

static void outputs(const mutants_t *m, const module_port_t *out, const char *name, FILE *f) {
  for (unsigned i = 0; i < m->cls->n_out; i++)
    fprintf(f, "  wire [%u:0] %s_%s;\n", out[i].width - 1, name, out[i].name);
  for (unsigned k = 0; k < m->n_state; k++)
    fprintf(f, "  wire [%u:0] %s_state_%u;\n", m->state_width[k] - 1, name, k);
}

/* Like the co-simulation, the miter begins with a reset and compares after it. */
static void write_miter(const mutants_t *m, unsigned number, FILE *f) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bool clocked = m->cls->n_regs > 0;
  const bind_t *bind = m->source.made ? &m->source.made->bind : NULL;
  m->cls->ports(m->cfg, in, out);
  if (bind) counts_modules(bind, f);
  fprintf(f, "module miter (input wire clk_i");
  for (unsigned i = 0; i < m->cls->n_in; i++)
    fprintf(f, ", input wire [%u:0] %s", in[i].width - 1, in[i].name);
  fprintf(f, ", output wire differs);\n  reg started = 1'b0;\n");
  outputs(m, out, "good", f);
  outputs(m, out, "mutant", f);
  instance(m, in, out, "good", 0, f);
  instance(m, in, out, "mutant", number, f);
  if (bind) counts_wires(bind, f);
  if (clocked) fprintf(f, "  always @(posedge clk_i) started <= 1'b1;\n");
  fprintf(f, "  assign differs = %s(1'b0", clocked ? "started & " : "");
  for (unsigned i = 0; i < m->cls->n_out; i++) {
    fprintf(f, " | ((good_%s != mutant_%s)", out[i].name, out[i].name);
    if (bind) fprintf(f, " & count_%u", i);
    putc(')', f);
  }
  for (unsigned k = 0; k < m->n_state; k++)
    fprintf(f, " | (good_state_%u != mutant_state_%u)", k, k);
  fprintf(f, ");\nendmodule\n");
}

/* Quotes the last line that `tool` printed. */
static void quote(const char *tool, const char *log, equal_why_t *why) {
  char *text = files_read(log, NULL), *end = text ? text + strlen(text) : NULL, *line;
  while (end > text && isspace((unsigned char)end[-1])) *--end = '\0';
  line = text ? strrchr(text, '\n') : NULL;
  line = line ? line + 1 : text;
  snprintf(why->said, sizeof why->said, "%s: %.120s", tool, line && *line ? line : "nothing");
  free(text);
}

/* Returns EQUAL_PROVED if the logic was made; EQUAL_UNDECIDED if Yosys cannot make it, as for a
 * mutant in a clock. An x, such as the result of a read past the end of an array, is 0 on both
 * sides, as in simulators without x. */
static equal_t make_aiger(const mutants_t *m, unsigned number, equal_why_t *why, mrpb_err_t *err) {
  char script[FILES_PATH], log[FILES_PATH];
  if (!files_path(script, "%s/miter.ys", m->dir) || !files_path(log, "%s/miter.log", m->dir))
    return mrpb_fail(err, "%s: the path is too long", m->dir), EQUAL_FAILED;
  FILE *f = output_into(m->dir, "miter.v", err);
  if (!f) return EQUAL_FAILED;
  write_miter(m, number, f);
  if (output_into_end(f, false, m->dir, "miter.v", err) != 0) return EQUAL_FAILED;
  if (!(f = output_into(m->dir, "miter.ys", err))) return EQUAL_FAILED;
  fprintf(f,
          "read_verilog %s/mutants.v %s/miter.v\nhierarchy -top miter\nproc\nflatten\n"
          "async2sync\nmemory_map\nsetundef -zero\ntechmap\nsetundef -zero\nopt -full\n"
          "dffunmap\naigmap\nopt_clean\nsetundef -undriven -init -zero\nwrite_aiger -zinit "
          "%s/miter.aig\n",
          m->dir, m->dir, m->dir);
  const char *argv[] = {"yosys", "-q", "-s", script, NULL};
  if (output_into_end(f, false, m->dir, "miter.ys", err) != 0) return EQUAL_FAILED;
  int status = process_log(argv, log);
  if (status == PROCESS_NOT_FOUND || status < 0)
    return mrpb_fail(err, "yosys: not found"), EQUAL_FAILED;
  if (status == 0) return EQUAL_PROVED;
  quote("yosys", log, why);
  return EQUAL_UNDECIDED;
}

/* Reads ABC's verdict from its log. */
static equal_t verdict(const char *log, equal_why_t *why) {
  char *text = files_read(log, NULL);
  const char *at = text ? strstr(text, "was asserted in frame") : NULL;
  equal_t v = EQUAL_UNDECIDED;
  if (at && sscanf(at, "was asserted in frame %u", &why->cycles) == 1) {
    why->cycles++;
    v = EQUAL_DIFFERS;
  } else if (text && abc_proved(text)) {
    v = EQUAL_PROVED;
  }
  free(text);
  if (v == EQUAL_UNDECIDED) quote(abc_program(), log, why);
  return v;
}

equal_t equal_decide(const mutants_t *m, unsigned number, unsigned seconds, equal_why_t *why,
                     mrpb_err_t *err) {
  char log[FILES_PATH], command[2 * FILES_PATH];
  *why = (equal_why_t){.cycles = 0};
  equal_t made = make_aiger(m, number, why, err);
  if (made != EQUAL_PROVED) return made;
  if (!files_path(log, "%s/abc.log", m->dir)) return EQUAL_FAILED;
  (void)remove(log);
  snprintf(command, sizeof command, "read_aiger %s/miter.aig; strash; scorr; pdr -T %u" ABC_SWEPT,
           m->dir, seconds);
  const char *argv[] = {abc_program(), "-c", command, NULL};
  int status = process_status(&(process_t){.argv = argv, .log = log, .seconds = seconds + 30});
  if (status == PROCESS_NOT_FOUND || status < 0) {
    mrpb_fail(err, "%s: not found; the packages needed are in configs/packages.txt", abc_program());
    return EQUAL_FAILED;
  }
  return verdict(log, why);
}
