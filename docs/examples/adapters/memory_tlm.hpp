/* SPDX-License-Identifier: Apache-2.0 */
// The memory side of the GPU, interconnect, L2 and DRAM, as a TLM-2.0 target with a socket for each of your cores.
// b_transport returns after so many cycles as the model takes; the bytes are kept here.
#ifndef MEMORY_TLM_HPP
#define MEMORY_TLM_HPP

#include <libmrpb-gpu.h>

#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

class MemorySide : public sc_core::sc_module {
public:
  typedef tlm_utils::simple_target_socket_tagged<MemorySide> Socket;
  sc_core::sc_vector<Socket> core;

  SC_HAS_PROCESS(MemorySide);
  // `bytes`: of the memory; addresses from 0.
  MemorySide(sc_core::sc_module_name name, const std::string &config, unsigned cores, size_t bytes)
      : sc_module(name), core("core", cores), memory(bytes), waiting(cores) {
    const mrpb_gpu_cores_t functions = {this, reply, tick};
    must(mrpb_gpu_create(&gpu, config.c_str(), &err));
    must(mrpb_gpu_set(gpu, ("SMS=" + std::to_string(cores)).c_str(), &err));
    must(mrpb_gpu_connect_cores(gpu, &functions, &err));
    mrpb_gpu_keys(gpu, find_period, this);
    for (unsigned i = 0; i < cores; i++)
      core[i].register_b_transport(this, &MemorySide::b_transport, static_cast<int>(i));
    SC_THREAD(clock);
  }
  ~MemorySide() override { mrpb_gpu_destroy(gpu); }

  double value(const char *name) {
    double v = 0;
    must(mrpb_gpu_value(gpu, name, &v, &err));
    return v;
  }

private:
  struct Access {
    mrpb_gpu_request_t request;
    sc_core::sc_event done;
  };
  mrpb_gpu_t *gpu = nullptr;
  mrpb_err_t err = mrpb_err_t();
  sc_core::sc_time period;
  std::vector<unsigned char> memory;
  std::vector<std::deque<Access *>> waiting; // by core: not in its injection buffer yet
  std::map<uint64_t, Access *> sent;         // by id
  uint64_t next = 0;

  void must(int rc) {
    if (rc != 0) SC_REPORT_ERROR("memory", err.text);
  }
  static void find_period(void *ctx, const mrpb_gpu_value_t *key) {
    if (std::strcmp(key->name, "CLOCK_SM") == 0)
      static_cast<MemorySide *>(ctx)->period = sc_core::sc_time(1e6 / key->real, sc_core::SC_PS);
  }

  // An access inside one line of 128 bytes, as the 32, 64 or 128 bytes around it; whatever else is refused.
  void b_transport(int from, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) {
    const uint64_t first = payload.get_address(), n = payload.get_data_length();
    uint32_t bytes = 32;
    while (bytes < 128 && first / bytes != (first + n - 1) / bytes) bytes *= 2;
    if (n == 0 || first + n > memory.size() || first / bytes != (first + n - 1) / bytes) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    Access access = {
        {next++, first / bytes * bytes, bytes, static_cast<uint32_t>(from), payload.is_write()},
        {}};
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    waiting[access.request.sm].push_back(&access);
    wait(access.done);
    if (payload.is_write())
      std::memcpy(&memory[first], payload.get_data_ptr(), n);
    else
      std::memcpy(payload.get_data_ptr(), &memory[first], n);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  void clock() {
    for (;; wait(period)) must(mrpb_gpu_step(gpu, 1, &err) == MRPB_GPU_RUNNING ? 0 : -1);
  }
  static void tick(void *ctx, uint64_t) {
    MemorySide *m = static_cast<MemorySide *>(ctx);
    for (auto &queue : m->waiting) {
      if (queue.empty()) continue;
      const int rc = mrpb_gpu_request(m->gpu, &queue.front()->request, &m->err);
      if (rc < 0) m->must(rc);
      if (rc <= 0) continue;
      m->sent[queue.front()->request.id] = queue.front();
      queue.pop_front();
    }
  }
  static void reply(void *ctx, uint32_t, uint64_t id) {
    MemorySide *m = static_cast<MemorySide *>(ctx);
    m->sent[id]->done.notify(sc_core::SC_ZERO_TIME);
    m->sent.erase(id);
  }
};

#endif
