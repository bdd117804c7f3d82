/* SPDX-License-Identifier: Apache-2.0 */
/* See run_card.h. */
#include "cli/run_card.h"

#include "base/json_out.h"
#include "cli/cli.h"
#include "workload/silicon/beside.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  card_t *card;
  beside_t *beside;
  double mhz;
} run_t;

/* ---- the report -------------------------------------------------------------------- */

static void print(const run_card_t *o, const run_t *r) {
  const card_info_t *i = card_info(r->card);
  char checked[RUN_CARD_CHECK];
  beside_result_t w;
  beside_result(r->beside, &w);
  size_t wide = strlen("kernel");
  for (unsigned k = 0; k < w.n_kernels; k++)
    if (strlen(w.kernel[k].kernel) > wide) wide = strlen(w.kernel[k].kernel);
  printf("%s on GPU %u: %s, sm_%" PRIu32 "%" PRIu32 ", %.0f MHz, driver %" PRIu32 ".%" PRIu32 "\n",
         o->name, i->number, i->name, i->major, i->minor, r->mhz, i->driver / 1000,
         i->driver % 1000 / 10);
  printf("  %-*s  launches     seconds   shortest  an empty one\n", (int)wide, "kernel");
  for (unsigned k = 0; k < w.n_kernels; k++)
    printf("  %-*s  %8" PRIu64 "  %10.6f  %9.6f  %12.6f\n", (int)wide, w.kernel[k].kernel,
           w.kernel[k].launches, w.kernel[k].seconds, w.kernel[k].shortest, w.kernel[k].empty);
  char loose[64] = "";
  if (w.loose > 0) snprintf(loose, sizeof loose, "; %" PRIu64 " bytes are the GPU's own", w.loose);
  printf("  memory equal, %" PRIu64 " bytes in %" PRIu64 " launch%s%s%s\n", w.bytes, w.launches,
         w.launches == 1 ? "" : "es", loose, o->host_check(o->ctx, checked));
}

static json_t *kernel_json(const beside_kernel_t *k) {
  json_t *o = json_object();
  json_out_set(&o, "kernel", json_string(k->kernel));
  json_out_set(&o, "launches", json_integer((json_int_t)k->launches));
  json_out_set(&o, "seconds", json_real(k->seconds));
  json_out_set(&o, "shortest", json_real(k->shortest));
  json_out_set(&o, "empty", json_real(k->empty));
  return o;
}

static json_t *card_json(const run_t *r) {
  const card_info_t *i = card_info(r->card);
  json_t *o = json_object();
  json_out_set(&o, "number", json_integer(i->number));
  json_out_set(&o, "name", json_string(i->name));
  json_out_set(&o, "uuid", json_string(i->uuid));
  json_out_set(&o, "compute_capability", json_integer(10 * i->major + i->minor));
  json_out_set(&o, "driver", json_integer(i->driver));
  json_out_set(&o, "sms", json_integer(i->sms));
  json_out_set(&o, "mhz", json_real(r->mhz));
  return o;
}

static json_t *report(const run_card_t *o, const run_t *r) {
  beside_result_t w;
  beside_result(r->beside, &w);
  json_t *root = json_object(), *kernels = json_array();
  for (unsigned k = 0; k < w.n_kernels; k++) json_out_append(&kernels, kernel_json(&w.kernel[k]));
  json_out_set(&root, "workload", json_string(o->name));
  json_out_set(&root, "gpu", card_json(r));
  json_out_set(&root, "launches", json_integer((json_int_t)w.launches));
  json_out_set(&root, "bytes_equal", json_integer((json_int_t)w.bytes));
  if (w.loose > 0) json_out_set(&root, "bytes_loose", json_integer((json_int_t)w.loose));
  json_out_set(&root, "kernels", kernels);
  return root;
}

/* ---- the run ----------------------------------------------------------------------- */

static int run(const run_card_t *o, workload_t *w, run_t *r, mrpb_err_t *err) {
  if (card_open(&r->card, o->number, cli_signalled, err) != 0 ||
      beside_open(&r->beside, r->card, w, err) != 0 || card_clock(r->card, &r->mhz, err) != 0)
    return cli_fail("run", err);
  beside_loose(r->beside, o->loose, o->ctx);
  const int rc = beside_run(r->beside, o->limit, cli_signalled, err);
  if (rc == WORKLOAD_FAILED) return cli_fail("run", err);
  if (rc != 0) {
    /* A message about a launch file's line already says where it is. */
    const bool named = strncmp(err->text, o->name, strlen(o->name)) == 0;
    fprintf(stderr, "mrpb run: %s%s%s\n", named ? "" : o->name, named ? "" : ": ", err->text);
    return CLI_DIFFERENT;
  }
  if (o->json) {
    json_t *json = report(o, r);
    if (!json) mrpb_fail(err, "%s: out of memory; nothing was written", o->json);
    const int written = json ? cli_write_json(o->json, json, err) : -1;
    json_decref(json);
    if (written != 0) return cli_fail("run", err);
  }
  print(o, r);
  return CLI_OK;
}

int run_card(const run_card_t *o, workload_t *w) {
  mrpb_err_t err = {{0}};
  run_t r = {0};
  const int rc = run(o, w, &r, &err);
  beside_close(r.beside);
  card_close(r.card);
  return rc;
}
