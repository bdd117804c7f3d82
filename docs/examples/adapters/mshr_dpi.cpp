/* SPDX-License-Identifier: Apache-2.0 */
// The C model of the MSHR table behind the DPI-C functions of mshr_dpi.sv. A word of `in` and `out` is a port.
#include <libmrpb.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {

// A size that is not legal ends the simulation with the reason.
void *mshr_dpi_create(int entries, int merges, int addr_w, int data_w, int stores, int read_reg,
                      int parity) {
  const mshr_cfg_t cfg = {static_cast<uint32_t>(entries), static_cast<uint32_t>(merges),
                          static_cast<uint32_t>(addr_w),  static_cast<uint32_t>(data_w),
                          static_cast<uint32_t>(stores),  static_cast<uint32_t>(read_reg),
                          static_cast<uint32_t>(parity)};
  mrpb_err_t err = {""};
  mshr_t *model;
  if (mshr_create(&model, &cfg, &err) == 0) return model;
  std::fprintf(stderr, "%s\n", err.text);
  std::exit(2);
}

void mshr_dpi_comb(void *model, const unsigned long long *in, unsigned long long *out) {
  mshr_in_t i;
  mshr_out_t o;
  std::memcpy(&i, in, sizeof i);
  mshr_comb(static_cast<mshr_t *>(model), &i, &o);
  std::memcpy(out, &o, sizeof o);
}

void mshr_dpi_edge(void *model, const unsigned long long *in) {
  mshr_in_t i;
  std::memcpy(&i, in, sizeof i);
  mshr_edge(static_cast<mshr_t *>(model), &i);
}
}
