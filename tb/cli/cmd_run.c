/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run`: runs a workload on the whole GPU. */
#include "cli/cli.h"
#include "base/set.h"
#include "cli/run_activity.h"
#include "cli/run_card.h"
#include "cli/run_machine.h"
#include "cli/run_progress.h"
#include "cli/run_seen.h"
#include "cli/source.h"
#include "cosim/unit_rtl.h"
#include "base/hang.h"
#include "base/json_out.h"
#include "base/waves/wave_file.h"
#include "workload/trace/trace.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_SETS = 64,
  OUTPUTS = RUN_SEEN_FILES + 3,
  RUN_AGAIN = 1000 /* instead of an exit code: with one thread */
};

typedef struct {
  rtl_from_t verilog;
  cli_source_t source;
  const char *name; /* name of the workload */
  const char *config, *json, *vcd, *record, *regress, *activity;
  const char *sets[MAX_SETS];
  unsigned n_sets;
  run_sms_t on;
  uint64_t from, to, hang;
  run_seen_t seen;
  unit_choice_t choice;
  bool no_check;
  bool functional, contract; /* without the SM; sums of products are fma */
  bool as_driver;            /* the code in the order of a driver's compiler */
  unsigned threads;
  bool gpu; /* without the SM, compared with a GPU of this machine */
  uint64_t gpu_number;
} options_t;

/* ---- options --------------------------------------------------------------- */

static int take_set(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  return cli_append(o->sets, &o->n_sets, MAX_SETS, name, v, err);
}

static int take_impl(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return unit_parse(&o->choice, v, err);
}

static int take_impl_sm(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  uint64_t n = 0;
  o->on.impl_given = true;
  if (strcmp(v, "all") == 0) {
    o->choice.sm = -1;
    return 0;
  }
  if (cli_number(name, v, 0, SET_MEMBERS - 1, &n, err) != 0) return -1;
  o->choice.sm = (int)n;
  return 0;
}

static int take_vcd_sm(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  o->on.vcd_given = true;
  return cli_number(name, v, 0, SET_MEMBERS - 1, &o->on.vcd, err);
}

static int take_activity_sm(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  o->on.activity_given = true;
  return cli_number(name, v, 0, SET_MEMBERS - 1, &o->on.activity, err);
}

static int take_threads(void *self, const char *name, const char *v, mrpb_err_t *err) {
  return run_machine_threads(&((options_t *)self)->threads, name, v, err);
}

static int take_gpu(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  o->gpu = true;
  return v ? cli_number(name, v, 0, 63, &o->gpu_number, err) : 0;
}

static const cli_option_t options[] = {
    CLI_TEXT(options_t, config, "-c", "FILE", "the configuration"),
    CLI_MANY(take_set, "--set", "KEY=VALUE", "a key of it; `mrpb help-config` lists them"),
    CLI_SOURCE(options_t, source),
    CLI_LIST(options_t, source.ptx.dumps, source.ptx.n_dumps, CLI_PTX_ARGS, "--dump", "N:FILE",
             "writes the buffer of argument N after the run"),
    CLI_FLAG(options_t, no_check, "--no-check", "with --impl UNIT=rtl: --check is not implied"),
    CLI_TEXT(options_t, record, "--record", "FILE", "records the trace: .xz .gz .zst .tracez .g"),
    CLI_TEXT(options_t, seen.requests, "--requests", "FILE",
             "writes when each load was offered and answered: docs/align.md"),
    CLI_FLAG(options_t, functional, "--functional", "runs without timing"),
    CLI_FLAG(options_t, contract, "--contract",
             "sums of products without .rn are fma, as a GPU's driver compiles them: docs/ptx.md"),
    CLI_FLAG(options_t, as_driver, "--as-driver",
             "moves loads forward, as a GPU's driver compiles them: docs/ptx.md"),
    CLI_ATTACHED(take_gpu, "--gpu", "N",
                 "without timing, and on GPU N (0) of this machine: docs/silicon.md"),
    CLI_JSON(options_t, json, "all counts"),
    CLI_NUMBER(options_t, seen.every, "--interval", 1, 1000000000,
               "counts also each N SM cycles by themselves: docs/intervals.md"),
    CLI_TEXT(options_t, seen.csv, "--interval-csv", "FILE", "a line for each interval"),
    CLI_FLAG(options_t, seen.maps, "--maps",
             "counts also each set, queue and bank in each interval: docs/maps.md"),
    CLI_TEXT(options_t, seen.stacks, "--interval-stacks", "FILE", "what each SM waited for"),
    CLI_TEXT(options_t, seen.by_pc, "--by-pc", "FILE",
             "counts of each instruction, as CSV: docs/profile.md"),
    CLI_TEXT(options_t, seen.by_buffer, "--by-buffer", "FILE", "of each buffer"),
    CLI_FLAG(options_t, seen.profile, "--profile",
             "all that `mrpb report` shows of a run, in the JSON: docs/report.md"),
    CLI_TEXT(options_t, seen.timeline.file, "--timeline", "FILE",
             "warps and requests, cycle by cycle, as trace events: docs/timeline.md"),
    CLI_NUMBER(options_t, seen.timeline.from, "--timeline-from", 0, UINT64_MAX, "its first cycle"),
    CLI_NUMBER(options_t, seen.timeline.to, "--timeline-to", 0, UINT64_MAX, "its last cycle"),
    CLI_TEXT(options_t, seen.timeline.sms, "--timeline-sm", "LIST", "its SMs: 0,4-7 (all)"),
    CLI_TAKE(take_threads, "--threads", "N|auto",
             "threads of the host, or as many as are free; same results: docs/threads.md"),
    CLI_MANY(take_impl, "--impl", "UNIT=c|rtl|both,...",
             "mrpb, mshr, prt, or l1, the whole path: C, Verilog, or both compared"),
    CLI_TAKE(take_impl_sm, "--impl-sm", "N|all", "which SM (1; in-order cores: 0)"),
    CLI_RTL(options_t, verilog),
    CLI_NUMBER(options_t, hang, "--hang", 1, 86400,
               "seconds that a cycle of a unit, a block without timing, or a launch on a GPU may "
               "take, and that warps may wait for one another (60)"),
    CLI_TEXT(options_t, regress, "--regress", "DIR",
             "folder for the shrunk case of a mismatch (build/cases)"),
    CLI_TEXT(options_t, activity, "--activity", "DIR",
             "accesses, toggles and duty of one SM's units: docs/estimate/activity.md"),
    CLI_TAKE(take_activity_sm, "--activity-sm", "N", "which SM (1; in-order cores: 0)"),
    CLI_TEXT(options_t, vcd, "--vcd", "FILE", "a wave of one SM"),
    CLI_TAKE(take_vcd_sm, "--vcd-sm", "N", "which SM"),
    CLI_NUMBER(options_t, from, "--from", 0, UINT64_MAX, "its first cycle"),
    CLI_NUMBER(options_t, to, "--to", 0, UINT64_MAX, "its last cycle"),
};

/* What a run with timing shows of itself. */
#define SHOWN                                                                                      \
  "--json --vcd --requests --interval --interval-csv --interval-stacks --maps --by-pc "            \
  "--by-buffer --profile --timeline --impl"

static const cli_rule_t rules[] = {
    {"--gpu", NULL,
     "-c --set --functional --trace --record --requests --interval --interval-csv "
     "--interval-stacks --maps --by-pc --by-buffer --profile --timeline --check --impl --impl-sm "
     "--activity --vcd",
     "--gpu goes without @: a GPU runs at its own speed; legal: the options that say what runs, "
     "--hang, --dump and --json"},
    {"--activity", NULL, "--functional",
     "--activity needs the memory path; legal: without --functional"},
    {"--check", NULL, "--functional", "--check needs the memory path; legal: without --functional"},
    {"--trace", NULL, "--functional",
     "--trace goes without --kernel, --ptx, --launch and --functional"},
    {"--contract", NULL, "--trace", "--contract: legal: with a program, --ptx or --launch"},
    {"--as-driver", NULL, "--trace", "--as-driver: legal: with a program, --ptx or --launch"},
    {"--vcd-sm --from --to", "--vcd", NULL,
     "--vcd-sm --from --to need a wave; legal: with --vcd FILE"},
    {"--activity-sm", "--activity", NULL, "--activity-sm: legal: with --activity DIR"},
    {"--timeline-sm --timeline-from --timeline-to", "--timeline", NULL,
     "--timeline-sm --timeline-from --timeline-to need a timeline; legal: with --timeline FILE"},
    {"--interval-csv --interval-stacks", "--interval --profile", NULL,
     "--interval-csv, --interval-stacks: legal: with --interval N, the cycles of an interval"},
    {"--interval", "--interval-csv --interval-stacks --json", NULL,
     "--interval: legal: with --interval-csv FILE, --interval-stacks FILE or --json FILE"},
    {"--maps", "--interval --profile", NULL, "--maps: legal: with --interval N and --json FILE"},
    {"--maps", "--json", NULL, "--maps: legal: with --interval N and --json FILE"},
    {"--profile", "--json", NULL, "--profile: legal: with --json FILE"},
    {SHOWN, NULL, "--functional", SHOWN " need the memory path; legal: without --functional"},
};

/* The files that it writes; returns where the next one may be put. */
static const char **outputs(const options_t *o, const char *file[OUTPUTS]) {
  run_seen_files(&o->seen, file);
  file[RUN_SEEN_FILES] = o->json;
  file[RUN_SEEN_FILES + 1] = o->vcd;
  file[RUN_SEEN_FILES + 2] = o->record;
  return file + OUTPUTS;
}

/* Refuses an option that would have no effect, and a file that would overwrite another. */
static int check_pairs(const options_t *o, mrpb_err_t *err) {
  const char *file[OUTPUTS + 4];
  const char **in = outputs(o, file);
  *in++ = o->config;
  *in++ = o->source.trace;
  *in++ = o->source.ptx.file;
  *in++ = o->source.launch;
  if (cli_apart(file, OUTPUTS, OUTPUTS + 4, err) != 0) return -1;
  if (run_seen_check(&o->seen, err) != 0) return -1;
  if (!unit_verilog(&o->choice) && (rtl_given(&o->verilog) || o->regress))
    return mrpb_fail(err,
                     "--rtl, -f, --map and --regress: legal: with --impl UNIT=rtl or UNIT=both");
  return 0;
}

static int check_options(options_t *o, mrpb_err_t *err) {
  run_seen_settle(&o->seen);
  if (source_check(&o->source, &o->name, err) != 0 || check_pairs(o, err) != 0 ||
      run_machine_check(&o->source.check, o->no_check, &o->choice, err) != 0)
    return -1;
  if (o->functional || o->gpu) return 0;
  if (!o->config) return mrpb_fail(err, "no configuration; legal: -c configs/FILE");
  if (o->from > o->to)
    return mrpb_fail(err, "--from %" PRIu64 " is after --to %" PRIu64, o->from, o->to);
  return 0;
}

static int load(const options_t *o, config_t *m, mrpb_err_t *err) {
  const run_asks_t asks = {&o->choice,
                           o->source.check,
                           o->vcd,
                           o->activity,
                           o->seen.requests,
                           run_seen_profiles(&o->seen),
                           o->seen.timeline.file || o->seen.maps};
  return run_machine_load(m, o->config, o->sets, o->n_sets, &asks, err);
}

/* ---- the run --------------------------------------------------------------- */

/* A launch file's message already says where it is. */
static void print_difference(const options_t *o, const char *where, const mrpb_err_t *err) {
  if (o->source.launch)
    fprintf(stderr, "mrpb run: %s\n", err->text);
  else
    fprintf(stderr, "mrpb run: %s%s: %s\n", where, o->name, err->text);
}

/* The text after a result: what the host has compared; `what` is the name of the memory. */
static const char *host_check(const options_t *o, const char *what, char to[RUN_CARD_CHECK]) {
  const uint64_t n = o->source.host ? launch_compared(o->source.host) : 0;
  to[0] = '\0';
  if (!o->source.host) snprintf(to, RUN_CARD_CHECK, "; %s is what the host computes", what);
  if (n > 0) snprintf(to, RUN_CARD_CHECK, "; %" PRIu64 " comparison%s held", n, n == 1 ? "" : "s");
  return to;
}

static int finish(const options_t *o, const config_t *m, gpu_t *gpu, const seen_t *seen,
                  workload_t *w, gpu_end_t end, mrpb_err_t *err) {
  int rc = CLI_OK;
  switch (end) {
  case GPU_DONE:
    break;
  case GPU_MISMATCH:
    fprintf(stderr, "mrpb run: cycle %" PRIu64 ": %s\n", gpu_cycles(gpu), err->text);
    return CLI_DIFFERENT;
  case GPU_HANG:
    if (m->core == CONFIG_CORE_IN_ORDER)
      fprintf(stderr, "mrpb run: cycle %" PRIu64 ": no warp can go on\n", gpu_cycles(gpu));
    else
      fprintf(stderr, "mrpb run: no progress for HANG_CYCLES = %" PRIu32 " cycles\n",
              m->hang_cycles);
    gpu_dump(gpu, stderr);
    return CLI_HANG;
  case GPU_INTERRUPTED:
    fprintf(stderr, "mrpb run: interrupted at cycle %" PRIu64 "%s%s\n", gpu_cycles(gpu),
            o->vcd ? "; closed " : "", o->vcd ? o->vcd : "");
    return CLI_INTERRUPTED;
  case GPU_AGAIN:
    return RUN_AGAIN;
  case GPU_FAILED:
    (void)cli_fail("run", err);
    return workload_hangs(w) ? CLI_HANG : CLI_USAGE;
  }
  const int checked = workload_check(w, err);
  if (checked == WORKLOAD_FAILED) return cli_fail("run", err);
  if (checked != 0) {
    print_difference(o, "the memory after ", err);
    return CLI_DIFFERENT;
  }
  if (o->json) {
    json_t *json = cli_report(gpu, m, o->name, &o->source.program);
    run_seen_json(seen, gpu, &json);
    if (o->choice.ctx && unit_rtl_compared(o->choice.ctx) > 0)
      json_out_set(&json, "lockstep", unit_rtl_json(o->choice.ctx));
    if (!json) mrpb_fail(err, "%s: out of memory; nothing was written", o->json);
    if (!json || cli_write_json(o->json, json, err) != 0) rc = cli_fail("run", err);
    json_decref(json);
  }
  if (rc == CLI_OK && run_seen_write(seen, gpu, err) != 0) rc = cli_fail("run", err);
  if (rc == CLI_OK) cli_print_report(stdout, gpu, m, o->config, o->name, &o->source.program);
  char held[RUN_CARD_CHECK];
  if (rc == CLI_OK && o->source.launch && host_check(o, "", held)[0])
    printf("  launch file     %s\n", held + 2);
  return rc;
}

/* Runs without timing. Faults of the program are wrong input; a wrong result is a difference. */
static int run_functional(const options_t *o, workload_t *w, mrpb_err_t *err) {
  const int rc = workload_run_within(w, (double)o->hang, err);
  if (rc == WORKLOAD_FAILED) return cli_fail("run", err);
  if (rc == WORKLOAD_HANGS) return (void)cli_fail("run", err), CLI_HANG;
  if (rc != 0) {
    print_difference(o, "", err);
    return CLI_DIFFERENT;
  }
  char checked[RUN_CARD_CHECK];
  printf("%s: run without timing%s\n", o->name, host_check(o, "the memory", checked));
  return CLI_OK;
}

static const char *host_check_of_card(const void *ctx, char to[RUN_CARD_CHECK]) {
  return host_check(ctx, "it", to);
}

static bool loose_on_card(const void *ctx, unsigned i, uint64_t *addr, uint64_t *bytes) {
  const options_t *o = ctx;
  return o->source.host && launch_loose(o->source.host, i, addr, bytes);
}

static int run_on_card(const options_t *o, workload_t *w) {
  const run_card_t r = {.number = (unsigned)o->gpu_number,
                        .limit = (double)o->hang,
                        .name = o->name,
                        .json = o->json,
                        .host_check = host_check_of_card,
                        .loose = loose_on_card,
                        .ctx = o};
  return run_card(&r, w);
}

/* Opens a trace, a user's kernels or a program, and the recorder if there is one. */
static int open_workload(options_t *o, workload_t **w, mrpb_err_t *err) {
  const char *file[OUTPUTS];
  (void)outputs(o, file);
  mrpb_err_t note = {{0}};
  *w = NULL;
  int rc = source_open(&o->source, w, &note, err);
  if (rc == 0 && note.text[0]) fprintf(stderr, "mrpb run: note: %s\n", note.text);
  if (rc == 0) simt_patience(*w, (unsigned)o->hang);
  if (rc == 0) rc = source_rewrite(*w, o->contract, o->as_driver, err);
  if (!o->name) o->name = o->source.ptx.file;
  if (rc == 0) rc = source_apart(&o->source, file, OUTPUTS, err);
  if (rc != 0) workload_close(*w);
  if (rc != 0 || !o->record) return rc;
  workload_t *inner = *w;
  if (trace_record(w, inner, o->record, err) == 0) return 0;
  workload_close(inner);
  return -1;
}

static gpu_setup_t setup_of(const options_t *o, const config_t *m, workload_t *w,
                            run_progress_t *p) {
  return (gpu_setup_t){.cfg = m,
                       .workload = w,
                       .threads = o->threads,
                       .choice = &o->choice,
                       .check = o->source.check,
                       .vcd = o->vcd,
                       .vcd_sm = (unsigned)o->on.vcd,
                       .vcd_from = o->from,
                       .vcd_to = o->to,
                       .poll = run_progress_poll,
                       .ctx = p};
}

/* Runs the GPU to its end and reports. */
static int run_created(options_t *o, const config_t *m, workload_t *w, unit_rtl_set_t *rtl,
                       gpu_t *gpu, seen_t *seen, run_progress_t *p, mrpb_err_t *err) {
  /* The watch of the Verilog and its C model can name the culprit, so it must report first. */
  hang_watch(&p->hang, "run", &p->cycle, 2 * (unsigned)o->hang);
  hang_enter(&p->hang, "the simulation");
  gpu_end_t end = run_seen_run(seen, gpu, err);
  hang_end(&p->hang);
  run_progress_clear(p);
  int rc = finish(o, m, gpu, seen, w, end, err);
  if (rc == CLI_OK && rtl && unit_rtl_compared(rtl) > 0)
    printf("  lockstep        %" PRIu64 " cycles of %s compared, no difference\n",
           unit_rtl_compared(rtl), o->choice.sm < 0 ? "all SMs" : "one SM");
  if (rc == CLI_OK && rtl && (rc = unit_rtl_verdict(rtl, "  lockstep        ", stdout, err)) != 0)
    (void)cli_fail("run", err);
  return rc;
}

/* Runs on the GPU model. If Verilog is used, it is already open. */
static int run_gpu(options_t *o, const config_t *m, workload_t *w, unit_rtl_set_t *rtl,
                   mrpb_err_t *err) {
  run_progress_t p;
  gpu_t *gpu = NULL;
  activity_t *activity = NULL;
  seen_t *seen;
  int rc = run_activity_open(o->activity, (unsigned)o->on.activity, m, &o->choice, &activity, err);
  gpu_setup_t s = setup_of(o, m, w, &p);
  const bool opened = run_seen_open(&o->seen, w, &s, &seen, err) == 0;
  if (rc == CLI_OK && !opened) rc = cli_fail("run", err);
  run_progress_begin(&p, o->name);
  if (rc == CLI_OK && gpu_create(&gpu, &s, err) != 0) {
    rc = cli_fail("run", err);
    if (rtl && unit_rtl_exit_code(rtl) > 0) rc = unit_rtl_exit_code(rtl);
  } else if (rc == CLI_OK) {
    rc = run_created(o, m, w, rtl, gpu, seen, &p, err);
    if (rc == CLI_OK && activity)
      rc = run_activity_end(activity, o->activity, cli_report(gpu, m, o->name, &o->source.program),
                            err);
  }
  if (run_seen_end(seen, rc == CLI_OK, err) != 0 && rc == CLI_OK) rc = cli_fail("run", err);
  gpu_destroy(gpu);
  run_seen_close(seen);
  activity_close(activity);
  return rc;
}

/* The SMs' instructions have met in a window: the same program once more, from its beginning. */
static int run_again(options_t *o, const config_t *m, workload_t **w, mrpb_err_t *err) {
  fprintf(stderr, "mrpb run: note: SMs write what others read; begun again with one thread\n");
  workload_close(*w);
  o->threads = 1;
  if (open_workload(o, w, err) != 0) {
    *w = NULL;
    return cli_fail("run", err);
  }
  return run_gpu(o, m, *w, NULL, err);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o = {.to = UINT64_MAX,
                 .seen.timeline.to = UINT64_MAX,
                 .hang = HANG_SECONDS,
                 .threads = 1,
                 .choice = {.sm = 1}};
  config_t m;
  workload_t *w = NULL;
  unit_rtl_set_t *rtl = NULL;
  char repeat[CLI_COMMAND], program[CLI_COMMAND];
  cli_command_line(argc, argv, repeat);
  cli_program(program);
  int rc = cli_parse(&cmd_run, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check_options(&o, &err) != 0) return cli_fail("run", &err);
  if (wave_file_no_tool(o.vcd, &err)) return (void)cli_fail("run", &err), CLI_BAD_TOOL;
  const bool timed = !o.functional && !o.gpu;
  if (timed && (load(&o, &m, &err) != 0 || run_machine_choose(&o.on, &o.choice, &m, &err) != 0))
    return cli_fail("run", &err);
  if (open_workload(&o, &w, &err) != 0) return cli_fail("run", &err);
  rc = CLI_OK;
  if (o.functional) {
    rc = run_functional(&o, w, &err);
  } else if (o.gpu) {
    rc = run_on_card(&o, w);
  } else if (unit_verilog(&o.choice)) {
    rc = unit_rtl_set_open(&rtl, &o.verilog, 1, stderr, repeat, cli_progress(), &err);
    if (rc == CLI_OK) rc = unit_rtl_set_check(rtl, &o.choice, &err);
    o.choice.open_rtl = unit_rtl_open;
    o.choice.ctx = rtl;
    if (rc != CLI_OK) (void)cli_fail("run", &err);
    if (rc == CLI_OK) unit_rtl_set_patience(rtl, (unsigned)o.hang);
    if (rc == CLI_OK) unit_rtl_set_keep(rtl, o.regress, program, cli_signalled);
  }
  if (rc == CLI_OK && timed) rc = run_gpu(&o, &m, w, rtl, &err);
  if (rc == RUN_AGAIN) rc = run_again(&o, &m, &w, &err);
  if (rc == CLI_OK && o.source.host && launch_write(o.source.host, &err) != 0)
    rc = cli_fail("run", &err);
  if (rtl) unit_rtl_set_close(rtl);
  workload_close(w);
  return rc;
}

const cli_command_t cmd_run = {
    .name = "run",
    .operands = "",
    .doc = "runs a program, a user's PTX kernels or a recorded trace on the whole GPU",
    .details = "Exit 0 success, 1 difference, 2 wrong input, 4 hang, 130 Ctrl-C. docs/running.md",
    CLI_OPTIONS(options),
    CLI_RULES(rules),
    .run = run,
};
