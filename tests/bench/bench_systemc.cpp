/* SPDX-License-Identifier: Apache-2.0 */
/* The models of bench_kernel.h in SystemC 2.3.4, against which bench_sim.c measures the kernel.
 * Usage: bench_systemc pipe|ripple|fifo N CYCLES [TRACE]; prints CPU nanoseconds and the state
 * hash. */
#include "bench_kernel.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <systemc>
#include <vector>

using namespace sc_core;

struct reg_t : sc_module {
  sc_in<bool> clk;
  sc_in<uint64_t> d;
  sc_out<uint64_t> q;
  uint64_t index;
  SC_HAS_PROCESS(reg_t);
  reg_t(sc_module_name name, uint64_t i) : sc_module(name), index(i) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() { q.write(bench_mix(d.read(), index)); }
};

struct comb_t : sc_module {
  sc_in<uint64_t> a;
  sc_out<uint64_t> y;
  uint64_t index;
  SC_HAS_PROCESS(comb_t);
  comb_t(sc_module_name name, uint64_t i) : sc_module(name), index(i) {
    SC_METHOD(eval);
    sensitive << a;
  }
  void eval() { y.write(bench_mix(a.read(), index)); }
};

struct stage_t : sc_module {
  sc_in<bool> clk, valid_i, ready_i;
  sc_in<uint64_t> data_i;
  sc_out<bool> valid_o, ready_o;
  sc_out<uint64_t> data_o;
  bench_fifo_t f = {};
  SC_HAS_PROCESS(stage_t);
  explicit stage_t(sc_module_name name) : sc_module(name) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() {
    bench_fifo_edge(&f, valid_i.read(), data_i.read(), ready_o.read(), ready_i.read());
    valid_o.write(f.count > 0);
    data_o.write(f.data[0]);
    ready_o.write(f.count < 2);
  }
};

struct source_t : sc_module {
  sc_in<bool> clk, ready_i;
  sc_out<bool> valid_o;
  sc_out<uint64_t> data_o;
  uint64_t x = 1;
  SC_HAS_PROCESS(source_t);
  explicit source_t(sc_module_name name) : sc_module(name) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() {
    if (valid_o.read() && !ready_i.read()) return;
    x = bench_lfsr(x);
    valid_o.write((x & 7) != 0);
    data_o.write(x);
  }
};

struct sink_t : sc_module {
  sc_in<bool> clk;
  sc_out<bool> ready_o;
  uint64_t x = 2;
  SC_HAS_PROCESS(sink_t);
  explicit sink_t(sc_module_name name) : sc_module(name) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() {
    x = bench_lfsr(x);
    ready_o.write((x & 7) != 0);
  }
};

static std::vector<sc_signal<uint64_t> *> words;
static std::vector<sc_signal<bool> *> valids, readies;

static void build_pipe(sc_clock &clk, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    words.push_back(new sc_signal<uint64_t>(sc_gen_unique_name("s")));
  for (unsigned i = 0; i < n; i++) {
    reg_t *r = new reg_t(sc_gen_unique_name("r"), i);
    r->clk(clk);
    r->d(*words[(i + n - 1) % n]);
    r->q(*words[i]);
  }
}

static void build_ripple(sc_clock &clk, unsigned n) {
  for (unsigned i = 0; i <= n; i++)
    words.push_back(new sc_signal<uint64_t>(sc_gen_unique_name("s")));
  reg_t *r = new reg_t("r", 0);
  r->clk(clk);
  r->d(*words[0]);
  r->q(*words[0]);
  for (unsigned i = 0; i < n; i++) {
    comb_t *c = new comb_t(sc_gen_unique_name("c"), i);
    c->a(*words[i]);
    c->y(*words[i + 1]);
  }
}

static void build_fifo(sc_clock &clk, unsigned n) {
  for (unsigned i = 0; i <= n; i++) {
    words.push_back(new sc_signal<uint64_t>(sc_gen_unique_name("d")));
    valids.push_back(new sc_signal<bool>(sc_gen_unique_name("v")));
    readies.push_back(new sc_signal<bool>(sc_gen_unique_name("r")));
  }
  source_t *source = new source_t("source");
  source->clk(clk);
  source->ready_i(*readies[0]);
  source->valid_o(*valids[0]);
  source->data_o(*words[0]);
  for (unsigned i = 0; i < n; i++) {
    stage_t *s = new stage_t(sc_gen_unique_name("stage"));
    s->clk(clk);
    s->valid_i(*valids[i]);
    s->data_i(*words[i]);
    s->ready_o(*readies[i]);
    s->valid_o(*valids[i + 1]);
    s->data_o(*words[i + 1]);
    s->ready_i(*readies[i + 1]);
  }
  sink_t *sink = new sink_t("sink");
  sink->clk(clk);
  sink->ready_o(*readies[n]);
}

static uint64_t hash() {
  uint64_t h = BENCH_FNV_START;
  for (size_t i = 0; i < words.size(); i++) {
    h = bench_fnv(h, words[i]->read());
    if (valids.empty()) continue;
    h = bench_fnv(h, valids[i]->read());
    h = bench_fnv(h, readies[i]->read());
  }
  return h;
}

static uint64_t cpu_ns() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

int sc_main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: bench_systemc pipe|ripple|fifo N CYCLES [TRACE]\n");
    return 2;
  }
  sc_clock clk("clk", 1, SC_NS, 0.5, 0, SC_NS, true);
  unsigned n = static_cast<unsigned>(std::atoi(argv[2]));
  if (!std::strcmp(argv[1], "pipe"))
    build_pipe(clk, n);
  else if (!std::strcmp(argv[1], "ripple"))
    build_ripple(clk, n);
  else
    build_fifo(clk, n);
  sc_trace_file *trace = nullptr;
  if (argc > 4) {
    trace = sc_create_vcd_trace_file(argv[4]);
    for (sc_signal<uint64_t> *s : words) sc_trace(trace, *s, s->name());
    for (sc_signal<bool> *s : valids) sc_trace(trace, *s, s->name());
    for (sc_signal<bool> *s : readies) sc_trace(trace, *s, s->name());
  }
  uint64_t cycles = std::strtoull(argv[3], nullptr, 10);
  sc_start(SC_ZERO_TIME); /* elaboration and the edge at time 0 are not measured */
  uint64_t start = cpu_ns();
  sc_start(
      sc_time(static_cast<double>(cycles) - 0.75, SC_NS)); /* edges at 0, 1 ... cycles - 1 ns */
  if (trace) sc_close_vcd_trace_file(trace);
  uint64_t ns = cpu_ns() - start;
  std::printf("%" PRIu64 " %016" PRIx64 "\n", ns, hash());
  return 0;
}
