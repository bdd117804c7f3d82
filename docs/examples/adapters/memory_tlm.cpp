/* SPDX-License-Identifier: Apache-2.0 */
// Two cores that write an array and read it again, four accesses at a time each, through the memory side of the GPU.
// c++ -std=c++17 memory_tlm.cpp $(pkg-config --cflags --libs mrpb-gpu) -lsystemc -o memory_tlm && ./memory_tlm
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "memory_tlm.hpp"

#include <cstdio>
#include <tlm_utils/simple_initiator_socket.h>

using namespace sc_core;

struct Core : sc_module {
  enum { LINES = 512, AT_A_TIME = 4, LINE = 128 };
  tlm_utils::simple_initiator_socket<Core> out;
  unsigned number, wrong = 0;
  sc_time written, read;

  Core(sc_module_name name, unsigned number) : sc_module(name), out("out"), number(number) {
    for (unsigned i = 0; i < AT_A_TIME; i++) sc_spawn([=] { work(i); });
  }
  void access(unsigned line, bool is_write, unsigned char *data) {
    tlm::tlm_generic_payload payload;
    sc_time delay = SC_ZERO_TIME;
    if (is_write)
      payload.set_write();
    else
      payload.set_read();
    payload.set_address((number * LINES + line) * LINE);
    payload.set_data_ptr(data);
    payload.set_data_length(LINE);
    out->b_transport(payload, delay);
    wait(delay);
    wrong += !payload.is_response_ok();
  }
  void work(unsigned first) {
    unsigned char data[LINE];
    for (unsigned line = first; line < LINES; line += AT_A_TIME) {
      std::memset(data, static_cast<int>(line + number) & 255, LINE);
      access(line, true, data);
    }
    written = sc_time_stamp();
    for (unsigned line = first; line < LINES; line += AT_A_TIME) {
      access(line, false, data);
      for (unsigned char c : data) wrong += c != ((line + number) & 255);
    }
    read = sc_time_stamp();
  }
};

int sc_main(int, char **) {
  MemorySide memory("memory", "base-s", 2, 1 << 20);
  Core a("a", 0), b("b", 1);
  a.out.bind(memory.core[0]);
  b.out.bind(memory.core[1]);
  sc_start(1, SC_MS);
  std::printf("written at %s, read at %s, %u wrong\n", a.written.to_string().c_str(),
              a.read.to_string().c_str(), a.wrong + b.wrong);
  std::printf("L2: %g reads, %g misses, %g writes; DRAM: %g reads; %g bytes back to the cores\n",
              memory.value("l2.reads"), memory.value("l2.read_misses"), memory.value("l2.writes"),
              memory.value("dram.read_requests"), memory.value("interconnect.replies.bytes"));
  return 0;
}
