/* SPDX-License-Identifier: Apache-2.0 */
// A SystemC simulation held to the Verilog in every cycle. It drives an MSHR with the stimulus of a recorded
// lockstep run and writes the wave of its ports, which `mrpb cosim --vcd-in` compares with the C model and sends
// through the Verilog:
//   mrpb cosim mshr --set ENTRIES=5 --set MERGES=3 --cycles 5000 --record run.vec
//   ./mshr_systemc run.vec mshr.vcd
//   mrpb cosim mshr --set ENTRIES=5 --set MERGES=3 --vcd-in mshr.vcd --with c,verilator
// c++ -std=c++17 -I../library mshr_systemc.cpp $(pkg-config --cflags --libs mrpb) -lsystemc -o mshr_systemc
#include "module_systemc.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

// A vector file: sizes, the names of the inputs, and a line of values for each cycle (docs/verify/replay.md).
struct Vectors {
  std::vector<std::pair<std::string, uint32_t>> sizes;
  std::vector<std::string> inputs;
  std::vector<std::vector<uint64_t>> cycles;

  explicit Vectors(const char *path) {
    std::ifstream file(path);
    std::string line, word;
    if (!file) throw std::runtime_error(std::string(path) + ": cannot be read");
    while (std::getline(file, line)) {
      std::istringstream in(line);
      if (line.empty() || line[0] == '#' || !(in >> word)) continue;
      if (!inputs.empty() && word != "cycles") {
        in.seekg(0);
        std::vector<uint64_t> values;
        for (uint64_t v; in >> std::hex >> v;) values.push_back(v);
        cycles.push_back(values);
      } else if (word == "set") {
        uint32_t value = 0;
        in >> word >> value;
        sizes.emplace_back(word, value);
      } else if (word == "inputs") {
        while (in >> word) inputs.push_back(word.substr(0, word.find(':')));
      }
    }
  }
  std::vector<std::pair<const char *, uint32_t>> parameters() const {
    std::vector<std::pair<const char *, uint32_t>> list;
    for (const auto &s : sizes) list.emplace_back(s.first.c_str(), s.second);
    return list;
  }
};

// The ports as a wave, by the writer of libmrpb: values in their Verilog widths.
class Wave {
public:
  Wave(const char *path, const Module &module) {
    mrpb_err_t err = {""};
    if (vcd_open(&vcd, path, "1ns", &err) != 0) throw std::runtime_error(err.text);
    clk = vcd_var(vcd, "bench.mshr.clk_i", 1, VCD_WIRE, &err);
    for (const module_port_t &p : module.ports()) {
      ids.push_back(
          vcd_var(vcd, (std::string("bench.mshr.") + p.name).c_str(), p.width, VCD_WIRE, &err));
    }
  }
  ~Wave() { vcd_close(vcd, nullptr); }
  // One cycle: what all ports are before the edge, and the edge.
  void cycle(uint64_t at, const std::vector<uint64_t> &values) {
    vcd_time(vcd, at);
    vcd_change(vcd, clk, 0);
    for (size_t i = 0; i < ids.size(); i++) vcd_change(vcd, ids[i], values[i]);
    vcd_time(vcd, at + 5);
    vcd_change(vcd, clk, 1);
  }

private:
  vcd_t *vcd;
  int clk;
  std::vector<int> ids;
};

struct Bench : sc_module {
  sc_clock clk;
  Module mshr;
  sc_vector<sc_signal<uint64_t>> to, from;
  const Vectors &vectors;
  Wave wave;

  SC_HAS_PROCESS(Bench);
  Bench(sc_module_name name, const Vectors &v, const char *path)
      : sc_module(name), clk("clk", 10, SC_NS, 0.5, 5, SC_NS), mshr("mshr", "mshr", v.parameters()),
        to("to", mshr.in.size()), from("from", mshr.out.size()), vectors(v), wave(path, mshr) {
    mshr.clk(clk);
    mshr.in.bind(to);
    mshr.out.bind(from);
    SC_THREAD(drive);
  }
  // Inputs change at 10 n, the edge is at 10 n + 5; in between the ports are looked at.
  void drive() {
    for (const auto &values : vectors.cycles) {
      std::vector<uint64_t> ports;
      for (size_t i = 0; i < values.size(); i++)
        to[mshr.input_word(vectors.inputs[i])].write(values[i]);
      wait(4, SC_NS);
      for (auto &signal : to) ports.push_back(signal.read());
      for (auto &signal : from) ports.push_back(signal.read());
      wave.cycle(static_cast<uint64_t>(sc_time_stamp().to_seconds() * 1e9 + 0.5) - 4, ports);
      wait(6, SC_NS);
    }
  }
};

int sc_main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: mshr_systemc run.vec mshr.vcd\n");
    return 2;
  }
  try {
    const Vectors vectors(argv[1]);
    Bench bench("bench", vectors, argv[2]);
    sc_start(10.0 * static_cast<double>(vectors.cycles.size()), SC_NS);
    std::printf("%zu cycles in SystemC\n", vectors.cycles.size());
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return 0;
}
