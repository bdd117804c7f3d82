// SPDX-License-Identifier: Apache-2.0
// The host and the memory of Ventus' gpgpu_axi_top, for tests/conform/ventus.sh.
//   bench EXPECTED MEMORY KERNEL...
// Plays the kernels one after the other, as Ventus' testbench does: writes the buffers of
// KERNEL.data where KERNEL.metadata says, writes the registers, and waits until the host is told
// that the work group is done. Then it writes all words of memory that are not 0 into the file
// MEMORY, and compares the memory with EXPECTED: lines of the number of a buffer of the first
// kernel, and the words with which it should begin.
#include <verilated.h>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>
#include "Vgpgpu_axi_top.h"

namespace {

constexpr unsigned long LIMIT = 100000; // cycles of a kernel; the longest one takes 13,000
constexpr unsigned LATENCY = 8;         // cycles from an address to the first beat

using Words = std::vector<uint32_t>;
struct Burst {
  uint32_t addr;
  unsigned id, left, size, wait;
};

std::map<uint32_t, uint32_t> memory; // by word number
std::deque<Burst> reads, writes;
std::deque<unsigned> acks; // ids
std::unique_ptr<Vgpgpu_axi_top> gpu;
unsigned long cycle;

// Ends without destructors: those of Verilator 5.006's libraries wait for ever.
[[noreturn]] void end(int status) {
  std::fflush(stdout);
  std::_Exit(status);
}
[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  end(2);
}

Words words(const std::string &path) {
  std::ifstream file(path);
  Words all;
  uint32_t word;
  while (file >> std::hex >> word) all.push_back(word);
  if (all.empty()) fail(path + ": no words");
  return all;
}

uint64_t pair(uint32_t addr) {
  const uint32_t word = addr >> 3 << 1;
  const auto low = memory.find(word), high = memory.find(word + 1);
  return (low == memory.end() ? 0 : low->second) |
         (uint64_t)(high == memory.end() ? 0 : high->second) << 32;
}
void store(uint32_t addr, uint64_t data, unsigned strobe) {
  for (unsigned byte = 0; byte < 8; byte++)
    if (strobe >> byte & 1) {
      uint32_t &word = memory[(addr >> 3 << 1) + byte / 4];
      const unsigned shift = byte % 4 * 8;
      word = (word & ~(0xffu << shift)) | (uint32_t)(data >> byte * 8 & 0xff) << shift;
    }
}

// One cycle: what the GPU offers and what it is offered is taken before the edge.
void tick() {
  gpu->clk = 0;
  gpu->eval();
  const bool ar = gpu->m_axi_arvalid_o && gpu->m_axi_arready_i;
  const bool aw = gpu->m_axi_awvalid_o && gpu->m_axi_awready_i;
  const bool w = gpu->m_axi_wvalid_o && gpu->m_axi_wready_i;
  if (gpu->m_axi_rvalid_i && gpu->m_axi_rready_o) {
    Burst &r = reads.front();
    r.addr += 1u << r.size;
    if (r.left-- == 0) reads.pop_front();
  }
  if (gpu->m_axi_bvalid_i && gpu->m_axi_bready_o) acks.pop_front();
  if (w) {
    Burst &b = writes.front();
    store(b.addr, gpu->m_axi_wdata_o, gpu->m_axi_wstrb_o);
    b.addr += 1u << b.size;
    if (b.left-- == 0) {
      acks.push_back(b.id);
      writes.pop_front();
    }
  }
  for (Burst &r : reads) r.wait -= r.wait > 0;
  if (ar)
    reads.push_back(
        {gpu->m_axi_araddr_o, gpu->m_axi_arid_o, gpu->m_axi_arlen_o, gpu->m_axi_arsize_o, LATENCY});
  if (aw)
    writes.push_back(
        {gpu->m_axi_awaddr_o, gpu->m_axi_awid_o, gpu->m_axi_awlen_o, gpu->m_axi_awsize_o, 0});
  gpu->clk = 1;
  gpu->eval();
  gpu->m_axi_arready_i = reads.size() < 4;
  gpu->m_axi_awready_i = writes.empty();
  gpu->m_axi_wready_i = !writes.empty();
  gpu->m_axi_rvalid_i = !reads.empty() && reads.front().wait == 0;
  if (gpu->m_axi_rvalid_i) {
    gpu->m_axi_rid_i = reads.front().id;
    gpu->m_axi_rdata_i = pair(reads.front().addr);
    gpu->m_axi_rlast_i = reads.front().left == 0;
  }
  gpu->m_axi_bvalid_i = !acks.empty();
  if (!acks.empty()) gpu->m_axi_bid_i = acks.front();
  cycle++;
}

void write_register(uint32_t number, uint32_t value) {
  bool addr = true, data = true;
  gpu->s_axilite_bready_i = 1;
  for (unsigned long end = cycle + 1000; addr || data || !gpu->s_axilite_bvalid_o;) {
    gpu->s_axilite_awvalid_i = addr;
    gpu->s_axilite_awaddr_i = number * 4;
    gpu->s_axilite_wvalid_i = data;
    gpu->s_axilite_wdata_i = value;
    gpu->s_axilite_wstrb_i = 15;
    gpu->clk = 0;
    gpu->eval();
    const bool a = addr && gpu->s_axilite_awready_o, d = data && gpu->s_axilite_wready_o;
    tick();
    addr = addr && !a;
    data = data && !d;
    if (cycle > end) fail("a register cannot be written");
  }
  gpu->s_axilite_awvalid_i = gpu->s_axilite_wvalid_i = 0;
  tick();
  tick();
}

uint32_t read_register(uint32_t number) {
  bool addr = true;
  gpu->s_axilite_rready_i = 1;
  gpu->s_axilite_araddr_i = number * 4;
  while (addr || !gpu->s_axilite_rvalid_o) {
    gpu->s_axilite_arvalid_i = addr;
    gpu->clk = 0;
    gpu->eval();
    const bool a = addr && gpu->s_axilite_arready_o;
    tick();
    addr = addr && !a;
  }
  gpu->s_axilite_arvalid_i = 0;
  const uint32_t value = gpu->s_axilite_rdata_o;
  tick();
  tick();
  return value;
}

// The metadata has 64-bit numbers, of which the low words are used.
void play(const std::string &kernel) {
  const Words meta = words(kernel + ".metadata"), data = words(kernel + ".data");
  if (meta.size() < 28) fail(kernel + ".metadata: too short");
  const uint32_t buffers = meta[26];
  size_t next = 0;
  if (meta.size() < 28 + 4 * (size_t)buffers) fail(kernel + ".metadata: too short");
  for (uint32_t b = 0; b < buffers; b++) {
    const uint32_t base = meta[28 + 2 * b], size = (meta[28 + 2 * (buffers + b)] + 3) / 4;
    for (uint32_t i = 0; i < size && next < data.size(); i++) memory[base / 4 + i] = data[next++];
  }
  const uint32_t wf_size = meta[10], wg_size = meta[12], sgpr = meta[20], vgpr = meta[22];
  const uint32_t registers[] = {0,   wg_size, wf_size, 0x80000000u, wg_size * vgpr, wg_size * sgpr,
                                128, vgpr,    sgpr,    0,           meta[24],       meta[14],
                                0,   0,       0};
  for (uint32_t i = 0; i < 15; i++) write_register(i + 1, registers[i]);
  const unsigned long start = cycle;
  write_register(0, 1);
  const std::string name = kernel.substr(kernel.rfind('/') + 1);
  while (read_register(17) == 0)
    if (cycle > start + LIMIT) fail(name + ": not done after " + std::to_string(LIMIT) + " cycles");
  std::printf("kernel %s %lu cycles\n", name.c_str(), cycle - start);
  std::fflush(stdout);
  for (int i = 0; i < 100; i++) tick();
}

unsigned compare(const char *path, const Words &meta) {
  std::ifstream file(path);
  std::string line;
  unsigned right = 0, wrong = 0;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    uint32_t buffer, word;
    Words want;
    in >> buffer >> std::hex;
    while (in >> word) want.push_back(word);
    for (size_t i = 0; i < want.size(); i++) {
      const uint32_t number = meta[28 + 2 * buffer] / 4 + (uint32_t)i;
      const auto at = memory.find(number);
      const bool same = (at == memory.end() ? 0 : at->second) == want[i];
      right += same;
      wrong += !same;
    }
  }
  std::printf("expected words: %u right, %u wrong\n", right, wrong);
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) fail("EXPECTED MEMORY KERNEL...");
  Verilated::randReset(0);
  gpu.reset(new Vgpgpu_axi_top);
  gpu->rst_n = 1;
  tick();
  gpu->rst_n = 0;
  for (int i = 0; i < 10; i++) tick();
  gpu->rst_n = 1;
  for (int i = 0; i < 100; i++) tick();
  for (int i = 3; i < argc; i++) play(argv[i]);
  std::FILE *out = std::fopen(argv[2], "w");
  if (!out) fail(std::string(argv[2]) + ": cannot be written");
  for (const auto &word : memory)
    if (word.second)
      std::fprintf(out, "%08" PRIx32 " %08" PRIx32 "\n", word.first * 4, word.second);
  std::fclose(out);
  std::printf("all %lu cycles\n", cycle);
  end(compare(argv[1], words(std::string(argv[3]) + ".metadata")) ? 1 : 0);
}
