/* SPDX-License-Identifier: Apache-2.0 */
/* The section "The paper's setting": the figures of paper 001, section 6, beside the results
 * obtained here. It does not depend on the configuration. */
#include "estimate/report.h"
#include "estimate/sections.h"
#include "base/json_out.h"

#include <string.h>

/* Paper 001: Table 4 and sections 3.3 and 6. */
enum {
  QUEUES = 48,
  ENTRIES = 8,
  HEADER_BYTES = 8,
  DATA_BYTES = 128,
  L1_BYTES = 16384,
  CCWS_BYTES = 3840
};
static const double paper_area = 0.0126, paper_ratio = 10.5, paper_ghz = 2.6, paper_ccws = 0.0141;

static const char *paper_name(cacti_paper_t which) {
  static const char *const names[] = {"mrpb", "l1", "ccws"};
  return names[which];
}

void paper_input_name(cacti_paper_t which, cacti_version_t v, char name[ESTIMATE_PATH]) {
  snprintf(name, ESTIMATE_PATH, "cacti/paper/%s.%s.cfg", paper_name(which), cacti_version_name(v));
}

int paper_inputs(estimate_t *e, mrpb_err_t *err) {
  char name[ESTIMATE_PATH], text[CACTI_TEXT];
  if (estimate_folder(e, "cacti/paper", err) != 0) return -1;
  for (unsigned i = 0; i < CACTI_PAPERS; i++) {
    const cacti_input_t in = cacti_paper((cacti_paper_t)i);
    for (unsigned v = 0; v < CACTI_VERSIONS; v++) {
      cacti_write(&in, (cacti_version_t)v, text);
      paper_input_name((cacti_paper_t)i, (cacti_version_t)v, name);
      if (estimate_write(e, name, text, err) != 0) return -1;
    }
  }
  return 0;
}

/* ---- figures that follow from sizes alone --------------------------------------- */

static void sizes(FILE *md, json_t **json) {
  const int with = HEADER_BYTES, without = HEADER_BYTES + DATA_BYTES;
  const int n = QUEUES * ENTRIES;
  fprintf(md, "| storage | here | paper 001 |\n| --- | ---: | --- |\n");
  fprintf(md, "| an entry with the flush option: a read's header | %d B | 8 B |\n", with);
  fprintf(md, "| an entry without it: a write's header and data | %d B | up to 136 B |\n", without);
  fprintf(md, "| MRPB, %d queues x %d entries, flush | %d B | \"less than 3KB\" |\n", QUEUES,
          ENTRIES, n * with);
  fprintf(md, "| the same without the flush option | %d B | - |\n", n * without);
  fprintf(md, "| MRPB : a 16 KB L1, data alone | %.2f %% | - |\n",
          100.0 * n * with / (double)L1_BYTES);
  fprintf(md, "| CCWS, one tag store that fits its area | %d B | not given |\n\n", CCWS_BYTES);
  fprintf(md,
          "Identified: 48 x 8 entries of 8 B are 3072 B, exactly 3 KB (of 1024 bytes), and their "
          "area in CACTI 6.5 is the\npaper's. Not identified: what makes it *less* than 3 KB (a "
          "warp's own queue need not store the warp's number,\nfor one). The paper gives no size "
          "for CCWS, only at least %.4f mm2; 48 warps x 16 tags x 40 bits are near it.\n\n",
          paper_ccws);
  json_out_set(json, "entry_bytes_flush", json_integer(with));
  json_out_set(json, "entry_bytes_no_flush", json_integer(without));
  json_out_set(json, "mrpb_bytes", json_integer(n * with));
  json_out_set(json, "mrpb_bytes_no_flush", json_integer(n * without));
  json_out_set(json, "ccws_bytes", json_integer(CCWS_BYTES));
}

/* ---- CACTI ------------------------------------------------------------------------ */

static int run_papers(estimate_t *e, cacti_result_t r[CACTI_PAPERS], mrpb_err_t *err) {
  char name[ESTIMATE_PATH], path[ESTIMATE_PATH], file[ESTIMATE_PATH];
  for (unsigned i = 0; i < CACTI_PAPERS; i++) {
    paper_input_name((cacti_paper_t)i, e->cacti.version, name);
    if (estimate_path(e, name, path, err) != 0 || cacti_absolute(path, file, err) != 0 ||
        cacti_run(&e->cacti, file, name, &r[i], err) != 0)
      return -1;
  }
  return 0;
}

static void result_rows(FILE *md, const cacti_result_t r[CACTI_PAPERS], json_t **json) {
  static const char *const labels[] = {"MRPB, 48 x 8 x 8 B", "16 KB L1, 4 ways of 128 B lines",
                                       "CCWS tag store"};
  cacti_result_head(md, "45 nm, itrs-hp, 350 K, ECC");
  for (unsigned i = 0; i < CACTI_PAPERS; i++) {
    const cacti_input_t in = cacti_paper((cacti_paper_t)i);
    json_t *o = cacti_result_json(&r[i]);
    fprintf(md, "| %s |", labels[i]);
    cacti_result_cells(md, &in, &r[i], i == CACTI_PAPER_MRPB ? 2 : 1);
    fputc('\n', md);
    json_out_set(&o, "bus_bits", json_integer(in.bus));
    json_out_set(json, paper_name((cacti_paper_t)i), o);
  }
}

static void claims(FILE *md, const estimate_t *e, const cacti_result_t r[CACTI_PAPERS],
                   json_t **json) {
  const cacti_result_t *m = &r[CACTI_PAPER_MRPB], *l = &r[CACTI_PAPER_L1];
  const double ratio = 100 * m->area / l->area;
  const unsigned bus_m = cacti_paper(CACTI_PAPER_MRPB).bus, bus_l = cacti_paper(CACTI_PAPER_L1).bus;
  fprintf(md, "\n| claim | CACTI %s | paper 001 (6.5) |\n| --- | ---: | ---: |\n", e->cacti.named);
  fprintf(md, "| MRPB, bus %u bits | %.4f mm2 | %.4f mm2 |\n", bus_m, m->area, paper_area);
  fprintf(md, "| MRPB : 16 KB L1, bus %u : %u bits | %.2f %% | %.1f %% |\n", bus_m, bus_l, ratio,
          paper_ratio);
  fprintf(md, "| CCWS tag store of %d B | %.4f mm2 | at least %.4f mm2 |\n", CCWS_BYTES,
          r[CACTI_PAPER_CCWS].area, paper_ccws);
  fprintf(md, "| 1 / access time of the L1 | %.3f GHz | %.1f GHz? |\n", 1 / l->access, paper_ghz);
  fprintf(md, "| 1 / access time of the MRPB | %.3f GHz | %.1f GHz? |\n", 1 / m->access, paper_ghz);
  fprintf(md, "| 1 / cycle time of the MRPB | %.3f GHz | %.1f GHz? |\n", 1 / m->cycle, paper_ghz);
  fprintf(md, "| 1 / (2 x cycle time) of the MRPB: split cycle | %.3f GHz | %.1f GHz? |\n\n",
          0.5 / m->cycle, paper_ghz);
  fprintf(md,
          "The paper does not say which time its 2.6 GHz are; with 6.5 the L1's access time is the "
          "nearest. Areas are\nheight x width. The ratio changes with the bus widths, so they "
          "stand beside it.\n");
  json_out_set(json, "ratio_percent", json_real(ratio));
}

int paper_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err) {
  cacti_result_t r[CACTI_PAPERS];
  sizes(md, json);
  if (!e->cacti.named[0] || e->cacti.late) {
    fprintf(md,
            "Areas and times need CACTI (the paper's version: 6.5): `--cacti BINARY`. The inputs: "
            "`cacti/paper/`.\n");
    return 0;
  }
  int rc = run_papers(e, r, err);
  e->stopped = e->cacti.stopped;
  if (rc != 0) return -1;
  result_rows(md, r, json);
  claims(md, e, r, json);
  return 0;
}
