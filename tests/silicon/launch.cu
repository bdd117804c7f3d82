// SPDX-License-Identifier: Apache-2.0
/* Kernels that do nothing, or read the clock, in grids of many shapes: what a launch takes by itself, and each
 * of its blocks (docs/micro/rates.md). tests/silicon/rates.sh builds it and has Nsight Compute count
 * the cycles, in the order of the lines that it prints. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct big_t {
  uint64_t word[64];
};

__global__ void nothing(void) {}

/* Has parameters, and a store that never happens. */
__global__ void idle(big_t b, uint32_t *out) {
  if (b.word[63] == 1) *out = 1;
}

__global__ void one_store(uint32_t *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

/* Spins for `ticks`, so that the launch's own time shows beside the blocks'. */
__global__ void spin(uint32_t ticks, uint32_t *out) {
  const uint32_t from = (uint32_t)clock64();
  uint32_t now = from;
  while (now - from < ticks) now = (uint32_t)clock64();
  if (now == 1) *out = now;
}

__global__ void shared_mem(uint32_t *out) {
  extern __shared__ uint32_t data[];
  data[threadIdx.x] = threadIdx.x;
  if (data[0] == 1) *out = 1;
}

static void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "launch: %s\n", cudaGetErrorString(e));
  exit(2);
}

int main(void) {
  static const unsigned blocks[] = {1, 2, 16, 132, 264, 1056, 4224, 16896, 67584}, threads[] = {32, 128, 256, 1024};
  uint32_t *out;
  must(cudaMalloc(&out, (size_t)67584 * 1024 * sizeof *out));
  must(cudaFuncSetAttribute(shared_mem, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++)
      for (unsigned j = 0; j < sizeof threads / sizeof *threads; j++) {
        nothing<<<blocks[i], threads[j]>>>();
        printf("nothing,%u,%u,0\n", blocks[i], threads[j]);
      }
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i += 2) {
    idle<<<blocks[i], 256>>>(big_t{}, out);
    printf("idle,%u,256,0\n", blocks[i]);
    one_store<<<blocks[i], 256>>>(out);
    printf("one_store,%u,256,0\n", blocks[i]);
    shared_mem<<<blocks[i], 256, 32768>>>(out);
    printf("shared_mem,%u,256,32768\n", blocks[i]);
  }
  for (unsigned ticks = 500; ticks <= 64000; ticks *= 2) {
    spin<<<132, 256>>>(ticks, out);
    printf("spin,132,256,%u\n", ticks);
    spin<<<1056, 256>>>(ticks, out);
    printf("spin,1056,256,%u\n", ticks);
  }
  must(cudaDeviceSynchronize());
  return 0;
}
