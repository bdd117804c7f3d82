/* SPDX-License-Identifier: Apache-2.0 */
// Drives canary.v with random words. Exits with 0 if no expression was ever wrong, otherwise with 1
// and a line.
#include "rtl_runtime.h"

#include "Vdut.h"

#include <cstdint>
#include <cstdio>

int rtl_runtime_printf(const char *, ...) {
  return 0;
}
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE {}
void vl_finish(const char *, int, const char *) VL_MT_UNSAFE {}
void vl_fatal(const char *, int, const char *, const char *) VL_MT_UNSAFE {}
void vl_warn(const char *, int, const char *, const char *) VL_MT_UNSAFE {}

int main() {
  VerilatedContext context;
  Vdut dut{&context, "dut"};
  uint64_t s = 0x2545f4914f6cdd1d;
  unsigned wrong = 0;
  for (int cycle = 0; cycle < 10000; cycle++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    dut.clk_i = 0;
    dut.x_i = static_cast<uint32_t>(s);
    dut.y_i = static_cast<uint32_t>(s >> 32);
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    if (cycle >= 2) wrong |= dut.wrong_o;
  }
  if (wrong)
    std::printf("canary: expressions 0x%02x of tb/verilog/canary/canary.v are wrong\n", wrong);
  return wrong != 0;
}
