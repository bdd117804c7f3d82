/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "verify/prove/llvm/gates.h"
#include "base/seconds.h"

#include "base/jobs.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  DIRECT_BITS = 600, /* more register bits: by way of the Verilog first */
  DIRECT_SECONDS = 30,
  REFUTE_SECONDS = 30, /* for a case from a reset of what is not proved */
  ROUNDS = 20          /* of other choices */
};

/* A part of the proof, in a process of its own with a time limit. */
typedef enum { ASK_DIRECT, ASK_RTL, ASK_C } what_t;
typedef struct {
  prove_job_t job;
  const char *temp;
  what_t what;
  char said[GATES_TEXT];
  mrpb_err_t err;
} shared_t;

typedef struct {
  shared_t *shared; /* with the process */
  int code;
  char *text; /* its output */
} ask_t;

static int direct(shared_t *s, FILE *out) {
  int rc = PROVE_AGAIN;
  for (unsigned i = 0; i < ROUNDS && rc == PROVE_AGAIN; i++)
    rc = prove_once(&s->job, s->temp, out, &s->err);
  return rc == PROVE_AGAIN ? PROVE_UNKNOWN : rc;
}

static int work(void *ctx, size_t job, FILE *out) {
  ask_t *a = ctx;
  (void)job;
  if (a->shared->what == ASK_DIRECT) return direct(a->shared, out);
  if (a->shared->what == ASK_RTL)
    return gates_rtl(&a->shared->job, a->shared->temp, a->shared->said, &a->shared->err);
  return prove_once(&a->shared->job, a->shared->temp, out, &a->shared->err);
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  ask_t *a = ctx;
  size_t size = 0;
  FILE *f = memory_file(&a->text, &size);
  a->code = end->exited ? end->code : PROVE_UNKNOWN;
  if (!end->exited && !end->ended)
    mrpb_fail(&a->shared->err, "the prover ends with signal %d", end->code);
  if (f && end->out) jobs_copy(end, f);
  if (f) fclose(f);
  return JOBS_GO_ON;
}

/* Returns the exit code; PROVE_UNKNOWN if the time was over. a->text is to be freed. */
static int ask(const prove_job_t *job, const char *temp, what_t what, unsigned seconds, ask_t *a,
               mrpb_err_t *err) {
  *a = (ask_t){.code = PROVE_BAD_TOOL};
  void *p =
      mmap(NULL, sizeof *a->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return mrpb_fail(err, "out of memory"), PROVE_BAD_TOOL;
  a->shared = p;
  *a->shared = (shared_t){.job = *job, .temp = temp, .what = what};
  a->shared->job.cells = NULL;
  if (what == ASK_C) a->shared->job.match = NULL;
  if (a->shared->job.limit > seconds) a->shared->job.limit = seconds;
  const jobs_t pool = {.n = 1, .seconds = seconds + 1, .ctx = a, .work = work, .end = hear};
  if (jobs_run(&pool, err) < 0) a->code = PROVE_BAD_TOOL;
  return a->code;
}

static void done(ask_t *a, mrpb_err_t *err) {
  if (a->shared && a->shared->err.text[0] && !err->text[0]) *err = a->shared->err;
  if (a->shared) munmap(a->shared, sizeof *a->shared);
  free(a->text);
  *a = (ask_t){0};
}

static void print_verdict(const prove_job_t *job, const char *verdict, FILE *out) {
  fprintf(out, "%s ", verdict);
  prove_name(job, out);
}

/* ---- the C model against the Verilog, bounded ---- */

/* The largest number of cycles that is decided in `seconds`; 0: not even one. */
static unsigned bounded(const prove_job_t *job, const char *temp, unsigned seconds, int *code,
                        FILE *out, mrpb_err_t *err) {
  const long end = (long)seconds_now() + seconds;
  unsigned proved = 0;
  *code = PROVE_YES;
  for (unsigned depth = 1; depth <= 256; depth += depth < 4 ? 1 : depth / 2) {
    prove_job_t job_c = *job;
    ask_t a;
    const long left = end - (long)seconds_now();
    job_c.depth = depth;
    if (left < 1) break;
    const int rc = ask(&job_c, temp, ASK_C, (unsigned)left, &a, err);
    if (rc == PROVE_NO) fputs(a.text, out);
    if (rc != PROVE_YES && rc != PROVE_UNKNOWN) *code = rc;
    mrpb_err_t unheard = {""};
    done(&a, rc == PROVE_UNKNOWN ? &unheard : err);
    if (rc != PROVE_YES) break;
    proved = depth;
  }
  return proved;
}

/* ---- by way of the Verilog ---- */

/* gates = Verilog is proved: the other half, as far as it goes. */
static int other_half(const prove_job_t *job, const char *temp, const char *said, FILE *out,
                      mrpb_err_t *err) {
  ask_t a;
  mrpb_err_t why = {""};
  int rc = ask(job, temp, ASK_C, job->limit, &a, &why);
  if (rc == PROVE_YES) {
    print_verdict(job, "proved", out);
    fprintf(out, ": gates = Verilog: %s; C = Verilog: %s", said,
            a.text ? strchr(a.text, ':') + 2 : "\n");
  }
  if (rc == PROVE_NO) fprintf(out, "C = Verilog: %s", a.text ? a.text : "");
  done(&a, &why);
  if (rc == PROVE_YES || rc == PROVE_NO) return rc;
  if (rc != PROVE_UNKNOWN) return *err = why, rc;
  const unsigned cycles = bounded(job, temp, job->limit, &rc, out, err);
  if (rc != PROVE_YES) return rc;
  print_verdict(job, cycles ? "bounded" : "not decided", out);
  if (cycles)
    fprintf(out, ": gates = Verilog proved; C = Verilog bounded to %u cycles: %s\n", cycles, said);
  else
    fprintf(out, ": gates = Verilog proved; C = Verilog not decided in %u s: %s\n", job->limit,
            said);
  return PROVE_UNKNOWN;
}

/* Searches a case from a reset for what is not proved; writes it. */
static bool refuted(const prove_job_t *job, const char *temp, FILE *out) {
  mrpb_err_t unheard = {""};
  bool found = false;
  const long end =
      (long)seconds_now() + (job->limit < REFUTE_SECONDS ? job->limit : REFUTE_SECONDS);
  for (unsigned depth = 1; depth <= 64 && !found; depth *= 2) {
    prove_job_t from_reset = *job;
    ask_t a;
    const long left = end - (long)seconds_now();
    from_reset.depth = depth;
    if (left < 1) break;
    const int rc = ask(&from_reset, temp, ASK_DIRECT, (unsigned)left, &a, &unheard);
    found = rc == PROVE_NO;
    if (found) fputs(a.text, out);
    done(&a, &unheard);
    if (rc != PROVE_YES && rc != PROVE_NO) break;
  }
  return found;
}

/* ---- ---- */

/* An engine found a case against the correspondence: a difference, or the last choice for a
 * flip-flop is refused. Which of them depends on the case that its solver happens to find. */
static bool against(const char *text) {
  return strstr(text, "a difference, but") ||
         strstr(text, "no register of the model corresponds to flip-flop");
}

/* The netlist directly. Returns PROVE_UNKNOWN, with the verdict so far in *text, if nothing is
 * decided. */
static int directly(const prove_job_t *job, const char *temp, unsigned seconds, char **text,
                    FILE *out, mrpb_err_t *err) {
  ask_t a;
  int rc = ask(job, temp, ASK_DIRECT, seconds, &a, err);
  if (rc == PROVE_UNKNOWN && a.text && a.text[0]) {
    *text = a.text;
    a.text = NULL;
    if (!job->depth && against(*text) && refuted(job, temp, out)) rc = PROVE_NO;
  } else if (a.text && rc != PROVE_UNKNOWN) {
    fputs(a.text, out);
  }
  done(&a, err);
  return rc;
}

static int by_rtl(const prove_job_t *job, const char *temp, char **text, FILE *out,
                  mrpb_err_t *err) {
  ask_t a;
  char said[GATES_TEXT];
  mrpb_err_t why = {""};
  int rc = ask(job, temp, ASK_RTL, job->limit, &a, &why);
  memcpy(said, a.shared ? a.shared->said : "", a.shared ? sizeof said : 1);
  done(&a, &why);
  if (rc == PROVE_YES) return other_half(job, temp, said, out, err);
  if (rc != PROVE_UNKNOWN) return *err = why, rc;
  if (!*text) {
    size_t size;
    FILE *f = memory_file(text, &size);
    if (!f) return mrpb_fail(err, "out of memory"), PROVE_BAD_TOOL;
    print_verdict(job, "not decided", f);
    fprintf(f, ": gates = Verilog: %s\n", said[0] ? said : why.text[0] ? why.text : "time is over");
    fclose(f);
  }
  return PROVE_UNKNOWN;
}

static int decide(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err) {
  const bool large = job->match->n_bits > DIRECT_BITS;
  const unsigned first = job->limit < DIRECT_SECONDS ? job->limit : DIRECT_SECONDS;
  char *text = NULL;
  int rc = PROVE_UNKNOWN;
  if (job->depth || !large)
    rc = directly(job, temp, job->depth ? job->limit : first, &text, out, err);
  const bool spurious = text && strstr(text, "a difference, but");
  if (rc == PROVE_UNKNOWN && !job->depth && !err->text[0] && !spurious)
    rc = by_rtl(job, temp, &text, out, err);
  if (rc == PROVE_UNKNOWN && text) fputs(text, out);
  free(text);
  return rc;
}

static int with_netlist(const prove_job_t *job, netlist_t *n, const char *temp, FILE *out,
                        mrpb_err_t *err) {
  match_t match;
  char *trace = NULL;
  size_t size;
  prove_job_t own = *job;
  own.match = &match;
  if (match_open(&match, job->cls, job->cfg, n, err) != 0) return PROVE_BAD_INPUT;
  FILE *f = memory_file(&trace, &size);
  const match_end_t end = f ? match_simulate(&match, f, err) : MATCH_TROUBLE;
  if (f) fclose(f);
  int rc = PROVE_UNKNOWN;
  if (end == MATCH_DIFFERENT) {
    print_verdict(job, "refuted", out);
    fprintf(out, ": from a reset, in a simulation of cycle %" PRIu64 "\n%s", match.cycles, trace);
    rc = PROVE_NO;
  } else if (end == MATCH_EQUAL) {
    match_decide(&match);
    rc = decide(&own, temp, out, err);
  }
  free(trace);
  match_close(&match);
  return rc;
}

static bool is_port(const char *name, unsigned width, const module_port_t *port, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(port[i].name, name) == 0) return port[i].width == width;
  return false;
}

/* A netlist of another size mostly has other ports. */
static int check_ports(const netlist_t *n, const prove_job_t *job, mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  const module_class_t *cls = job->cls;
  const unsigned expected = cls->n_in + cls->n_out + (cls->n_regs > 0);
  unsigned width;
  bool input;
  cls->ports(job->cfg, in, out);
  for (unsigned i = 0; i < netlist_ports(n); i++) {
    const char *name = netlist_port(n, i, &width, &input);
    const bool clock = cls->n_regs > 0 && strcmp(name, "clk_i") == 0 && width == 1 && input;
    if (!clock && !is_port(name, width, input ? in : out, input ? cls->n_in : cls->n_out))
      return mrpb_fail(err, "%s: port %s (%u bits) is not one of %s at this size",
                       job->cells->netlist, name, width, cls->stem);
  }
  if (netlist_ports(n) == expected) return 0;
  return mrpb_fail(err, "%s: %u ports; %s has %u", job->cells->netlist, netlist_ports(n), cls->stem,
                   expected);
}

/* Only the way by the Verilog can do without the words of a memory. */
static bool cuts(const prove_job_t *job) {
  module_reg_t reg[MODULE_MAX_REGS];
  mrpb_err_t unheard = {""};
  uint32_t bits = 0;
  void *self = NULL;
  if (job->depth || job->cls->n_regs == 0 || job->cls->create(&self, job->cfg, &unheard) != 0)
    return false;
  job->cls->regs(self, reg);
  for (unsigned r = 0; r < job->cls->n_regs; r++) bits += reg[r].words * reg[r].width;
  job->cls->destroy(self);
  return bits > DIRECT_BITS;
}

int gates_run(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err) {
  netlist_t *n = NULL;
  cells_t cells = *job->cells;
  cells.cut = cuts(job);
  if (job->doing) job->doing(job->context, "reading the netlist", 0);
  int rc = netlist_cells_open(&n, &cells, job->cls->stem, temp, err);
  if (rc == 0) rc = check_ports(n, job, err) == 0 ? 0 : PROVE_BAD_INPUT;
  if (rc == 0) rc = with_netlist(job, n, temp, out, err);
  if (rc == PROVE_UNKNOWN && err->text[0]) {
    print_verdict(job, "not decided", out);
    fprintf(out, ": %s\n", err->text);
    err->text[0] = '\0';
  }
  netlist_close(n);
  return rc;
}
