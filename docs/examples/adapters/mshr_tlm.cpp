/* SPDX-License-Identifier: Apache-2.0 */
// Four initiators that read a memory through the MSHR table of mshr_tlm.hpp, a TLM-2.0 target.
// c++ -std=c++17 mshr_tlm.cpp $(pkg-config --cflags --libs mrpb) -lsystemc -o mshr_tlm && ./mshr_tlm
#include "mshr_tlm.hpp"

#include <cstdio>

// A memory whose byte at an address is a function of it, and four initiators that read it through the table.
struct Bench : sc_module {
  tlm_utils::simple_target_socket<Bench> memory;
  tlm_utils::simple_initiator_socket<Bench> reader;
  unsigned fetched = 0, wrong = 0;
  sc_time done;

  explicit Bench(sc_module_name name) : sc_module(name), memory("memory"), reader("reader") {
    memory.register_b_transport(this, &Bench::answer);
    for (unsigned i = 0; i < 4; i++) sc_spawn([=] { read(i); });
  }
  static unsigned char at(uint64_t address) {
    return static_cast<unsigned char>(address * 167 >> 3);
  }
  void answer(tlm_generic_payload &payload, sc_time &delay) {
    for (unsigned k = 0; k < payload.get_data_length(); k++)
      payload.get_data_ptr()[k] = at(payload.get_address() + k);
    delay += sc_time(40, SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    fetched++;
  }
  void read(uint32_t random) {
    for (unsigned n = 0; n < 500; n++) {
      random = random * 1664525 + 1013904223;
      const uint64_t address = (random >> 20 & 255) * 4; // of eight lines
      unsigned char data[4];
      tlm_generic_payload payload;
      sc_time delay = SC_ZERO_TIME;
      payload.set_read();
      payload.set_address(address);
      payload.set_data_ptr(data);
      payload.set_data_length(sizeof data);
      reader->b_transport(payload, delay);
      for (unsigned k = 0; k < sizeof data; k++) wrong += data[k] != at(address + k);
    }
    done = sc_time_stamp();
  }
};

int sc_main(int, char **) {
  const mshr_cfg_t cfg = {4, 4, 25, 16,
                          0, 0, 0}; // ENTRIES, MERGES, ADDR_W, DATA_W, STORES, READ_REG, PARITY
  MergingTarget target("target", cfg, sc_time(1, SC_NS));
  Bench bench("bench");
  bench.reader.bind(target.in);
  target.out.bind(bench.memory);
  sc_start(100, SC_US);
  std::printf("2000 reads, %u lines fetched, %u bytes wrong, %s\n", bench.fetched, bench.wrong,
              bench.done.to_string().c_str());
  return bench.wrong != 0;
}
