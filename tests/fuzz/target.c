/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer's entry for one reader (-DREADER_NAME=config -DREADER_FILE="fuzz.conf"): passes the
 * input as a file in memory, and checks what every reader promises. */
#include "fuzz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[128];
  mrpb_err_t err = {""};
  snprintf(path, sizeof path, "/dev/shm/%ld-%s", (long)getpid(), READER_FILE);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
    perror(path);
    exit(2);
  }
  int rc = CAT(fuzz_, READER_NAME)(path, &err);
  remove(path);
  if (rc != (err.text[0] ? -1 : 0) || strchr(err.text, '\n')) {
    fprintf(stderr, "broken promise: %d and \"%s\"\n", rc, err.text);
    abort();
  }
  return 0;
}
