/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's driver, loaded at run time: libcuda.so.1 and the functions of driver.def. The build
 * needs nothing of CUDA. */
#ifndef SILICON_DRIVER_H
#define SILICON_DRIVER_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* Constants and structs of the API. */
enum { DRIVER_OK = 0, DRIVER_NOT_READY = 600 };

typedef enum {
  DRIVER_THREADS_PER_BLOCK = 1,
  DRIVER_SMS = 16,
  DRIVER_L2_BYTES = 38,
  DRIVER_MAJOR = 75,
  DRIVER_MINOR = 76,
  DRIVER_SHARED_PER_SM = 81,
  DRIVER_SHARED_PER_BLOCK = 97,
  DRIVER_MAPS_MEMORY = 102
} driver_attribute_t;

enum { DRIVER_FUNCTION_SHARED = 8, DRIVER_FUNCTION_CARVEOUT = 9 };
enum { DRIVER_JIT_ERROR_TEXT = 5, DRIVER_JIT_ERROR_BYTES = 6 };
enum { DRIVER_LINK_PTX = 1 };
enum { DRIVER_LAUNCH_BUFFER = 1, DRIVER_LAUNCH_BYTES = 2 };
enum { DRIVER_FORMAT_S32 = 0x0a, DRIVER_FORMAT_F32 = 0x20, DRIVER_TEXTURE_AS_IS = 1 };

typedef struct {
  unsigned char byte[16];
} driver_uuid_t;

typedef struct {
  int type, number; /* 1: a device */
} driver_location_t;

typedef struct {
  int type, handles; /* 1: pinned; 0: none requested */
  driver_location_t location;
  void *windows;
  unsigned char compression, rdma;
  unsigned short usage;
  unsigned char reserved[4];
} driver_alloc_t;
_Static_assert(sizeof(driver_alloc_t) == 32, "CUmemAllocationProp");

typedef struct {
  driver_location_t location;
  int flags; /* 3: read and write */
} driver_access_t;

typedef struct {
  void *library;
#define DRIVER(name, symbol, args) int(*name) args;
#include "workload/silicon/driver.def"
#undef DRIVER
} driver_t;

/* Returns 0, or -1 and a message if there is no driver, an older one, or one that finds no GPU. */
int driver_open(driver_t *d, mrpb_err_t *err);
void driver_close(driver_t *d);

/* The driver's description of a result other than DRIVER_OK, such as "CUDA_ERROR_OUT_OF_MEMORY: out
 * of memory". */
typedef struct {
  char text[160];
} driver_text_t;
const char *driver_says(const driver_t *d, int result, driver_text_t *t);

#endif
