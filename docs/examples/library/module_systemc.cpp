// SPDX-License-Identifier: Apache-2.0
// Any module of the library as an sc_module, by its table: a port for each word of the Verilog's ports.
// The test bench puts two reads of one line through an MSHR.
// c++ -std=c++17 module_systemc.cpp $(pkg-config --cflags --libs mrpb) -lsystemc -o module_systemc
#include <libmrpb.h>

#include <cinttypes>
#include <cstdio>
#include <string>
#include <systemc>
#include <vector>

using namespace sc_core;

class Module : public sc_module {
public:
  sc_in<bool> clk;
  sc_vector<sc_in<uint64_t>> in;
  sc_vector<sc_out<uint64_t>> out;

  SC_HAS_PROCESS(Module);
  // With the defaults of the table; `sizes` changes some of them.
  Module(sc_module_name name, const char *stem,
         const std::vector<std::pair<const char *, uint32_t>> &sizes)
      : sc_module(name), clk("clk"), in("in"), out("out"), cls(module_class(stem)), self(nullptr) {
    mrpb_err_t err = {""};
    if (!cls) SC_REPORT_ERROR("mrpb", stem);
    uint32_t cfg[MODULE_MAX_PARAMS];
    module_defaults(cls, cfg);
    for (const auto &s : sizes) {
      int i = module_param_index(cls, s.first);
      if (i < 0) SC_REPORT_ERROR("mrpb", s.first);
      cfg[i] = s.second;
    }
    if (cls->create(&self, cfg, &err) != 0) SC_REPORT_ERROR("mrpb", err.text);
    cls->ports(cfg, in_port, out_port);
    in.init(cls->in_words);
    out.init(cls->out_words);
    now.resize(cls->in_words);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(comb);
    for (auto &port : in) sensitive << port;
    sensitive << changed;
  }
  ~Module() override { cls->destroy(self); }

  // The first word of a port of the Verilog.
  sc_in<uint64_t> &input(const std::string &name) { return in[find(in_port, cls->n_in, name)]; }
  sc_out<uint64_t> &output(const std::string &name) {
    return out[find(out_port, cls->n_out, name)];
  }

private:
  const module_class_t *cls;
  void *self;
  module_port_t in_port[MODULE_MAX_PORTS], out_port[MODULE_MAX_PORTS];
  std::vector<uint64_t> now;
  sc_event changed;

  static unsigned find(const module_port_t *port, unsigned n, const std::string &name) {
    for (unsigned i = 0; i < n; i++)
      if (name == port[i].name) return port[i].word;
    SC_REPORT_ERROR("mrpb", ("no port " + name).c_str());
    return 0;
  }
  void look() {
    mrpb_err_t err = {""};
    for (unsigned w = 0; w < cls->in_words; w++) now[w] = in[w].read();
    if (cls->legal(self, now.data(), &err) != 0) SC_REPORT_ERROR("mrpb", err.text);
  }
  void comb() {
    std::vector<uint64_t> result(cls->out_words);
    look();
    cls->comb(self, now.data(), result.data());
    for (unsigned w = 0; w < cls->out_words; w++) out[w].write(result[w]);
  }
  void edge() {
    look();
    cls->edge(self, now.data());
    changed.notify(SC_ZERO_TIME); // the outputs follow the registers
  }
};

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
    set("rst_ni", 1);
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
