/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb dram`: runs a DRAM trace, or a pattern, through one channel alone. */
#include "cli/cli.h"
#include "cli/dram_table.h"
#include "config/config.h"
#include "gpu/dram/replay.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { REQUESTS = 100000 }; /* of a pattern, by default */

typedef struct {
  const char *trace, *pattern, *map, *json, *export, *table;
  dram_format_t format, as;
  uint64_t requests, bytes;
  bool columns_first, per_bank;
  config_t cfg;
} options_t;

static int take_config(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  return strcmp(name, "-c") == 0 ? config_load_with(&o->cfg, CONFIG_HAS_FLITS, v, err)
                                 : config_set(&o->cfg, v, err);
}

static int take_format(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  bool out = strcmp(name, "--as") == 0;
  if (out && strcmp(v, dram_format_name(DRAM_AUTO)) == 0)
    return mrpb_fail(err, "--as auto: legal: dramsim3, ramulator, loadstore");
  return dram_format_parse(out ? &o->as : &o->format, v, err);
}

static int take_trace(void *self, const char *name, const char *v, mrpb_err_t *err) {
  options_t *o = self;
  (void)name;
  return cli_once(&o->trace, v, "legal: one trace", err);
}

static const cli_option_t options[] = {
    CLI_TEXT(options_t, pattern, "--pattern", "NAME", "generated requests instead of a trace"),
    CLI_NUMBER(options_t, requests, "--requests", 1, 1000000000, "requests of a pattern (100000)"),
    CLI_TAKE(take_format, "--format", "NAME",
             "auto (by the first request), dramsim3, ramulator, loadstore"),
    CLI_TAKE(take_config, "-c", "FILE", "a configuration: its DRAM_... keys and CLOCK_DRAM"),
    CLI_MANY(take_config, "--set", "KEY=VALUE", "a key of it"),
    CLI_TEXT(options_t, map, "--map", "FIELDS",
             "the fields of an address, highest bits first (row,group,bank,column:12)"),
    CLI_NUMBER(options_t, bytes, "--bytes", 1, 4096,
               "bytes of a request (what one column command moves)"),
    CLI_FLAG(options_t, columns_first, "--columns-first",
             "reads and writes before activates and precharges"),
    CLI_FLAG(options_t, per_bank, "--per-bank", "a line for each bank"),
    CLI_JSON(options_t, json, "all counts"),
    CLI_TEXT(options_t, export, "--export", "FILE", "only writes the requests as a trace"),
    CLI_TAKE(take_format, "--as", "NAME", "the format of that trace (dramsim3)"),
    CLI_TEXT(options_t, table, "--table", "FILE",
             "all patterns as a Markdown table, beside other simulators' figures in FILE"),
};

static int check_options(const options_t *o, mrpb_err_t *err) {
  int sources = (o->trace != NULL) + (o->pattern != NULL) + (o->table != NULL);
  if (sources != 1)
    return mrpb_fail(err, "%s; legal: a trace file, or --pattern NAME, or --table FILE",
                     sources ? "more than one source of requests" : "no requests");
  if (o->table && (o->json || o->export || o->per_bank || o->columns_first))
    return mrpb_fail(err,
                     "--table with --json, --export, --per-bank or --columns-first; legal: one "
                     "pattern for these");
  if (o->trace && o->requests)
    return mrpb_fail(err, "--requests with a trace; legal: with a pattern");
  if (o->as && !o->export) return mrpb_fail(err, "--as without --export; legal: both");
  if (o->pattern && o->format)
    return mrpb_fail(err, "--format with a pattern; legal: with a trace");
  return config_check(&o->cfg, "dram", err);
}

static int open_source(const options_t *o, dram_source_t **from, mrpb_err_t *err) {
  return o->trace ? dram_source_open(from, o->trace, o->format, err)
                  : dram_source_pattern(from, o->pattern, o->requests, err);
}

/* ---- export ----------------------------------------------------------------- */

static int export(const options_t *o, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  dram_source_t *from;
  dram_request_t r;
  if (open_source(o, &from, err) != 0) return -1;
  int rc = 0;
  FILE *f = output_open(o->export, temp, err);
  if (!f) return dram_source_close(from), -1;
  bool stopped = false;
  while (!(stopped = cli_signalled()) && !ferror(f) && (rc = dram_source_next(from, &r, err)) > 0)
    dram_format_write(f, o->as, &r);
  dram_source_close(from);
  if (!stopped && rc >= 0) return output_close(f, false, o->export, temp, err);
  (void)fclose(f);
  output_discard(o->export, temp);
  return stopped ? CLI_INTERRUPTED : -1;
}

/* ---- results ---------------------------------------------------------------- */

typedef struct {
  const dram_replay_t *r;
  const dram_cfg_t *dram;
  double mhz, seconds, bytes; /* bytes requested */
  bool timed;                 /* the trace has cycles */
} result_t;

static double part(uint64_t n, uint64_t of) {
  return of ? 100.0 * (double)n / (double)of : 0;
}
static double mean(uint64_t sum, uint64_t of) {
  return of ? (double)sum / (double)of : 0;
}

static double rate(const result_t *s) {
  return s->seconds > 0 ? s->bytes / s->seconds / 1e9 : 0;
}

/* The channel's peak bandwidth: a burst's bytes in the cycles that it occupies the bus. */
static double peak(const result_t *s) {
  const dram_cfg_t *d = s->dram;
  return (double)(d->bus_bytes * d->chips * d->beats_per_cycle) * s->mhz / 1e3;
}

static void print_banks(const result_t *s) {
  printf("  bank    requests     row hits    activates   precharges      columns\n");
  for (uint32_t b = 0; b < s->dram->banks; b++) {
    const dram_bank_count_t *k = &s->r->bank[b];
    printf("  %4" PRIu32 " %11" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
           b, k->requests, k->requests - k->activates, k->activates, k->precharges, k->columns);
  }
}

static void print_result(const options_t *o, const result_t *s, const char *format) {
  const dram_replay_t *r = s->r;
  printf("%s (%s): %" PRIu64 " requests of %" PRIu64 " bytes: %" PRIu64 " reads, %" PRIu64
         " writes\n",
         o->trace ? o->trace : o->pattern, format, r->requests, o->bytes, r->reads, r->writes);
  printf("  cycles      %" PRIu64 " at %.0f MHz: %.3f us\n", r->cycles, s->mhz, 1e6 * s->seconds);
  printf("  rows        %" PRIu64 " hits (%.2f %%), %" PRIu64 " misses, %" PRIu64 " conflicts\n",
         r->hits, part(r->hits, r->requests), r->misses, r->conflicts);
  printf("  bandwidth   %.3f GB/s of %.3f; data bus in use %.2f %% of the cycles\n", rate(s),
         peak(s), part(r->data_cycles, r->cycles));
  printf("  latency     min %" PRIu64 ", mean %.2f, max %" PRIu64 " cycles in the channel\n",
         r->latency_min, mean(r->latency_sum, r->requests), r->latency_max);
  if (s->timed)
    printf("  before it   mean %.2f, max %" PRIu64 " cycles behind the trace's own\n",
           mean(r->waited_sum, r->requests), r->waited_max);
  if (o->per_bank) print_banks(s);
}

static json_t *banks_json(const result_t *s) {
  json_t *all = json_array();
  for (uint32_t b = 0; b < s->dram->banks; b++) {
    const dram_bank_count_t *k = &s->r->bank[b];
    json_out_append(&all, json_pack("{sI sI sI sI}", "requests", (json_int_t)k->requests,
                                    "activates", (json_int_t)k->activates, "precharges",
                                    (json_int_t)k->precharges, "columns", (json_int_t)k->columns));
  }
  return all;
}

static json_t *result_json(const options_t *o, const result_t *s, const char *format) {
  const dram_replay_t *r = s->r;
  const struct {
    const char *name;
    uint64_t v;
  } counts[] = {{"requests", r->requests},
                {"request_bytes", o->bytes},
                {"reads", r->reads},
                {"writes", r->writes},
                {"cycles", r->cycles},
                {"row_hits", r->hits},
                {"row_misses", r->misses},
                {"row_conflicts", r->conflicts},
                {"data_cycles", r->data_cycles},
                {"busy_cycles", r->busy},
                {"latency_min", r->latency_min},
                {"latency_max", r->latency_max},
                {"waited_max", r->waited_max}};
  json_t *all = json_object();
  json_out_set(&all, "source", json_string(o->trace ? o->trace : o->pattern));
  json_out_set(&all, "format", json_string(format));
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    json_out_set(&all, counts[i].name, json_integer((json_int_t)counts[i].v));
  json_out_set(&all, "latency_mean", json_real(mean(r->latency_sum, r->requests)));
  json_out_set(&all, "waited_mean", json_real(mean(r->waited_sum, r->requests)));
  json_out_set(&all, "clock_mhz", json_real(s->mhz));
  json_out_set(&all, "gigabytes_per_second", json_real(rate(s)));
  json_out_set(&all, "peak_gigabytes_per_second", json_real(peak(s)));
  json_out_set(&all, "banks", banks_json(s));
  return all;
}

static int write_json(const options_t *o, const result_t *s, const char *format, mrpb_err_t *err) {
  json_t *json = result_json(o, s, format);
  if (!json) return mrpb_fail(err, "%s: out of memory; nothing was written", o->json);
  int rc = cli_write_json(o->json, json, err);
  json_decref(json);
  return rc;
}

/* ---- the run ---------------------------------------------------------------- */

static int replay(const options_t *o, const dram_cfg_t *dram, const dram_map_t *map,
                  mrpb_err_t *err) {
  dram_source_t *from;
  dram_replay_t r;
  if (open_source(o, &from, err) != 0) return cli_fail("dram", err);
  dram_replay_end_t end = dram_replay(&r, dram, map, (uint32_t)o->bytes, from, cli_signalled, err);
  const dram_format_t f = dram_source_format(from);
  const char *format = o->pattern ? "pattern" : dram_format_name(f);
  dram_source_close(from);
  if (end == DRAM_REPLAY_STOPPED) {
    fprintf(stderr, "mrpb dram: interrupted after %" PRIu64 " requests\n", r.requests);
    return CLI_INTERRUPTED;
  }
  if (end == DRAM_REPLAY_FAILED) return cli_fail("dram", err);
  const result_t s = {.r = &r,
                      .dram = dram,
                      .mhz = o->cfg.clock_dram,
                      .seconds = (double)r.cycles / o->cfg.clock_dram / 1e6,
                      .bytes = (double)r.requests * (double)o->bytes,
                      .timed = f == DRAM_DRAMSIM3};
  if (o->json && write_json(o, &s, format, err) != 0) return cli_fail("dram", err);
  print_result(o, &s, format);
  return CLI_OK;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  options_t o = {.map = "row,group,bank,column:12"};
  dram_map_t map;
  config_defaults(&o.cfg);
  int rc = cli_parse(&cmd_dram, &o, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED || check_options(&o, &err) != 0) return cli_fail("dram", &err);
  dram_cfg_t dram = dram_configured(&o.cfg);
  dram.columns_first = o.columns_first;
  if (o.requests == 0) o.requests = REQUESTS;
  if (o.bytes == 0) o.bytes = dram.burst * dram.bus_bytes * dram.chips;
  if (dram_check(&dram, &err) != 0 || dram_map_parse(&map, o.map, &dram, &err) != 0)
    return cli_fail("dram", &err);
  if (o.export) {
    rc = export(&o, &err);
    return rc < 0 ? cli_fail("dram", &err) : rc;
  }
  if (!o.table) return replay(&o, &dram, &map, &err);
  rc = dram_table(stdout, o.table, &dram, &map, (uint32_t)o.bytes, o.requests, cli_signalled, &err);
  return rc < 0 ? cli_fail("dram", &err) : rc;
}

const cli_command_t cmd_dram = {
    .name = "dram",
    .operands = "[TRACE]",
    .doc = "runs a DRAM trace of another simulator, or a pattern, through one DRAM channel",
    .details = "Cycles, row hits, bandwidth, latency. docs/memory/dram.md has the formats and the "
               "patterns. Exit 0 success, 2 wrong input, 130 Ctrl-C.",
    CLI_OPTIONS(options),
    .operand = take_trace,
    .run = run,
};
