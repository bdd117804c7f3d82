/* SPDX-License-Identifier: Apache-2.0 */
/* Fits a module into an iCE40 HX8K with Yosys and nextpnr: docs/estimate/place.md. */
#ifndef ESTIMATE_PLACE_FPGA_H
#define ESTIMATE_PLACE_FPGA_H

#include "estimate/logic.h"

#include <jansson.h>

#define FPGA_PACKAGES "configs/packages-fpga.txt"

enum { FPGA_VERSION = 64 };

enum { FPGA_CELLS = 7680, FPGA_RAMS = 32 }; /* of an HX8K */

typedef struct {
  const synth_job_t *synth;
  const char *cache;
  unsigned seconds; /* for each tool */
} fpga_job_t;

typedef struct {
  unsigned luts, flops, carries, rams; /* of the module alone */
  unsigned in_bits, out_bits;          /* its ports, without the clock */
  unsigned cells;    /* logic cells that the module takes, one LUT and one flip-flop each */
  bool fits, placed; /* placed: with the registers around it, too */
  double mhz;        /* the clock, if placed; 0: no path between flip-flops */
  bool cached;
  char folder[LOGIC_PATH];
} fpga_result_t;

/* Finds the result or makes it. Returns 0, -1 and a message in err, or LOGIC_STOPPED. */
int fpga_run(const fpga_job_t *job, fpga_result_t *r, bool (*stop)(void), mrpb_err_t *err);

void fpga_print(FILE *md, const fpga_result_t *r);
json_t *fpga_json(const fpga_result_t *r);
int fpga_from_json(const json_t *o, fpga_result_t *r);

/* Gets nextpnr's version, "0.4-1+b1". Returns 0, or -1 and one line in err if it is missing. */
int fpga_version(char version[FPGA_VERSION], mrpb_err_t *err);

/* Counts the cells of a netlist that Yosys wrote as JSON, and its ports' bits. */
int fpga_count(const json_t *root, const char *top, fpga_result_t *r, mrpb_err_t *err);

/* Read what nextpnr printed: how many logic cells and block RAMs it uses; the frequency of the
 * clock after routing, the last that it names. Return 0, or -1 and a message in err. */
int fpga_read_cells(const char *log, unsigned *cells, unsigned *rams, mrpb_err_t *err);
int fpga_read_clock(const char *log, double *mhz, mrpb_err_t *err);

/* Writes the module `fpga_pins`: registers around `top`, which are shifted through three pins. */
void fpga_wrapper(FILE *f, const json_t *root, const char *top);

/* How many logic cells those registers take. */
unsigned fpga_around(const fpga_result_t *r);

#endif
