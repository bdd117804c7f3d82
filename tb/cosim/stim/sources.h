/* SPDX-License-Identifier: Apache-2.0 */
/* A module's inputs as sources of transactions (docs/verify/replay.md). Inputs whose names agree
 * before their first `_` form one source. A cycle in which one of them is not at its idle value is
 * a transaction of that source. */
#ifndef COSIM_SOURCES_H
#define COSIM_SOURCES_H

#include "module.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const module_class_t *cls;
  unsigned n;                        /* sources */
  bool starts_reset;                 /* there is an srst_ni, so a stimulus begins with a reset */
  unsigned reset;                    /* the word of srst_ni */
  unsigned source[MODULE_MAX_PORTS]; /* of each input */
  module_port_t in[MODULE_MAX_PORTS];
  uint64_t idle[MODULE_MAX_WORDS]; /* input words of a cycle in which nothing happens */
  /* The words that say that an entry is given out: X_valid_i, X_ready_o, X_entry_o and, where it
   * exists, X_merge_o (the entry was given out before). If `gives` is false, no source does
   * this. */
  bool gives;
  unsigned gives_valid, gives_ready, gives_entry;
  int gives_merge; /* -1: there is none */
} sources_t;

void sources_init(sources_t *s, const module_class_t *cls, const uint32_t *cfg);

/* Whether an input of this name says that the rest of its source counts. */
bool sources_strobe(const char *name);

/* Whether an input of this name is the number of an entry that the module has given out. */
bool sources_entry(const char *name);

/* Whether the module gives out an entry in a cycle with these inputs and outputs; if so, *entry is
 * its number. */
bool sources_gives(const sources_t *s, const uint64_t *in, const uint64_t *out, uint64_t *entry);

/* Bit k is set if source k has a transaction in a cycle with these inputs. */
uint32_t sources_active(const sources_t *s, const uint64_t *in);

/* Makes the sources in the mask idle. */
void sources_silence(const sources_t *s, uint32_t mask, uint64_t *in);

/* sources_port_idle: whether input `port` has its idle value. sources_port_clear: sets it to that
 * value. */
bool sources_port_idle(const sources_t *s, unsigned port, const uint64_t *in);
void sources_port_clear(const sources_t *s, unsigned port, uint64_t *in);

#endif
