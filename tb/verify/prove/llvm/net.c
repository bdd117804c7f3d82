/* SPDX-License-Identifier: Apache-2.0 */
/* The program runs in a process of its own; another process observes what it does to memory, or to
 * its stack. */
#define _DEFAULT_SOURCE
#include "verify/prove/llvm/net.h"

#include "base/jobs.h"
#include "base/modules.h"
#include "kit.h"
#include "verify/prove/llvm/net_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SAME = 77, DIFFERENT, FAILED }; /* codes with which no program ends by chance */

/* Memory shared with the process that runs the program: it holds the current cases, so that a crash
 * can be reported with its case. */
static net_said_t *open_said(const sides_t *s, size_t *size) {
  *size = sizeof(net_said_t) + aig_inputs(s->g) * sizeof(uint64_t);
  void *p = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static int work(void *ctx, size_t job, FILE *out) {
  net_t *n = ctx;
  (void)job;
  (void)out;
  if (net_open(n, &n->said->err) != 0) return FAILED;
  const bool same = n->s->cycle ? net_cycles(n) : net_states(n) && net_twin(n);
  net_close(n);
  return same ? SAME : DIFFERENT;
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  net_t *n = ctx;
  n->code = end->exited ? end->code : DIFFERENT;
  if (end->ended)
    snprintf(n->said->what, sizeof n->said->what, "%s does not return", n->said->doing);
  else if (!end->exited)
    snprintf(n->said->what, sizeof n->said->what, "%s ends with signal %d (%s)", n->said->doing,
             end->code, strsignal(end->code));
  return JOBS_GO_ON;
}

/* Prints the case that differs. */
static void print_case(const net_t *n, const prove_job_t *job, FILE *out) {
  uint8_t *cex = prove_alloc(aig_inputs(n->s->g) + 1);
  for (uint32_t i = 0; i < aig_inputs(n->s->g); i++) cex[i] = n->said->in[i] >> n->said->lane & 1;
  fputs("not proved ", out);
  prove_name(job, out);
  fputs(": the text is equal to the Verilog, but not the program that the compiler of the "
        "simulator makes of it\n",
        out);
  prove_trace(n->s, cex, out);
  fprintf(out, "  program  %s\n", n->said->what);
  free(cex);
}

/* Builds the objects to load: with the proof's constants, and with a simulation's if it has any. */
static int build(net_t *n, const prove_job_t *job, const sources_t *from, mrpb_err_t *err) {
  const bool kit = !job->c && modules_symbol(job->cls->stem, KIT_SYMBOL);
  char *constants = job->depth ? strdup("") : object_constants(from, job->cls);
  int rc = MODEL_OK;
  if (!constants) rc = (mrpb_fail(err, "%s: out of memory", job->cls->stem), MODEL_BAD_TOOL);
  n->has_twin = rc == MODEL_OK && constants[0];
  n->loaded = kit;
  if (rc == MODEL_OK && (n->has_twin || !kit))
    rc = object_build(from, job->cls, constants, n->file, err);
  if (rc == MODEL_OK && n->has_twin && !kit)
    rc = object_build(from, job->cls, "", n->twin_file, err);
  free(constants);
  return rc;
}

int net_check(const sides_t *s, const prove_job_t *job, const char *temp, uint64_t *states,
              FILE *out, mrpb_err_t *err) {
  const sources_t from = {.root = job->root, .inv = job->inv, .c = job->c, .temp = temp};
  net_t n = {.s = s, .cls = job->cls};
  size_t size;
  if (job->doing) job->doing(job->context, "compiling as a simulation does", 0);
  int rc = build(&n, job, &from, err);
  if (rc != MODEL_OK) return rc;
  n.said = open_said(s, &size);
  if (!n.said) return mrpb_fail(err, "out of memory"), PROVE_BAD_TOOL;
  if (job->doing) job->doing(job->context, "running the program", job->limit);
  const jobs_t pool = {
      .n = 1, .silent = true, .seconds = job->limit, .ctx = &n, .work = work, .end = hear};
  rc = jobs_run(&pool, err) < 0 ? PROVE_BAD_TOOL : PROVE_YES;
  *states = n.said->states;
  if (rc == PROVE_YES && n.code == DIFFERENT) {
    print_case(&n, job, out);
    rc = PROVE_NO;
  } else if (rc == PROVE_YES && n.code != SAME) {
    mrpb_fail(err, "%s", n.said->err.text[0] ? n.said->err.text : "the program ends the prover");
    rc = PROVE_BAD_TOOL;
  }
  munmap(n.said, size);
  return rc;
}
