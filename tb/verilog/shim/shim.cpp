/* SPDX-License-Identifier: Apache-2.0 */
// The only C++ file between C and every verilated module: it moves ports, shows registers and
// catches $stop. verilate.sh compiles it for each module with SHIM_STEM, SHIM_HEADER and
// SHIM_PORTS; the class is always Vdut. The ports come from cmodel/ports/<stem>.ports.h, and their
// C types from <stem>.h. The registers come from regs.h (tb/verilog/load/lib.c). With SHIM_MUTANTS
// the module is a netlist of Yosys: each word of a register is a separate port (listed in state.h),
// all of them power up as 0, and the input mutsel says which mutant is active. With SHIM_OUTPUTS no
// register is shown. With SHIM_THEIRS a design's ports are shown, too (theirs.h, by
// tb/verilog/design/wrapper.h).
#include "rtl_runtime.h"

#include "Vdut.h"
#include "Vdut___024root.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#if VM_COVERAGE
#include "verilated_cov.h"
#endif

extern "C" {
#include SHIM_HEADER
#include "verilog/shim/shim.h"
}

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(a) #a
#define STR(a) STR_(a)
#define IN_T CAT(SHIM_STEM, _in_t)
#define OUT_T CAT(SHIM_STEM, _out_t)

namespace {

// Keeps what the Verilog prints and why it stopped, instead of a message on the terminal and
// abort().
struct context_t final : VerilatedContext {
  rtl_runtime_moved_t moved = RTL_RUNTIME_ANY;
  bool watching = false;
  bool stopped = false;
  char said[200] = "";
  char text[400] = "";

  context_t(uint64_t seed, shim_power_t power) {
#ifdef SHIM_MUTANTS
    power = SHIM_ZEROS;
#endif
    threads(1); // otherwise each model starts threads, which outlive a constructor that fails
    randReset(static_cast<int>(power));
    randSeed(static_cast<int>((seed ^ seed >> 32) % 0x7ffffffe) + 1);
  }
  void stop(const char *what, const char *file, int line) {
    if (!watching || stopped) return;
    stopped = true;
    const char *base = std::strrchr(file, '/');
    std::snprintf(text, sizeof text, "%s at %s:%d%s%s", what, base ? base + 1 : file, line,
                  said[0] ? ": " : "", said);
  }
};

context_t &current() {
  return *static_cast<context_t *>(Verilated::threadContextp());
}

struct model_t {
  context_t context;
  Vdut dut;
  model_t(uint64_t seed, shim_power_t power)
      : context(seed, power), dut((Verilated::threadContextp(&context), &context), "dut") {}
};

// A constructor of Verilator's that runs out of memory half way cannot undo what it has done: it crashes.
// It gets its memory from a reserve, and says afterwards that it needed it.
struct reserve_t {
  enum { BYTES = 1 << 18 };
  static thread_local void *kept;
  const std::new_handler before;

  static void give() {
    if (!kept) throw std::bad_alloc();
    std::free(kept);
    kept = nullptr;
  }
  reserve_t() : before(std::set_new_handler(give)) { kept = std::malloc(BYTES); }
  ~reserve_t() {
    std::set_new_handler(before);
    std::free(kept);
    kept = nullptr;
  }
  bool touched() const { return !kept; }
};
thread_local void *reserve_t::kept;

// A port of up to 64 bits is one word in C; a wider one is an array of words, low word first.
template <class T> void put(T &port, const uint64_t &v) {
  port = static_cast<T>(v);
}
template <class T, std::size_t N> void put(T &port, const uint64_t (&v)[N]) {
  port = static_cast<T>(v[0]);
}
template <std::size_t W, std::size_t N> void put(VlWide<W> &port, const uint64_t (&v)[N]) {
  static_assert(4 * W <= 8 * N, "the Verilog port is wider than the ports table allows");
  std::memcpy(port.data(), v, 4 * W);
}
template <class T> void get(const T &port, uint64_t &v) {
  v = port;
}
template <class T, std::size_t N> void get(const T &port, uint64_t (&v)[N]) {
  std::memset(v, 0, sizeof v);
  v[0] = port;
}
template <std::size_t W, std::size_t N> void get(const VlWide<W> &port, uint64_t (&v)[N]) {
  static_assert(4 * W <= 8 * N, "the Verilog port is wider than the ports table allows");
  std::memset(v, 0, sizeof v);
  std::memcpy(v, port.data(), 4 * W);
}

template <class T> shim_view_t view(const char *name, const T &r) {
  return shim_view_t{name, &r, sizeof(T), 1};
}
template <class T, std::size_t N> shim_view_t view(const char *name, const VlUnpacked<T, N> &r) {
  return shim_view_t{name, &r[0], sizeof(T), N};
}

// The two combinational modules have no clock.
template <class M> auto clock(M &m, int level, int) -> decltype(m.clk_i, void()) {
  m.clk_i = static_cast<CData>(level);
}
template <class M> void clock(M &, int, long) {}

void eval(model_t *m, rtl_runtime_moved_t moved) {
  Verilated::threadContextp(&m->context);
  m->context.moved = moved;
  m->dut.eval();
}

void *shim_create(uint64_t seed, shim_power_t power) {
  const reserve_t reserve;
  if (reserve.touched()) return nullptr;
  try {
    model_t *m = new model_t(seed, power);
    if (!reserve.touched()) return m;
    delete m;
  } catch (const std::bad_alloc &) {
  }
  return nullptr;
}

void shim_comb(void *self, const uint64_t *in_words, uint64_t *out_words) {
  model_t *m = static_cast<model_t *>(self);
  Vdut &d = m->dut;
  const IN_T &in = *reinterpret_cast<const IN_T *>(in_words);
  OUT_T &out = *reinterpret_cast<OUT_T *>(out_words);
#include "ports/clear.h"
#undef IN
#undef INW
#define IN(name, width, doc) put(d.name, in.name);
#define INW(name, width, max_width, doc) put(d.name, in.name);
#include SHIM_PORTS
  clock(d, 0, 0);
  eval(m, RTL_RUNTIME_INPUTS);
#include "ports/clear.h"
#undef OUT
#undef OUTW
#define OUT(name, width, doc) get(d.name, out.name);
#define OUTW(name, width, max_width, doc) get(d.name, out.name);
#include SHIM_PORTS
#include "ports/clear.h"
}

void shim_edge(void *self) {
  model_t *m = static_cast<model_t *>(self);
  clock(m->dut, 1, 0);
  eval(m, RTL_RUNTIME_CLOCK);
}

#ifdef SHIM_MUTANTS

void shim_regs(void *self, shim_view_t *views) {
  const Vdut &d = static_cast<model_t *>(self)->dut;
  (void)d;
  (void)views;
#define STATE(name) *views++ = view(#name, d.name);
#include "state.h"
#undef STATE
}
void shim_select(void *self, unsigned number) {
  static_cast<model_t *>(self)->dut.mutsel = static_cast<SData>(number);
}
constexpr unsigned n_regs = 0
#define STATE(name) +1
#include "state.h"
    ;

#else

constexpr auto shim_select = nullptr;

#ifdef SHIM_OUTPUTS

void shim_regs(void *, shim_view_t *) {}
constexpr unsigned n_regs = 0;

#else

void shim_regs(void *self, shim_view_t *views) {
  const Vdut___024root &r = *static_cast<model_t *>(self)->dut.rootp;
  (void)r;
  (void)views;
#define REGISTER(name, wire) *views++ = view(name, r.CAT(CAT(SHIM_STEM, __DOT__), wire));
#include "regs.h"
#undef REGISTER
}

constexpr unsigned n_regs = 0
#define REGISTER(name, wire) +1
#include "regs.h"
#undef REGISTER
    ;

#endif

#endif

#ifdef SHIM_THEIRS
void shim_theirs(void *self, shim_view_t *views) {
  const Vdut___024root &r = *static_cast<model_t *>(self)->dut.rootp;
  (void)r;
  (void)views;
#define THEIRS(name, wire) *views++ = view(name, r.CAT(CAT(SHIM_STEM, __DOT__), wire));
#include "theirs.h"
#undef THEIRS
}
constexpr unsigned n_theirs = 0
#define THEIRS(name, wire) +1
#include "theirs.h"
    ;
#else
constexpr decltype(shim_table_t::theirs) shim_theirs = nullptr;
constexpr unsigned n_theirs = 0;
#endif

// The design is flattened into one class of plain values; its pointers belong to the model.
void shim_save(const void *self, void *to) {
  std::memcpy(to, static_cast<const model_t *>(self)->dut.rootp, sizeof(Vdut___024root));
}

void shim_load(void *self, const void *from) {
  std::memcpy(static_cast<void *>(static_cast<model_t *>(self)->dut.rootp), from,
              sizeof(Vdut___024root));
}

void shim_watch(void *self) {
  static_cast<model_t *>(self)->context.watching = true;
}

const char *shim_stopped(void *self) {
  const context_t &c = static_cast<model_t *>(self)->context;
  return c.stopped ? c.text : nullptr;
}

void shim_destroy(void *self) {
  model_t *m = static_cast<model_t *>(self);
  if (!m) return;
  Verilated::threadContextp(&m->context);
  delete m;
}

#if VM_COVERAGE
void shim_coverage(void *self, const char *path) {
  static_cast<model_t *>(self)->context.coveragep()->write(path);
}
#else
constexpr decltype(shim_table_t::coverage) shim_coverage = nullptr;
#endif

} // namespace

// Called by Verilator's run-time library, which is compiled to leave these four to us.
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE {
  current().stop("$stop", file, line);
}
void vl_fatal(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE {
  context_t &c = current();
  if (message && !c.said[0]) std::snprintf(c.said, sizeof c.said, "%s", message);
  c.stop("$fatal", file, line);
}
// The library warns only about the file of a $readmemh that is missing or truncated.
void vl_warn(const char *file, int line, const char *, const char *message) VL_MT_UNSAFE {
  current().stop(message, file, line);
}
void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE {
  current().stop("$finish", file, line);
}

rtl_runtime_moved_t rtl_runtime_moved(const VerilatedContext *context) {
  return static_cast<const context_t *>(context)->moved;
}

// Every $display ends here; the last line before a $stop is the reason.
int rtl_runtime_printf(const char *format, ...) {
  context_t &c = current();
  if (c.stopped) return 0;
  char line[sizeof c.said];
  va_list ap;
  va_start(ap, format);
  const int n = std::vsnprintf(line, sizeof line, format, ap);
  va_end(ap);
  line[std::strcspn(line, "\n")] = '\0';
  if (line[0]) std::snprintf(c.said, sizeof c.said, "%s", line);
  return n;
}

extern "C" __attribute__((visibility("default"))) const shim_table_t mrpb_shim = {
    STR(SHIM_STEM),
    sizeof(IN_T) / sizeof(uint64_t),
    sizeof(OUT_T) / sizeof(uint64_t),
    n_regs,
    shim_create,
    shim_comb,
    shim_edge,
    shim_regs,
    sizeof(Vdut___024root),
    shim_save,
    shim_load,
    shim_watch,
    shim_stopped,
    shim_destroy,
    shim_coverage,
    shim_select,
    n_theirs,
    shim_theirs,
};
