/* SPDX-License-Identifier: Apache-2.0 */
// A host program in C++: launches that depend on what the one before left in memory. Each adds up pairs of numbers,
// until one is left.
// c++ -std=c++11 gpu.cpp $(pkg-config --cflags --libs mrpb-gpu) -o gpu_cpp && ./gpu_cpp
#include "gpu.hpp"

#include <cstdio>

static const char halve[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n"
    ".visible .entry halve(.param .u64 v, .param .u32 half) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<6>;\n"
    "  ld.param.u64 %rd1, [v]; ld.param.u32 %r1, [half];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "  mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.u32 %p1, %r5, %r1; @%p1 bra END;\n"
    "  mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "  mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;\n"
    "  ld.global.u32 %r6, [%rd3]; ld.global.u32 %r7, [%rd5];\n"
    "  add.u32 %r6, %r6, %r7; st.global.u32 [%rd3], %r6;\nEND: ret; }\n";

int main() {
  try {
    std::vector<uint32_t> numbers(4096);
    for (uint32_t i = 0; i < numbers.size(); i++) numbers[i] = i;
    Gpu gpu("base-s-mrpb", {"SMS=4", "SCHEDULER=gto"});
    gpu.ptx(halve, "halve.ptx");
    const uint64_t v = gpu.buffer(numbers);
    unsigned launches = 0;
    for (uint32_t left = 4096; left > 1; launches++) {
      left /= 2;
      gpu.launch("halve", (left + 255) / 256, 256, v, left);
      while (gpu.step(1000)) continue;
    }
    std::printf("the sum is %u after %u launches, %llu cycles\n", gpu.read<uint32_t>(v, 1)[0],
                launches, static_cast<unsigned long long>(gpu.cycles()));
    std::printf("L1D %g hits, %g misses; L2 %g reads; %zu values\n", gpu["l1d.hits"],
                gpu["l1d.misses_with_bypasses"], gpu["l2.reads"], gpu.values().size());
    Gpu wrong("base-s-mrpb", {"SMS=400"});
  } catch (const std::exception &e) {
    std::printf("refused: %s\n", e.what());
  }
  return 0;
}
