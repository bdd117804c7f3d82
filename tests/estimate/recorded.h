/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a page that `make test` cannot measure again: they must be of this Verilog. */
#ifndef RECORDED_H
#define RECORDED_H

#include "base/hash.h"
#include "verilog/build.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* `was` is the hash that was recorded for module `stem`; `command` records it anew. */
static inline void recorded_for(const char *stem, const char *was, const char *command) {
  uint64_t hash = HASH_START;
  char is[24];
  mrpb_err_t err = {""};
  ck_assert_msg(rtl_hash_sources(&hash, "rtl", stem, &err) == 0, "%s", err.text);
  snprintf(is, sizeof is, "%016" PRIx64, hash);
  ck_assert_msg(was && strcmp(was, is) == 0, "%s was recorded for other Verilog: %s", stem,
                command);
}

#endif
