/* SPDX-License-Identifier: Apache-2.0 */
// The GPU for C++11 and later: it ends with its owner, errors are exceptions, and a DRAM with the interface of
// DRAMsim3's MemorySystem goes behind its L2 as it is.
#ifndef GPU_HPP
#define GPU_HPP

#include <libmrpb-gpu.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Gpu {
public:
  // `config`: a file, or a shipped one by its name; `keys`: "KEY=VALUE".
  explicit Gpu(const std::string &config, std::initializer_list<std::string> keys = {})
      : gpu(make(config), mrpb_gpu_destroy) {
    for (const std::string &key : keys) must(mrpb_gpu_set(gpu.get(), key.c_str(), &err));
  }
  mrpb_gpu_t *get() { return gpu.get(); }

  void program(const std::string &name, mrpb_gpu_program_t options = mrpb_gpu_program_t()) {
    must(mrpb_gpu_program(gpu.get(), name.c_str(), &options, &err));
  }
  void checked() { must(mrpb_gpu_checked(gpu.get(), &err)); }
  // False at the end of the last launch; whatever else ends a run is an exception.
  bool step(uint64_t cycles) { return running(mrpb_gpu_step(gpu.get(), cycles, &err)); }
  void run() {
    if (running(mrpb_gpu_run(gpu.get(), &err))) throw std::runtime_error("the run was paused");
    must(mrpb_gpu_verify(gpu.get(), &err));
  }
  uint64_t cycles() const { return mrpb_gpu_cycles(gpu.get()); }
  double operator[](const std::string &name) {
    double value = 0;
    must(mrpb_gpu_value(gpu.get(), name.c_str(), &value, &err));
    return value;
  }
  std::map<std::string, double> values() {
    std::map<std::string, double> all;
    must(mrpb_gpu_values(gpu.get(), add, &all, &err));
    return all;
  }

  // What runs: a launch file; `lets` as in {"n=4096"}.
  void launch_file(const std::string &path, const std::vector<const char *> &lets) {
    must(mrpb_gpu_launch_file(gpu.get(), path.c_str(), lets.data(),
                              static_cast<unsigned>(lets.size()), &err));
  }

  // A kernel's memory and launches, after ptx().
  void ptx(const std::string &text, const std::string &name) {
    must(mrpb_gpu_ptx(gpu.get(), text.data(), text.size(), name.c_str(), &err));
  }
  template <class T> uint64_t buffer(const std::vector<T> &values) {
    uint64_t address = 0;
    const uint64_t bytes = values.size() * sizeof(T);
    must(mrpb_gpu_alloc(gpu.get(), bytes, &address, &err));
    must(mrpb_gpu_write(gpu.get(), address, values.data(), bytes, &err));
    return address;
  }
  template <class T> std::vector<T> read(uint64_t address, size_t n) {
    std::vector<T> values(n);
    must(mrpb_gpu_read(gpu.get(), address, values.data(), n * sizeof(T), &err));
    return values;
  }
  template <class... Args>
  void launch(const char *kernel, uint32_t grid, uint32_t block, const Args &...args) {
    const void *const list[] = {static_cast<const void *>(&args)...};
    mrpb_gpu_launch_t l = mrpb_gpu_launch_t();
    l.kernel = kernel;
    l.grid[0] = grid;
    l.block[0] = block;
    l.args = list;
    l.n_args = sizeof...(args);
    must(mrpb_gpu_launch(gpu.get(), &l, &err));
  }

  // Memory must outlive the GPU: WillAcceptTransaction, AddTransaction, ClockTick, RegisterCallbacks, GetTCK,
  // GetBusBits and GetBurstLength, as DRAMsim3 has them.
  template <class Memory> void connect_dram(Memory &memory) {
    const mrpb_gpu_dram_t six = {
        &memory,
        [](void *m, void (*read)(void *, uint64_t), void (*write)(void *, uint64_t), void *arg) {
          static_cast<Memory *>(m)->RegisterCallbacks([=](uint64_t a) { read(arg, a); },
                                                      [=](uint64_t a) { write(arg, a); });
        },
        [](void *m) -> double { return static_cast<Memory *>(m)->GetTCK(); },
        [](void *m) {
          const Memory *d = static_cast<Memory *>(m);
          return static_cast<unsigned>(d->GetBusBits() * d->GetBurstLength() / 8);
        },
        [](void *m, uint64_t address, bool is_write) {
          return static_cast<bool>(
              static_cast<Memory *>(m)->WillAcceptTransaction(address, is_write));
        },
        [](void *m, uint64_t address, bool is_write) {
          return static_cast<bool>(static_cast<Memory *>(m)->AddTransaction(address, is_write));
        },
        [](void *m) { static_cast<Memory *>(m)->ClockTick(); }};
    must(mrpb_gpu_connect_dram(gpu.get(), &six, &err));
  }

private:
  mrpb_err_t err = mrpb_err_t();
  std::unique_ptr<mrpb_gpu_t, void (*)(mrpb_gpu_t *)> gpu;

  mrpb_gpu_t *make(const std::string &config) {
    mrpb_gpu_t *made = nullptr;
    must(mrpb_gpu_create(&made, config.c_str(), &err));
    return made;
  }
  void must(int rc) {
    if (rc == 0) return;
    const std::string text = err.text;
    err = mrpb_err_t();
    throw std::runtime_error(text);
  }
  bool running(mrpb_gpu_state_t state) {
    must(state == MRPB_GPU_RUNNING || state == MRPB_GPU_DONE ? 0 : -1);
    return state == MRPB_GPU_RUNNING;
  }
  static void add(void *all, const mrpb_gpu_value_t *v) {
    if (v->type != MRPB_GPU_TEXT)
      (*static_cast<std::map<std::string, double> *>(all))[v->name] = v->real;
  }
};

#endif
