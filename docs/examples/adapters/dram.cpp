/* SPDX-License-Identifier: Apache-2.0 */
// Your own DRAM behind the L2. The class has the interface of DRAMsim3's MemorySystem. To use
// DRAMsim3 itself, include <dramsim3.h> and write instead:
// dramsim3::MemorySystem memory("config.ini", ".", nullptr, nullptr);
// c++ -std=c++11 dram.cpp $(pkg-config --cflags --libs mrpb-gpu) -o dram && ./dram
#include "gpu.hpp"

#include <cstdio>
#include <deque>

// One queue for all, an answer after so many clocks, one transaction of 64 bytes in each of them at most.
class SimpleMemory {
public:
  explicit SimpleMemory(unsigned latency) : latency(latency) {}
  void RegisterCallbacks(std::function<void(uint64_t)> read, std::function<void(uint64_t)> write) {
    read_done = read;
    write_done = write;
  }
  double GetTCK() const { return 1.0; }
  int GetBusBits() const { return 64; }
  int GetBurstLength() const { return 8; }
  bool WillAcceptTransaction(uint64_t, bool) const { return queue.size() < 64; }
  bool AddTransaction(uint64_t address, bool is_write) {
    queue.push_back(Transaction{address, is_write, clock + latency});
    return true;
  }
  void ClockTick() {
    if (!queue.empty() && queue.front().done <= clock) {
      const Transaction t = queue.front();
      queue.pop_front();
      (t.is_write ? writes : reads)++;
      (t.is_write ? write_done : read_done)(t.address);
    }
    clock++;
  }
  uint64_t reads = 0, writes = 0;

private:
  struct Transaction {
    uint64_t address;
    bool is_write;
    uint64_t done;
  };
  unsigned latency;
  uint64_t clock = 0;
  std::deque<Transaction> queue;
  std::function<void(uint64_t)> read_done, write_done;
};

static mrpb_gpu_program_t cut(uint32_t iterations) {
  mrpb_gpu_program_t options = mrpb_gpu_program_t();
  options.cut = iterations;
  return options;
}

static void with(unsigned latency) {
  SimpleMemory memory(latency);
  Gpu gpu("base-s-mrpb");
  gpu.program("atax", cut(8));
  gpu.connect_dram(memory);
  gpu.checked(); // data travel, through this memory too, and every load is compared
  gpu.run();
  std::printf("%3u clocks: %llu cycles, %llu reads, %llu writes of 64 bytes\n", latency,
              static_cast<unsigned long long>(gpu.cycles()),
              static_cast<unsigned long long>(memory.reads),
              static_cast<unsigned long long>(memory.writes));
}

int main() {
  try {
    Gpu own("base-s-mrpb");
    own.program("atax", cut(8));
    own.run();
    std::printf("GDDR5 of the GPU: %llu cycles, %g reads of 128 bytes\n",
                static_cast<unsigned long long>(own.cycles()), own["dram.read_requests"]);
    with(20);
    with(200);
  } catch (const std::exception &e) {
    std::printf("refused: %s\n", e.what());
    return 2;
  }
  return 0;
}
