/* SPDX-License-Identifier: Apache-2.0 */
/* line_data: crosses. */
#include "cosim/cross/cross.h"

#include "line_data.h"

enum { ACCESS, BEAT, RESET };

static const cross_t crosses[] = {
    [ACCESS] = {"access",
                "a read and a write in one cycle",
                {{"read", {"none", "first place", "inner place", "last place", "no such place"}},
                 {"write", {"none", "same place", "another place", "nowhere"}}}},
    [BEAT] = {"beat",
              "which beat is written where",
              {{"beat", {"first", "inner", "last", "behind the line"}},
               {"place", {"first", "inner", "last"}}}},
    [RESET] = {"reset", "what a reset meets", {{"read", {"no", "yes"}}, {"write", {"no", "yes"}}}},
};

static const cross_gap_t gaps[] = {
    {"access", "none|no such place, same place", "no place is read"},
};

static int8_t where(uint64_t at, uint32_t n) {
  return at == 0 ? 0 : at + 1 == n ? 2 : at < n ? 1 : 3;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const line_data_cfg_t *cfg = line_data_sizes(c->cfg);
  const line_data_in_t *i = (const line_data_in_t *)(const void *)c->in;
  const uint32_t places = cfg->PLACES;
  const uint32_t beats = (cfg->WORDS + cfg->BUS_WORDS - 1) / cfg->BUS_WORDS;
  const uint64_t from = i->read_place_i, to = i->write_place_i;
  const bool written = to < places && i->write_beat_i < beats;
  if (!i->srst_ni) {
    value[RESET][0] = i->read_valid_i != 0;
    value[RESET][1] = i->write_valid_i != 0;
    return;
  }
  value[ACCESS][0] = !i->read_valid_i ? 0 : (int8_t)(1 + where(from, places));
  value[ACCESS][1] = !i->write_valid_i ? 0 : !written ? 3 : i->read_valid_i && from == to ? 1 : 2;
  if (i->write_valid_i && to < places) {
    value[BEAT][0] = where(i->write_beat_i, beats);
    value[BEAT][1] = where(to, places);
  }
}

const cross_class_t cross_line_data = {.stem = "line_data",
                                       .n = sizeof crosses / sizeof *crosses,
                                       .n_gaps = sizeof gaps / sizeof *gaps,
                                       .crosses = crosses,
                                       .gaps = gaps,
                                       .sample = sample};
