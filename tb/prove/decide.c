#include "prove/decide.h"

#include "cosim/rtl/build.h"

#include <stdlib.h>
#include <string.h>

static bool write_graph(const aig_t *g, lit_t bad, const char *path, uint32_t *inputs,
                        uint32_t *n_inputs, uint32_t *ands) {
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  bool good = aig_write(g, &bad, 1, f, inputs, n_inputs, ands);
  return fclose(f) == 0 && good;
}

/* One character for each input of the file, in their order. */
static bool read_cex(const char *path, const uint32_t *inputs, uint32_t n_inputs, uint8_t *cex) {
  char *text = rtl_read_file(path, NULL);
  uint32_t n = 0;
  for (const char *p = text; p && *p && *p != '\n' && n < n_inputs; p++)
    if (*p == '0' || *p == '1') cex[inputs[n++]] = (uint8_t)(*p - '0');
  free(text);
  return n == n_inputs;
}

/* What is claimed to make `bad` true is tried. */
static bool confirmed(const aig_t *g, lit_t bad, const uint8_t *cex) {
  uint64_t *in = prove_alloc(aig_inputs(g) * sizeof *in);
  uint64_t *node = prove_alloc(aig_nodes(g) * sizeof *node);
  for (uint32_t i = 0; i < aig_inputs(g); i++) in[i] = cex[i];
  aig_simulate(g, in, node);
  bool is = aig_value(node, bad) & 1;
  free(in);
  free(node);
  return is;
}

/* What ABC says of the graph, in `log`; its exit code, 124 after `seconds`. */
static int ask(const char *sweep, const char *graph, const char *answer, const char *log,
               unsigned seconds) {
  char limit[16], script[3 * RTL_PATH];
  remove(answer);
  remove(log);
  snprintf(limit, sizeof limit, "%u", seconds);
  snprintf(script, sizeof script, "read_aiger %s; strash; %s; iprove; print_status; write_cex %s",
           graph, sweep, answer);
  const char *argv[] = {"timeout", limit, "berkeley-abc", "-c", script, NULL};
  return rtl_run_for(argv, log, RTL_NO_LIMIT);
}

decide_t decide(const aig_t *g, lit_t bad, const char *temp, unsigned seconds, uint8_t *cex,
                uint32_t *ands, mrpb_err_t *err) {
  char graph[RTL_PATH], answer[RTL_PATH], log[RTL_PATH];
  uint32_t *inputs = prove_alloc(aig_inputs(g) * sizeof *inputs), n_inputs;
  decide_t verdict = DECIDE_UNKNOWN;
  memset(cex, 0, aig_inputs(g));
  *ands = 0;
  if (bad == AIG_FALSE) {
    free(inputs);
    return DECIDE_NEVER;
  }
  rtl_path(graph, "%s/miter.aig", temp);
  rtl_path(answer, "%s/cex.txt", temp);
  rtl_path(log, "%s/abc.log", temp);
  int rc = write_graph(g, bad, graph, inputs, &n_inputs, ands) ? 124 : -1;
  /* Either sweep decides in seconds what the other does not in hours. */
  const unsigned first = seconds > 40 ? 20 : seconds / 2 + 1;
  if (rc == 124) rc = ask("ifraig -C 100000", graph, answer, log, first);
  if (rc == 124) rc = ask("&get; &fraig -x; &put", graph, answer, log, seconds);
  char *text = rtl_read_file(log, NULL);
  if (rc == 127 || (text && strstr(text, "failed to run command"))) {
    mrpb_fail(err, "berkeley-abc is missing: it is in the package of that name");
    verdict = DECIDE_NO_TOOL;
  } else if (rc == 124) {
    mrpb_fail(err, "no answer of ABC within %u s", seconds);
  } else if (rc == 0 && text && strstr(text, "UNSATISFIABLE")) {
    verdict = DECIDE_NEVER;
  } else if (rc == 0 && text && strstr(text, "SATISFIABLE") &&
             read_cex(answer, inputs, n_inputs, cex) && confirmed(g, bad, cex)) {
    verdict = DECIDE_TRUE;
  } else {
    mrpb_fail(err, "ABC gave no answer that can be used (exit %d); see %s", rc, log);
  }
  free(text);
  free(inputs);
  return verdict;
}
