/* SPDX-License-Identifier: Apache-2.0 */
/* Writes SRAM macros. They have scalar pins only, because the netlist reader of OpenSTA 2 accepts
 * no concatenations. */
#include "estimate/sram.h"

#include "bits.h"

#include <string.h>

/* Arrays with one read and one write of a word in a cycle, no reset and no search, and which
 * register follows the read: this one, or one if that parameter is not 0. synth.c compares this with what
 * Yosys finds. A word may be written in parts: one for each `parts_by` (lanes, ways), or of so many
 * words of 32 bits (`words_by`). */
typedef struct {
  const char *stem, *name;
  const char *after;               /* the register behind the read; NULL: a register file */
  const char *clocked_by, *parity; /* the memory of its parity bits, with PARITY */
  const char *parts_by, *words_by;
} memory_t;

static const memory_t table[] = {
    {"fifo_bank", "u_mem.mem_q", "u_mem.rdata_q", NULL, "u_mem.code_q", NULL, NULL},
    {"mshr", "data_q", NULL, "READ_REG", "gen_parity.data_par_q", NULL, NULL},
    {"prt", "tag_q", NULL, NULL, NULL, NULL, NULL},
    {"prt", "offset_q", NULL, NULL, NULL, NULL, NULL},
    {"lane_table", "has_q", NULL, NULL, NULL, "LANES", NULL},
    {"lane_table", "number_q", NULL, NULL, NULL, "LANES", NULL},
    {"tags", "tag_q", "read_q", NULL, NULL, "WAYS", NULL},
    {"line_data", "mem_q", "rdata_q", NULL, NULL, NULL, "BUS_WORDS"},
};

/* Modules inside others, which have these arrays too. Their parameters have the same names, and one
 * that a module does not have is 0 inside it. */
typedef struct {
  const char *stem, *instance, *inner;
} inside_t;

static const inside_t inside[] = {
    {"mrpb", "u_fifo_bank.", "fifo_bank"}, {"l1_top", "u_mrpb.", "mrpb"},
    {"l1_top", "u_prt.", "prt"},           {"l1_top", "u_lane_table.", "lane_table"},
    {"l1_top", "u_tags.", "tags"},         {"l1_top", "u_mshr.", "mshr"},
    {"l1_top", "u_bypass.", "mshr"},       {"l1_top", "u_data.", "line_data"},
};

static const memory_t *memory(const char *stem, const char *name) {
  for (unsigned i = 0; i < sizeof inside / sizeof *inside; i++) {
    const size_t n = strlen(inside[i].instance);
    if (strcmp(inside[i].stem, stem) == 0 && strncmp(inside[i].instance, name, n) == 0)
      return memory(inside[i].inner, name + n);
  }
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].stem, stem) == 0 && strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

bool sram_is(const char *stem, const char *name) {
  return memory(stem, name) != NULL;
}

void sram_cell(const sram_t *s, char cell[SRAM_NAME + 8]) {
  snprintf(cell, SRAM_NAME + 8, "%s%s", s->macro, s->clocked ? "_sync" : "");
}

void sram_name(sram_t *s, const char *array) {
  int n = snprintf(s->macro, sizeof s->macro, "sram_%ux%u", s->words, s->bits);
  snprintf(s->array, sizeof s->array, "%s", array);
  if (sram_enables(s) > 1) snprintf(s->macro + n, sizeof s->macro - (size_t)n, "w%u", s->part);
}

unsigned sram_enables(const sram_t *s) {
  return s->part ? (s->bits + s->part - 1) / s->part : 1;
}

void sram_enable(const sram_t *s, unsigned i, char pin[SRAM_NAME]) {
  snprintf(pin, SRAM_NAME, sram_enables(s) > 1 ? "we_%u" : "we", i);
}

bool sram_repeats(const sram_t *s, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (strcmp(s[k].macro, s[i].macro) == 0) return true;
  return false;
}

/* Names something beside the array, in the same module. */
static void beside(char name[SRAM_NAME], const char *array, const memory_t *m, const char *other) {
  snprintf(name, SRAM_NAME, "%.*s%s", (int)(strlen(array) - strlen(m->name)), array, other);
}

static void add_parity(sram_t *s, const sram_t *data, const memory_t *m) {
  char name[SRAM_NAME];
  *s = (sram_t){.words = data->words, .bits = 1, .clocked = data->clocked};
  beside(name, data->array, m, m->parity);
  sram_name(s, name);
}

int sram_of(const module_class_t *cls, const uint32_t *cfg, sram_t sram[SRAM_MAX],
            mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self;
  int n = 0;
  if (cls->n_regs == 0) return 0;
  if (cls->create(&self, cfg, err) != 0) return -1;
  cls->regs(self, regs);
  for (unsigned i = 0; i < cls->n_regs && n < SRAM_MAX; i++) {
    const memory_t *m = memory(cls->stem, regs[i].name);
    if (!m || regs[i].words < 2) continue;
    sram_t *s = &sram[n++];
    *s = (sram_t){.words = regs[i].words, .bits = regs[i].width, .clocked = m->after != NULL};
    if (m->after) beside(s->after, regs[i].name, m, m->after);
    if (m->clocked_by) s->clocked = module_option(cls, cfg, m->clocked_by) != 0;
    if (m->parts_by) s->part = s->bits / module_option(cls, cfg, m->parts_by);
    if (m->words_by) s->part = 32 * module_option(cls, cfg, m->words_by);
    sram_name(s, regs[i].name);
    if (m->parity && module_option(cls, cfg, "PARITY") && n < SRAM_MAX)
      add_parity(&sram[n++], s, m);
  }
  cls->destroy(self);
  return n;
}

unsigned sram_address_bits(const sram_t *s) {
  return bits_index_w(s->words);
}

static void input_pin(FILE *f, const char *name, double pf, double setup_ns) {
  fprintf(f, "    pin (%s) { direction : input; capacitance : %.6g;\n", name, pf);
  fprintf(f,
          "      timing () { related_pin : \"clk\"; timing_type : setup_rising;\n"
          "        rise_constraint (scalar) { values (\"%.6g\"); }\n"
          "        fall_constraint (scalar) { values (\"%.6g\"); } } }\n",
          setup_ns, setup_ns);
}

/* Without an access time, the arc from the clock or the address does not exist: no period may
 * contain a delay that nobody has measured. */
static void output_pin(FILE *f, const sram_t *s, unsigned bit, bool sync) {
  /* report_power of OpenSTA 2.0.17 crashes if a combinational arc ends at a pin without a
   * function. */
  const char *function = sync ? "" : " function : \"raddr_0\";";
  fprintf(f, "    pin (rdata_%u) { direction : output; capacitance : 0;%s", bit, function);
  if (s->access_ns <= 0) {
    fputs(" }\n", f);
    return;
  }
  fprintf(f, "\n      timing () { related_pin : \"");
  for (unsigned i = 0; !sync && i < sram_address_bits(s); i++)
    fprintf(f, "%sraddr_%u", i ? " " : "", i);
  fprintf(f, "%s\"; timing_%s;\n", sync ? "clk" : "",
          sync ? "type : rising_edge" : "sense : non_unate");
  fprintf(f,
          "        cell_rise (scalar) { values (\"%.6g\"); } cell_fall (scalar) { values "
          "(\"%.6g\"); }\n"
          "        rise_transition (scalar) { values (\"%.6g\"); } fall_transition (scalar) "
          "{ values (\"%.6g\"); } } }\n",
          s->access_ns, s->access_ns, s->access_ns / 10, s->access_ns / 10);
}

static void put_cell(FILE *f, const sram_t *s, double pf, bool sync) {
  char name[SRAM_NAME];
  fprintf(f, "  cell (%s%s) {\n    area : %.6g; dont_touch : true;\n", s->macro,
          sync ? "_sync" : "", s->area_um2);
  fprintf(f, "    pin (clk) { direction : input; clock : true; capacitance : %.6g; }\n", pf);
  for (unsigned i = 0; i < sram_enables(s); i++) {
    sram_enable(s, i, name);
    input_pin(f, name, pf, s->setup_ns);
  }
  if (sync) input_pin(f, "re", pf, s->setup_ns);
  for (unsigned i = 0; i < sram_address_bits(s); i++) {
    snprintf(name, sizeof name, "waddr_%u", i);
    input_pin(f, name, pf, s->setup_ns);
    snprintf(name, sizeof name, "raddr_%u", i);
    if (sync)
      input_pin(f, name, pf, s->setup_ns);
    else
      fprintf(f, "    pin (%s) { direction : input; capacitance : %.6g; }\n", name, pf);
  }
  for (unsigned i = 0; i < s->bits; i++) {
    snprintf(name, sizeof name, "wdata_%u", i);
    input_pin(f, name, pf, s->setup_ns);
    output_pin(f, s, i, sync);
  }
  fputs("  }\n", f);
}

void sram_liberty(FILE *f, const sram_t *s, double pin_ff) {
  fprintf(f,
          "/* %u words of %u bits, one read and one write port. Access %.6g ns, setup %.6g ns, "
          "area %.6g um2: %s. */\n",
          s->words, s->bits, s->access_ns, s->setup_ns, s->area_um2,
          s->source[0] ? s->source : "not given, so no path goes through it");
  fprintf(f,
          "library (%s) {\n"
          "  delay_model : table_lookup;\n"
          "  time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";\n"
          "  pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\";\n"
          "  capacitive_load_unit (1,pf);\n"
          "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
          "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n"
          "  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;\n"
          "  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;\n"
          "  nom_process : 1; nom_voltage : 1; nom_temperature : 25;\n",
          s->macro);
  put_cell(f, s, pin_ff / 1000, false);
  put_cell(f, s, pin_ff / 1000, true);
  fputs("}\n", f);
}

static void put_instance(FILE *f, const sram_t *s, bool sync) {
  char pin[SRAM_NAME];
  fprintf(f, "    %s%s _TECHMAP_REPLACE_ (\n      .clk(WR_CLK)", s->macro, sync ? "_sync" : "");
  for (unsigned i = 0; i < sram_enables(s); i++) {
    sram_enable(s, i, pin);
    fprintf(f, ", .%s(WR_EN[%u])", pin, i * s->part);
  }
  if (sync) fputs(", .re(RD_EN)", f);
  for (unsigned i = 0; i < sram_address_bits(s); i++)
    fprintf(f, ",\n      .waddr_%u(WR_ADDR[%u]), .raddr_%u(RD_ADDR[%u])", i, i, i, i);
  for (unsigned i = 0; i < s->bits; i++)
    fprintf(f, ",\n      .wdata_%u(WR_DATA[%u]), .rdata_%u(RD_DATA[%u])", i, i, i, i);
  fputs(");\n", f);
}

/* All bits of a part have the enable of its lowest. */
static void put_one_enable(FILE *f, const sram_t *s) {
  if (sram_enables(s) == 1) {
    fputs("{WIDTH{_TECHMAP_CONNMAP_WR_EN_[_TECHMAP_BITS_CONNMAP_-1:0]}}", f);
    return;
  }
  for (unsigned i = sram_enables(s); i-- > 0;) {
    const unsigned low = i * s->part, left = s->bits - low;
    fprintf(f,
            "%s{%u{_TECHMAP_CONNMAP_WR_EN_[%u*_TECHMAP_BITS_CONNMAP_ +: "
            "_TECHMAP_BITS_CONNMAP_]}}%s",
            low + s->part >= s->bits ? "{" : "", left < s->part ? left : s->part, low,
            i ? ",\n     " : "}");
  }
}

static void put_parameters(FILE *f, const sram_t *s) {
  fprintf(f,
          "(* techmap_celltype = \"$mem_v2\" *)\n"
          "module map_%s (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, "
          "WR_ADDR, WR_DATA);\n"
          "  parameter MEMID = \"\";\n"
          "  parameter INIT = 0;\n"
          "  parameter SIZE = %u;\n"
          "  parameter OFFSET = 0;\n"
          "  parameter ABITS = 32;\n"
          "  parameter WIDTH = %u;\n",
          s->macro, s->words, s->bits);
  static const char *const flags[] = {
      "RD_CLK_ENABLE",  "RD_CLK_POLARITY", "RD_TRANSPARENCY_MASK", "RD_COLLISION_X_MASK",
      "RD_ARST_VALUE",  "RD_SRST_VALUE",   "RD_INIT_VALUE",        "RD_WIDE_CONTINUATION",
      "WR_CLK_ENABLE",  "WR_CLK_POLARITY", "WR_PRIORITY_MASK",     "WR_WIDE_CONTINUATION",
      "RD_CE_OVER_SRST"};
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
    fprintf(f, "  parameter %s = 0;\n", flags[i]);
  fputs("  parameter RD_PORTS = 1;\n  parameter WR_PORTS = 1;\n"
        "  parameter _TECHMAP_BITS_CONNMAP_ = 0;\n"
        "  parameter [_TECHMAP_BITS_CONNMAP_*WIDTH-1:0] _TECHMAP_CONNMAP_WR_EN_ = 0;\n"
        "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_RD_CLK_ = 0;\n"
        "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_WR_CLK_ = 0;\n"
        "  parameter _TECHMAP_CONSTMSK_RD_SRST_ = 0;\n  parameter _TECHMAP_CONSTVAL_RD_SRST_ = 0;\n"
        "  parameter _TECHMAP_CONSTMSK_RD_ARST_ = 0;\n  parameter _TECHMAP_CONSTVAL_RD_ARST_ = 0;\n"
        "  input RD_CLK, RD_EN, RD_ARST, RD_SRST, WR_CLK;\n"
        "  input [ABITS-1:0] RD_ADDR, WR_ADDR;\n"
        "  input [WIDTH-1:0] WR_EN, WR_DATA;\n"
        "  output [WIDTH-1:0] RD_DATA;\n",
        f);
}

void sram_map(FILE *f, const sram_t *s) {
  put_parameters(f, s);
  fprintf(
      f,
      "  localparam shape = SIZE == %u && WIDTH == %u && RD_PORTS == 1 && WR_PORTS == 1;\n"
      "  localparam write = WR_CLK_ENABLE == 1 && WR_CLK_POLARITY == 1 && _TECHMAP_CONNMAP_WR_EN_ "
      "==\n    ",
      s->words, s->bits);
  put_one_enable(f, s);
  fprintf(
      f,
      ";\n"
      "  localparam read = RD_CLK_ENABLE == 0 || (RD_CLK_POLARITY == 1 && RD_TRANSPARENCY_MASK == "
      "0\n"
      "    && _TECHMAP_CONNMAP_RD_CLK_ == _TECHMAP_CONNMAP_WR_CLK_\n"
      "    && _TECHMAP_CONSTMSK_RD_SRST_ == 1 && _TECHMAP_CONSTVAL_RD_SRST_ == 0\n"
      "    && _TECHMAP_CONSTMSK_RD_ARST_ == 1 && _TECHMAP_CONSTVAL_RD_ARST_ == 0);\n"
      "  wire _TECHMAP_FAIL_ = !(shape && write && read);\n"
      "  generate if (RD_CLK_ENABLE == 1) begin\n");
  put_instance(f, s, true);
  fputs("  end else begin\n", f);
  put_instance(f, s, false);
  fputs("  end endgenerate\nendmodule\n", f);
}
