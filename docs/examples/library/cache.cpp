/* SPDX-License-Identifier: Apache-2.0 */
// A C++ simulator around the MSHR model: a stream of misses, a memory that answers after 40 cycles, and
// how many reads the merging saves. Outputs that depend on inputs are asked for with comb, as hardware
// would see them, before the clock edge.
// c++ -std=c++11 cache.cpp $(pkg-config --cflags --libs mrpb) -o cache && ./cache
#include <libmrpb.h>

#include <cstdio>
#include <deque>
#include <memory>
#include <stdexcept>

// An instance that ends with its owner; errors are exceptions.
class Mshr {
public:
  explicit Mshr(const mshr_cfg_t &cfg) : model(make(cfg), mshr_destroy) {}
  mshr_out_t comb(const mshr_in_t &in) const {
    mrpb_err_t err = {""};
    mshr_out_t out;
    if (mshr_legal(model.get(), &in, &err) != 0) throw std::invalid_argument(err.text);
    mshr_comb(model.get(), &in, &out);
    return out;
  }
  void edge(const mshr_in_t &in) { mshr_edge(model.get(), &in); }

private:
  static mshr_t *make(const mshr_cfg_t &cfg) {
    mrpb_err_t err = {""};
    mshr_t *made;
    if (mshr_create(&made, &cfg, &err) != 0) throw std::invalid_argument(err.text);
    return made;
  }
  std::unique_ptr<mshr_t, void (*)(mshr_t *)> model;
};

struct Fetch {
  unsigned done;
  uint64_t entry;
};

static int simulate(unsigned merges) {
  mshr_cfg_t cfg = {16, merges, 25, 16,
                    0,  0,      0}; // ENTRIES, MERGES, ADDR_W, DATA_W, STORES, READ_REG, PARITY
  Mshr mshr(cfg);
  std::deque<Fetch> memory;
  unsigned sent = 0, fetched = 0, returned = 0, stalled = 0, cycle = 0;
  uint32_t random = 1;
  for (; returned < 1000; cycle++) {
    mshr_in_t in = mshr_in_t();
    in.srst_ni = 1;
    in.out_ready_i = 1;
    in.req_valid_i = sent < 1000;
    in.req_addr_i = random >> 16 & 31; // 32 lines, so that many reads meet
    in.req_data_i = sent & 0xffff;
    if (!memory.empty() && memory.front().done <= cycle) {
      in.fill_valid_i = 1;
      in.fill_entry_i = memory.front().entry;
      memory.pop_front();
    }
    const mshr_out_t out = mshr.comb(in);
    if (in.req_valid_i && out.req_ready_o) {
      if (!out.req_merge_o) {
        memory.push_back(Fetch{cycle + 40, out.req_entry_o});
        fetched++;
      }
      random = random * 1664525u + 1013904223u;
      sent++;
    } else if (in.req_valid_i) {
      stalled++;
    }
    returned += out.out_valid_o != 0;
    mshr.edge(in);
  }
  std::printf("MERGES %u: %u reads, %u lines fetched, %u cycles, %u of them stalled\n", merges,
              returned, fetched, cycle, stalled);
  return 0;
}

int main() {
  try {
    simulate(1);
    simulate(8);
    simulate(64);
  } catch (const std::exception &e) {
    std::printf("refused: %s\n", e.what());
  }
  return 0;
}
