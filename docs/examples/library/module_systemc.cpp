/* SPDX-License-Identifier: Apache-2.0 */
// Any module of the library in a SystemC design: the sc_module is in module_systemc.h. The test bench puts two
// reads of one line through an MSHR.
// c++ -std=c++17 module_systemc.cpp $(pkg-config --cflags --libs mrpb) -lsystemc -o module_systemc
#include "module_systemc.h"

#include <cinttypes>
#include <cstdio>

struct Bench : sc_module {
  sc_clock clk;
  Module mshr;
  sc_vector<sc_signal<uint64_t>> to, from;

  SC_HAS_PROCESS(Bench);
  explicit Bench(sc_module_name name)
      : sc_module(name), clk("clk", 1, SC_NS, 0.5, 0.5, SC_NS),
        mshr("mshr", "mshr", {{"ENTRIES", 5}, {"MERGES", 3}}), to("to", mshr.in.size()),
        from("from", mshr.out.size()) {
    mshr.clk(clk);
    mshr.in.bind(to);
    mshr.out.bind(from);
    SC_THREAD(drive);
  }
  void set(const char *port, uint64_t value) {
    dynamic_cast<sc_signal<uint64_t> *>(mshr.input(port).get_interface())->write(value);
  }
  uint64_t get(const char *port) { return mshr.output(port).read(); }
  void settle() { wait(clk.negedge_event()); } // half a period after the edge all is quiet

  void drive() {
    set("srst_ni", 1);
    set("req_valid_i", 1);
    set("req_addr_i", 0x1234);
    set("req_data_i", 7);
    wait(SC_ZERO_TIME);
    wait(SC_ZERO_TIME);
    const uint64_t entry = get("req_entry_o");
    settle();
    set("req_data_i", 8);
    wait(SC_ZERO_TIME);
    wait(SC_ZERO_TIME);
    std::printf("entry %" PRIu64 " allocated; the second read %s\n", entry,
                get("req_merge_o") ? "merges" : "allocates");
    settle();
    set("req_valid_i", 0);
    set("fill_valid_i", 1);
    set("fill_entry_i", entry);
    settle();
    set("fill_valid_i", 0);
    set("out_ready_i", 1);
    while (get("out_valid_o")) {
      std::printf("read %" PRIu64 " leaves at %s%s\n", get("out_data_o"),
                  sc_time_stamp().to_string().c_str(), get("out_last_o") ? ", the last one" : "");
      settle();
    }
    set("req_addr_i", 0x2000000);
  }
};

int sc_main(int, char **) {
  Bench bench("bench");
  try {
    sc_start(20, SC_NS);
  } catch (const sc_report &report) {
    std::printf("refused: %s\n", report.get_msg());
  }
  return 0;
}
