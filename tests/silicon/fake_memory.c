/* SPDX-License-Identifier: Apache-2.0 */
/* The fake GPU's memory: see fake_cuda.c. */
#include "silicon/fake_cuda.h"
#include "workload/silicon/driver.h"

#include <stdlib.h>
#include <string.h>

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  void *at = calloc(bytes < 4096 ? bytes : 4096, 1); /* of a large one nobody reads more */
  *address = (uint64_t)(uintptr_t)at;
  return at ? DRIVER_OK : OUT_OF_MEMORY;
}

int cuMemFree_v2(uint64_t address) {
  free((void *)(uintptr_t)address);
  return DRIVER_OK;
}

int cuMemGetAllocationGranularity(size_t *bytes, const driver_alloc_t *alloc, int recommended) {
  (void)alloc, (void)recommended;
  *bytes = 2 << 20;
  return DRIVER_OK;
}

int cuMemCreate(uint64_t *handle, size_t bytes, const driver_alloc_t *alloc,
                unsigned long long flags) {
  (void)bytes, (void)alloc, (void)flags;
  *handle = 1;
  return fake_told("no-memory") ? OUT_OF_MEMORY : DRIVER_OK;
}

int cuMemRelease(uint64_t handle) {
  (void)handle;
  return DRIVER_OK;
}

int cuMemAddressReserve(uint64_t *address, size_t bytes, size_t alignment, uint64_t hint,
                        unsigned long long flags) {
  (void)bytes, (void)alignment, (void)flags;
  *address = fake_told("elsewhere") ? hint << 4 : hint;
  return DRIVER_OK;
}

int cuMemAddressFree(uint64_t address, size_t bytes) {
  (void)address, (void)bytes;
  return DRIVER_OK;
}

int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle,
             unsigned long long flags) {
  (void)address, (void)bytes, (void)offset, (void)handle, (void)flags;
  return DRIVER_OK;
}

int cuMemUnmap(uint64_t address, size_t bytes) {
  (void)address, (void)bytes;
  return DRIVER_OK;
}

int cuMemSetAccess(uint64_t address, size_t bytes, const driver_access_t *access, size_t n) {
  (void)address, (void)bytes, (void)access, (void)n;
  return DRIVER_OK;
}

int cuMemHostRegister_v2(void *from, size_t bytes, unsigned flags) {
  range_t *r = fake_gpu()->range;
  (void)flags;
  while (r < fake_gpu()->range + RANGES && r->at) r++;
  if (r == fake_gpu()->range + RANGES || bytes > PINNED_BYTES - fake_gpu()->pinned)
    return OUT_OF_MEMORY;
  *r = (range_t){from, bytes, PINNED + fake_gpu()->pinned};
  fake_gpu()->pinned += (bytes + 4095) / 4096 * 4096;
  if (fake_gpu()->now)
    device_set_host(fake_gpu()->now->device, PINNED, MEMORY_BASE + MEMORY_CAPACITY);
  return DRIVER_OK;
}

int cuMemHostUnregister(void *from) {
  bool any = false;
  for (unsigned i = 0; i < RANGES; i++) {
    if (fake_gpu()->range[i].at == from) fake_gpu()->range[i].at = NULL;
    any |= fake_gpu()->range[i].at != NULL;
  }
  if (!any) fake_gpu()->pinned = 0;
  return DRIVER_OK;
}

static bool in_range(uint64_t address) {
  return address >= MEMORY_BASE - MEMORY_FRONT && address < MEMORY_BASE + MEMORY_CAPACITY;
}

static bool in_image(uint64_t address) {
  return fake_gpu()->now && in_range(address);
}

/* Bytes of the image, of a constant, or of what cuMemAlloc gave. */
static void *reach(uint64_t address, size_t bytes) {
  if (address >= FAKE_CONST && address < FAKE_CONST + MEMORY_CONST)
    return memory_const(fake_gpu()->now->memory) + (address - FAKE_CONST);
  if (!in_range(address)) return (void *)(uintptr_t)address;
  return fake_gpu()->now ? memory_at(fake_gpu()->now->memory, address, bytes) : NULL;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  void *at = reach(to, bytes);
  if (fake_gpu()->dead || !at) return BAD_ADDRESS;
  memcpy(at, from, bytes);
  if (in_image(to)) device_copy_in(fake_gpu()->now->device, to, bytes);
  return DRIVER_OK;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  const void *at = reach(from, bytes);
  if (fake_gpu()->dead || !at) return BAD_ADDRESS;
  memcpy(to, at, bytes);
  return DRIVER_OK;
}

int cuMemsetD8_v2(uint64_t address, unsigned char byte, size_t bytes) {
  void *at = in_image(address) ? reach(address, bytes) : NULL;
  if (fake_gpu()->dead) return BAD_ADDRESS;
  if (at && (byte || bytes < (64u << 20))) memset(at, byte, bytes); /* new memory is zero anyway */
  return DRIVER_OK;
}
