/* SPDX-License-Identifier: Apache-2.0 */
/* Turns an array into what CACTI can model of it, and that into every line of an input. */
#include "estimate/cacti.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cacti_defaults(cacti_options_t *o) {
  *o = (cacti_options_t){
      .node = 45, .temperature = 350, .seconds = 60, .cell = CACTI_HP, .ecc = true};
}

const char *cacti_version_name(cacti_version_t v) {
  return v == CACTI_6_5 ? "6.5" : "7.0";
}

const char *cacti_cell_name(cacti_cell_t c) {
  static const char *const names[] = {"itrs-hp", "itrs-lstp", "itrs-lop"};
  return c < CACTI_CELLS ? names[c] : "";
}

/* ---- lines ------------------------------------------------------------------- */

typedef enum {
  AS_IS, /* the line is complete */
  SIZE,
  BLOCK,
  WAYS,
  PORTS_RW,
  PORTS_READ,
  PORTS_WRITE,
  PORTS_SEARCH,
  NODE,
  CELL,
  BUS,
  KELVIN,
  TYPE,
  TAG,
  ECC
} value_t;

enum { BOTH = 3, ONLY_6_5 = 1 << CACTI_6_5, ONLY_7_0 = 1 << CACTI_7_0 };

typedef struct {
  uint8_t versions;
  value_t value;
  const char *text;
} line_t;

/* Wires, objective and the rest are those of 6.5's own cache.cfg, which reproduces the paper's
 * figures. What 7.0 reads about DRAM and its buses has no effect on an SRAM, but must be
 * present. */
static const line_t lines[] = {
    {BOTH, SIZE, "-size (bytes) "},
    {BOTH, BLOCK, "-block size (bytes) "},
    {BOTH, WAYS, "-associativity "},
    {BOTH, PORTS_RW, "-read-write port "},
    {BOTH, PORTS_READ, "-exclusive read port "},
    {BOTH, PORTS_WRITE, "-exclusive write port "},
    {BOTH, AS_IS, "-single ended read ports 0"},
    {ONLY_7_0, PORTS_SEARCH, "-search port "},
    {BOTH, AS_IS, "-UCA bank count 1"},
    {BOTH, NODE, "-technology (u) "},
    {BOTH, AS_IS, "-page size (bits) 8192"},
    {BOTH, AS_IS, "-burst length 8"},
    {BOTH, AS_IS, "-internal prefetch width 8"},
    {BOTH, CELL, "-Data array cell type - "},
    {BOTH, CELL, "-Data array peripheral type - "},
    {BOTH, CELL, "-Tag array cell type - "},
    {BOTH, CELL, "-Tag array peripheral type - "},
    {BOTH, BUS, "-output/input bus width "},
    {BOTH, KELVIN, "-operating temperature (K) "},
    {BOTH, TYPE, "-cache type "},
    {BOTH, TAG, "-tag size (b) "},
    {BOTH, AS_IS, "-access mode (normal, sequential, fast) - \"normal\""},
    {BOTH, AS_IS,
     "-design objective (weight delay, dynamic power, leakage power, cycle time, area) "
     "0:0:0:0:100"},
    {BOTH, AS_IS,
     "-deviate (delay, dynamic power, leakage power, cycle time, area) "
     "60:100000:100000:100000:1000000"},
    {BOTH, AS_IS,
     "-NUCAdesign objective (weight delay, dynamic power, leakage power, cycle time, area) "
     "100:100:0:0:100"},
    {BOTH, AS_IS,
     "-NUCAdeviate (delay, dynamic power, leakage power, cycle time, area) "
     "10:10000:10000:10000:10000"},
    {BOTH, AS_IS, "-Optimize ED or ED^2 (ED, ED^2, NONE): \"NONE\""},
    {BOTH, AS_IS, "-Cache model (NUCA, UCA)  - \"UCA\""},
    {BOTH, AS_IS, "-NUCA bank count 0"},
    {ONLY_6_5, AS_IS, "-Wire signalling (fullswing, lowswing, default) - \"Global_10\""},
    {ONLY_7_0, AS_IS, "-Wire signaling (fullswing, lowswing, default) - \"Global_10\""},
    {BOTH, AS_IS, "-Wire inside mat - \"global\""},
    {BOTH, AS_IS, "-Wire outside mat - \"global\""},
    {BOTH, AS_IS, "-Interconnect projection - \"conservative\""},
    {BOTH, AS_IS, "-Core count 8"},
    {BOTH, AS_IS, "-Cache level (L2/L3) - \"L3\""},
    {BOTH, ECC, "-Add ECC - "},
    {BOTH, AS_IS, "-Print level (DETAILED, CONCISE) - \"DETAILED\""},
    {BOTH, AS_IS, "-Print input parameters - \"true\""},
    {BOTH, AS_IS, "-Force cache config - \"false\""},
    {BOTH, AS_IS, "-Ndwl 64"},
    {BOTH, AS_IS, "-Ndbl 64"},
    {BOTH, AS_IS, "-Nspd 64"},
    {BOTH, AS_IS, "-Ndcm 1"},
    {BOTH, AS_IS, "-Ndsam1 4"},
    {BOTH, AS_IS, "-Ndsam2 1"},
    {ONLY_7_0, AS_IS, "-print option - \"normal\""},
    {ONLY_7_0, AS_IS, "-Array Power Gating - \"false\""},
    {ONLY_7_0, AS_IS, "-WL Power Gating - \"false\""},
    {ONLY_7_0, AS_IS, "-CL Power Gating - \"false\""},
    {ONLY_7_0, AS_IS, "-Bitline floating - \"false\""},
    {ONLY_7_0, AS_IS, "-Interconnect Power Gating - \"false\""},
    {ONLY_7_0, AS_IS, "-Power Gating Performance Loss 0.01"},
    {ONLY_7_0, AS_IS, "-CLDriver vertical - \"true\""},
    {ONLY_7_0, AS_IS, "-burst depth 8"},
    {ONLY_7_0, AS_IS, "-IO width 4"},
    {ONLY_7_0, AS_IS, "-system frequency (MHz) 677"},
    {ONLY_7_0, AS_IS, "-stacked die count 1"},
    {ONLY_7_0, AS_IS, "-partitioning granularity 0"},
    {ONLY_7_0, AS_IS, "-TSV projection 1"},
    {ONLY_7_0, AS_IS, "-dram type \"DDR3\""},
    {ONLY_7_0, AS_IS, "-dram ecc \"NO_ECC\""},
    {ONLY_7_0, AS_IS, "-dram dimm \"UDIMM\""},
    {ONLY_7_0, AS_IS, "-io state \"WRITE\""},
    {ONLY_7_0, AS_IS, "-addr_timing 1.0"},
    {ONLY_7_0, AS_IS, "-bus_bw 12.8"},
    {ONLY_7_0, AS_IS, "-mem_density 4"},
    {ONLY_7_0, AS_IS, "-bus_freq 800"},
    {ONLY_7_0, AS_IS, "-duty_cycle 1.0"},
    {ONLY_7_0, AS_IS, "-activity_dq 1.0"},
    {ONLY_7_0, AS_IS, "-activity_ca 0.5"},
    {ONLY_7_0, AS_IS, "-num_dq 72"},
    {ONLY_7_0, AS_IS, "-num_dqs 18"},
    {ONLY_7_0, AS_IS, "-num_ca 25"},
    {ONLY_7_0, AS_IS, "-num_clk 2"},
    {ONLY_7_0, AS_IS, "-num_mem_dq 2"},
    {ONLY_7_0, AS_IS, "-mem_data_width 8"},
    {ONLY_7_0, AS_IS, "-num_bobs 1"},
    {ONLY_7_0, AS_IS, "-capacity 80"},
    {ONLY_7_0, AS_IS, "-num_channels_per_bob 1"},
    {ONLY_7_0, AS_IS, "-first metric \"Cost\""},
    {ONLY_7_0, AS_IS, "-second metric \"Bandwidth\""},
    {ONLY_7_0, AS_IS, "-third metric \"Energy\""},
    {ONLY_7_0, AS_IS, "-DIMM model \"ALL\""},
    {ONLY_7_0, AS_IS, "-Low Power Permitted \"F\""},
    {ONLY_7_0, AS_IS, "-load 1.0"},
    {ONLY_7_0, AS_IS, "-row_buffer_hit_rate 1.0"},
    {ONLY_7_0, AS_IS, "-rd_2_wr_ratio 2.0"},
    {ONLY_7_0, AS_IS, "-same_bw_in_bob \"F\""},
    {ONLY_7_0, AS_IS, "-mirror_in_bob \"F\""},
    {ONLY_7_0, AS_IS, "-total_power \"F\""},
    {ONLY_7_0, AS_IS, "-verbose \"F\""},
};

static void put_value(FILE *f, const cacti_input_t *in, value_t value) {
  static const char *const types[] = {"ram", "cache", "cam", "cache"};
  const uint32_t number[] = {
      [SIZE] = in->size,   [BLOCK] = in->block,         [WAYS] = in->ways,
      [PORTS_RW] = in->rw, [PORTS_READ] = in->read,     [PORTS_WRITE] = in->write,
      [BUS] = in->bus,     [PORTS_SEARCH] = in->search, [KELVIN] = in->temperature,
      [TAG] = in->tag_bits};
  if (value == CELL)
    fprintf(f, "\"%s\"", cacti_cell_name(in->cell));
  else if (value == TYPE)
    fprintf(f, "\"%s\"", types[in->type]);
  else if (value == ECC)
    fprintf(f, "\"%s\"", in->ecc ? "true" : "false");
  else if (value == TAG && in->tag_bits == 0)
    fprintf(f, "\"default\"");
  else if (value == NODE)
    fprintf(f, "0.%03u", in->node);
  else if (value != AS_IS)
    fprintf(f, "%u", number[value]);
}

void cacti_write(const cacti_input_t *in, cacti_version_t v, char text[CACTI_TEXT]) {
  text[0] = '\0';
  FILE *f = fmemopen(text, CACTI_TEXT, "w");
  if (!f) return;
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (!(lines[i].versions & (1 << v))) continue;
    fputs(lines[i].text, f);
    put_value(f, in, lines[i].value);
    fputc('\n', f);
  }
  fclose(f);
}

/* ---- shapes ------------------------------------------------------------------ */

/* In bits; and the number of sets below which CACTI finds no organisation. */
enum { CACHE_BUS = 256, LEAST_SETS = 16 };

/* With fewer words CACTI finds no organisation. */
static uint32_t least_words(cacti_version_t v) {
  return v == CACTI_6_5 ? 16 : 32;
}

__attribute__((format(printf, 2, 3))) static void remark(char note[CACTI_NOTE], const char *format,
                                                         ...) {
  size_t n = strlen(note);
  va_list ap;
  if (n > 0) n += (size_t)snprintf(note + n, CACTI_NOTE - n, "; ");
  va_start(ap, format);
  if (n < CACTI_NOTE) vsnprintf(note + n, CACTI_NOTE - n, format, ap);
  va_end(ap);
}

static uint32_t min32(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Accesses in turn share a port; with `dual` each access has its own. */
static void set_ports(cacti_input_t *in, const storage_array_t *a, bool dual) {
  in->read = dual ? a->read : 0;
  in->write = dual ? a->write : 0;
  in->rw = dual ? 0 : a->read > a->write ? a->read : a->write;
}

static void shape_words(cacti_input_t *in, const storage_array_t *a, uint32_t least,
                        char note[CACTI_NOTE]) {
  uint32_t words = a->words;
  in->block = (a->bits + 7) / 8;
  if (words < least) words = least;
  while (words * in->block < CACTI_LEAST_BYTES) words++;
  in->size = words * in->block;
  if (words != a->words || in->block * 8 != a->bits)
    remark(note, "%u x %u written", words, in->block * 8);
  else if (words % 2)
    remark(note, "an odd number of words, which CACTI rounds");
}

static void shape_ram(cacti_input_t *in, const storage_array_t *a, const cacti_options_t *o,
                      cacti_version_t v, char note[CACTI_NOTE]) {
  in->type = CACTI_RAM;
  in->ways = 1;
  shape_words(in, a, least_words(v), note);
  set_ports(in, a, o->dual);
  in->bus = o->bus ? min32(o->bus, in->block * 8) : in->block * 8;
}

static void shape_cam(cacti_input_t *in, const storage_array_t *a, const cacti_options_t *o,
                      cacti_version_t v, char note[CACTI_NOTE]) {
  storage_array_t ram = *a;
  if (v == CACTI_7_0) {
    in->type = CACTI_CAM;
    shape_words(in, a, 1, note);
    in->rw = 1;
    in->search = a->search;
    in->bus = in->block * 8;
    return;
  }
  ram.read = a->search;
  remark(note, "no CAM in 6.5: a RAM, without comparators");
  shape_ram(in, &ram, o, v, note);
}

/* The nearest power of two; the larger one if two are equally near. */
static uint32_t near_power(uint32_t n) {
  uint32_t p = 1;
  while (p <= n / 2) p *= 2;
  return p == n || n - p < 2 * p - n ? p : 2 * p;
}

static void shape_cache(cacti_input_t *in, const storage_array_t *a, const cacti_options_t *o,
                        cacti_version_t v, char note[CACTI_NOTE]) {
  uint32_t ways = near_power(a->ways), sets = a->words / a->ways;
  const bool full = sets == 1 && a->ways > 1;
  const uint32_t bus = min32(o->bus ? o->bus : CACHE_BUS, a->bits);
  if (full && v == CACTI_6_5) {
    remark(note, "6.5 aborts on a fully associative cache: the data alone, a RAM");
    shape_ram(in, a, o, v, note);
    in->bus = bus;
    return;
  }
  in->type = full ? CACTI_FULLY : CACTI_CACHE;
  in->block = a->bits / 8;
  in->tag_bits = a->tag_bits;
  set_ports(in, a, o->dual);
  in->search = full;
  in->bus = bus;
  if (full) {
    in->size = a->words * in->block;
    return;
  }
  while (ways > 1 && a->words / ways < LEAST_SETS) ways /= 2;
  uint32_t written = (a->words + ways - 1) / ways;
  if (written < LEAST_SETS) written = LEAST_SETS;
  in->ways = ways;
  in->size = written * ways * in->block;
  if (ways != a->ways || written != sets)
    remark(note, "%u sets of %u ways cannot be modelled: %u of %u written%s", sets, a->ways,
           written, ways, written * ways == a->words ? ", the same capacity" : "");
}

bool cacti_input(const storage_array_t *a, const cacti_options_t *o, cacti_version_t v,
                 cacti_input_t *in, char note[CACTI_NOTE]) {
  const bool cache = a->ways > 0, data = a->tag_bits > 0;
  memset(in, 0, sizeof *in);
  note[0] = '\0';
  in->node = o->node;
  in->temperature = o->temperature;
  in->cell = o->cell;
  in->ecc = o->ecc;
  if (v == CACTI_6_5 && o->node < CACTI_LEAST_NODE_6_5) {
    remark(note, "6.5 ends at %d nm", CACTI_LEAST_NODE_6_5);
    return false;
  }
  if (a->words == 1) {
    remark(note, "one register: flip-flops");
    return false;
  }
  if (cache && !data && !(v == CACTI_6_5 && a->kind == STORAGE_CAM)) {
    remark(note, "with the data: CACTI's caches have both");
    return false;
  }
  if (a->kind == STORAGE_REGISTERS) remark(note, "flip-flops; a RAM instead");
  if (a->kind == STORAGE_FILE) remark(note, "read without a clock; an SRAM's cells instead");
  if (data)
    shape_cache(in, a, o, v, note);
  else if (a->kind == STORAGE_CAM)
    shape_cam(in, a, o, v, note);
  else
    shape_ram(in, a, o, v, note);
  return true;
}

cacti_input_t cacti_paper(cacti_paper_t which) {
  cacti_input_t in = {.type = CACTI_RAM,
                      .size = 3072,
                      .block = 8,
                      .ways = 1,
                      .bus = 64,
                      .rw = 1,
                      .node = 45,
                      .temperature = 350,
                      .cell = CACTI_HP,
                      .ecc = true};
  if (which == CACTI_PAPER_L1) {
    in.type = CACTI_CACHE;
    in.size = 16384;
    in.block = 128;
    in.ways = 4;
    in.bus = CACHE_BUS;
  } else if (which == CACTI_PAPER_CCWS) {
    in.size = 3840;
    in.block = 5;
    in.bus = 40;
  }
  return in;
}
