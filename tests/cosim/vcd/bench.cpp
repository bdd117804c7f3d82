/* SPDX-License-Identifier: Apache-2.0 */
// A bench as a Verilator user writes it: inputs change at the falling edge, everything is dumped.
#include "Vmshr.h"
#include "verilated_vcd_c.h"

int main(int, char **argv) {
  Vmshr dut;
  VerilatedVcdC vcd;
  Verilated::traceEverOn(true);
  dut.trace(&vcd, 9);
  vcd.open(argv[1]);
  uint32_t x = 1;
  auto random = [&x](uint32_t n) { return (x = x * 1103515245 + 12345, (x >> 16) % n); };
  for (int t = 0; t < 4000; t++) {
    dut.clk_i = t & 1;
    if (!dut.clk_i) {
      dut.srst_ni = t >= 6 && random(500) != 0;
      dut.req_valid_i = random(2);
      dut.req_addr_i = random(8);
      dut.req_data_i = random(64);
      dut.fill_valid_i = random(2);
      dut.fill_entry_i = random(8);
      dut.out_ready_i = random(4) != 0;
    }
    dut.eval();
    vcd.dump(t * 5);
  }
  vcd.close();
}
