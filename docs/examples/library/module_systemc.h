/* SPDX-License-Identifier: Apache-2.0 */
// Any module of libmrpb as an sc_module, by its table: a port for each word of the Verilog's ports.
#ifndef MODULE_SYSTEMC_H
#define MODULE_SYSTEMC_H

#include <libmrpb.h>

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

  // The ports of the Verilog, inputs first; where the first word of one is.
  std::vector<module_port_t> ports() const {
    std::vector<module_port_t> all(in_port, in_port + cls->n_in);
    all.insert(all.end(), out_port, out_port + cls->n_out);
    return all;
  }
  unsigned input_word(const std::string &name) const { return find(in_port, cls->n_in, name); }
  sc_in<uint64_t> &input(const std::string &name) { return in[input_word(name)]; }
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

#endif
