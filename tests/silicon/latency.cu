// SPDX-License-Identifier: Apache-2.0
/* The witness of the study `latency`: measures a GPU's latencies with CUDA's own toolkit, sharing
 * nothing with the studies' instruments (docs/silicon.md). One thread follows pointers: a chain
 * between two clock readings, or a reading around each load, less the time that the readings add to
 * a load that hits in the L1D. It runs on the SM that gets the only block of a launch.
 * tests/silicon/cuda.sh builds and runs it. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum {
  LINES = 512,
  PAGES = 16,
  PAGE = 2 << 20,
  LINE = 128,
  LAUNCHES = 9,
  FLUSH = 512 << 20,
  BLOCK = 1024
};

typedef struct {
  uint32_t cycles, claimed; /* of the chain; a block is on that SM and has begun */
  uint64_t end;
  uint32_t latency[LINES];
} result_t;

static void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "latency: %s\n", cudaGetErrorString(e));
  exit(2);
}

__device__ static uint32_t now(void) {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

template <bool L1D> __device__ static uint64_t hop(uint64_t p) {
  if (L1D)
    asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)::"memory");
  else
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p)::"memory");
  return p;
}

/* `warm` hops from `list`, and LINES timed ones; from `pages` on one hop a page for its translation. */
template <bool L1D, bool LOGGED>
__global__ void chase(uint64_t pages, uint64_t list, uint32_t warm, uint32_t sm, result_t *out) {
  __shared__ uint64_t seen;
  __shared__ uint32_t latency[LINES];
  uint32_t here;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
  if (here != sm || threadIdx.x != 0 || atomicCAS(&out->claimed, 0u, 1u) != 0) return;
  uint64_t p = pages;
  for (uint32_t i = 0; i < PAGES; i++) p = hop<false>(p);
  p = list + (p == 1);
  for (uint32_t i = 0; i < warm; i++) p = hop<L1D>(p);
  if (LOGGED) {
    for (uint32_t i = 0; i < LINES; i++) {
      const uint32_t from = now();
      p = hop<L1D>(p);
      *(volatile uint64_t *)&seen = p;
      latency[i] = now() - from;
    }
    for (uint32_t i = 0; i < LINES; i++) out->latency[i] = latency[i];
  } else {
    const uint32_t from = now();
#pragma unroll 16
    for (uint32_t i = 0; i < LINES; i++) p = hop<L1D>(p);
    *(volatile uint64_t *)&seen = p;
    out->cycles = now() - from;
  }
  out->end = p;
}

__global__ void where(uint32_t *sm) {
  asm volatile("mov.u32 %0, %%smid;" : "=r"(*sm));
}

/* The SM of a block that is alone. */
static uint32_t first_sm(result_t *out) {
  uint32_t sm;
  where<<<1, 1>>>(&out->cycles);
  must(cudaMemcpy(&sm, &out->cycles, sizeof sm, cudaMemcpyDeviceToHost));
  return sm;
}

/* Reads all of it: what was in the L2 is there no more, and nothing that would have to be written first. */
__global__ void read_all(const uint4 *at, size_t n, uint32_t *sum) {
  uint32_t all = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    all += at[i].x;
  if (all == 1) *sum = all;
}

typedef struct {
  char *list, *flush;
  result_t *out;
  uint32_t blocks;
} rig_t;

/* A ring through `lines` of the memory, and one through its pages' first lines. */
static void ring(const rig_t *r, const std::vector<uint64_t> &at) {
  std::vector<char> image((size_t)PAGES * PAGE);
  for (size_t i = 0; i < at.size(); i++)
    *(uint64_t *)&image[at[i]] = (uint64_t)(uintptr_t)r->list + at[(i + 1) % at.size()];
  for (uint64_t i = 0; i < PAGES; i++)
    *(uint64_t *)&image[i * PAGE] = (uint64_t)(uintptr_t)r->list + (i + 1) % PAGES * PAGE;
  must(cudaMemcpy(r->list, image.data(), image.size(), cudaMemcpyHostToDevice));
}

static std::vector<uint64_t> random_lines(void) {
  std::vector<uint64_t> at;
  while (at.size() < LINES) {
    const uint64_t line = (uint64_t)rand() % (PAGES * (uint64_t)PAGE / LINE) * LINE;
    if (line % PAGE && std::find(at.begin(), at.end(), line) == at.end()) at.push_back(line);
  }
  return at;
}

template <bool L1D, bool LOGGED>
static result_t launch(const rig_t *r, uint64_t first, bool warm, uint32_t sm) {
  result_t got;
  const uint64_t list = (uint64_t)(uintptr_t)r->list;
  if (!warm)
    read_all<<<r->blocks, BLOCK>>>((const uint4 *)r->flush, FLUSH / sizeof(uint4), &r->out->cycles);
  must(cudaMemset(r->out, 0, sizeof *r->out));
  chase<L1D, LOGGED><<<r->blocks, BLOCK>>>(list, list + first, warm ? LINES : 0, sm, r->out);
  must(cudaDeviceSynchronize());
  must(cudaMemcpy(&got, r->out, sizeof got, cudaMemcpyDeviceToHost));
  if (got.claimed && got.end) return got;
  fprintf(stderr, "latency: no block on SM %u\n", sm);
  exit(2);
}

static double median(std::vector<uint32_t> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

/* Memory lies in two halves, one farther than the other: the middle of their medians. Of all reads together the median may lie
 * anywhere between the halves. */
static double middle(const std::vector<uint32_t> &x) {
  std::vector<uint32_t> sorted = x, half[2];
  std::sort(sorted.begin(), sorted.end());
  const uint32_t between = (sorted[x.size() / 4] + sorted[x.size() * 3 / 4]) / 2;
  for (uint32_t v : x) half[v > between].push_back(v);
  return (median(half[0]) + median(half[1])) / 2;
}

/* A chain of words of one line. */
static double l1d_hit(const rig_t *r, uint32_t sm, double *reading) {
  std::vector<uint64_t> words;
  double chain = 1e9, logged = 1e9;
  for (uint64_t i = 0; i < LINE / 8; i++) words.push_back(LINE + 8 * i);
  ring(r, words);
  for (int i = 0; i < LAUNCHES; i++) {
    const result_t got = launch<true, true>(r, LINE, true, sm);
    chain = std::min(chain, (double)launch<true, false>(r, LINE, true, sm).cycles / LINES);
    logged = std::min(logged, median(std::vector<uint32_t>(got.latency, got.latency + LINES)));
  }
  *reading = logged - chain;
  return chain;
}

int main(void) {
  cudaDeviceProp gpu;
  rig_t r;
  std::vector<uint32_t> l2, dram;
  double reading, all = 0, one = 1e9;
  must(cudaGetDeviceProperties(&gpu, 0));
  must(cudaMalloc(&r.list, PAGES * (size_t)PAGE));
  must(cudaMalloc(&r.flush, FLUSH));
  must(cudaMalloc(&r.out, sizeof *r.out));
  must(cudaMemset(r.flush, 0, FLUSH));
  r.blocks = 2 * (uint32_t)gpu.multiProcessorCount;
  const uint32_t sm = first_sm(r.out);
  const double l1d = l1d_hit(&r, sm, &reading);
  printf("L1D hit %.1f\n", l1d);
  std::vector<uint64_t> at;
  for (int i = 0; i < LAUNCHES; i++) {
    at = random_lines();
    ring(&r, at);
    const result_t hits = launch<false, true>(&r, at[0], true, sm);
    const result_t misses = launch<false, true>(&r, at[0], false, sm);
    one = std::min(one, (double)launch<false, false>(&r, at[0], true, sm).cycles / LINES);
    l2.insert(l2.end(), hits.latency, hits.latency + LINES);
    dram.insert(dram.end(), misses.latency, misses.latency + LINES);
  }
  for (int s = 0; s < gpu.multiProcessorCount; s++)
    all += (double)launch<false, false>(&r, at[0], true, (uint32_t)s).cycles / LINES;
  printf("SM %u\nL2 hit %.0f\nL2 hit, chain %.1f\nL2 hit, mean of all SMs %.1f\n", sm,
         median(l2) - reading, one, all / gpu.multiProcessorCount);
  printf("DRAM %.0f\nDRAM, median of all reads %.0f\n", middle(dram) - reading,
         median(dram) - reading);
  return 0;
}
