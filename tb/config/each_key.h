/* SPDX-License-Identifier: Apache-2.0 */
/* Expands keys.def, once for each #include of this file; there is no guard. Before including it,
 * define what each row is to become:
 *   RUN_KEY and RUN_WORD, or MICRO_KEY and MICRO_WORD: every key of a machine, as in keys.def; a
 *     row of both machines becomes one of each;
 *   RUN_<part>(field, to, min, max, deflt) or MICRO_<part>: the keys that are passed to the part;
 *     `field` is that of config_t or device_cfg_t, `to` the part's own;
 *   MICRO_RENAMED(old, now): former names of keys.
 * Afterwards all of them are undefined. */
#include "config/words.h"

#ifndef RUN_KEY
#define RUN_KEY(name, field, min, max, deflt, unit, part, to, doc)                                 \
  RUN_##part(field, to, min, max, deflt)
#endif
#ifndef RUN_WORD
#define RUN_WORD(name, field, list, deflt, part, to, doc)                                          \
  RUN_##part(field, to, 0, WORDS_LAST(list), deflt)
#endif
#ifndef MICRO_KEY
#define MICRO_KEY(name, field, min, max, deflt, unit, part, to, doc)                               \
  MICRO_##part(field, to, min, max, deflt)
#endif
#ifndef MICRO_WORD
#define MICRO_WORD(name, field, list, deflt, part, to, doc)                                        \
  MICRO_##part(field, to, 0, WORDS_LAST(list), deflt)
#endif
#ifndef MICRO_RENAMED
#define MICRO_RENAMED(old, now)
#endif
#ifndef RUN_MRPB
#define RUN_MRPB(...)
#endif
#ifndef RUN_MSHR
#define RUN_MSHR(...)
#endif
#ifndef RUN_PRT
#define RUN_PRT(...)
#endif
#ifndef RUN_ICNT
#define RUN_ICNT(...)
#endif
#ifndef RUN_L2
#define RUN_L2(...)
#endif
#ifndef RUN_DRAM
#define RUN_DRAM(...)
#endif
#ifndef RUN_L1D
#define RUN_L1D(...)
#endif
#ifndef MICRO_MRPB
#define MICRO_MRPB(...)
#endif
#ifndef MICRO_MSHR
#define MICRO_MSHR(...)
#endif
#ifndef MICRO_PRT
#define MICRO_PRT(...)
#endif
/* Keys that are passed to no part, or to one that GPUs of in-order cores do not have. */
#define RUN_NONE(...)
#define RUN_NOTE(...)
#define MICRO_NONE(...)
#define MICRO_NOTE(...)
#define MICRO_ICNT(...)
#define MICRO_L2(...)
#define MICRO_DRAM(...)
#define MICRO_L1D(...)

#define KEY(name, field, run_min, run_max, run_deflt, micro_min, micro_max, micro_deflt, unit,     \
            part, to, doc)                                                                         \
  RUN_KEY(name, field, run_min, run_max, run_deflt, unit, part, to, doc)                           \
  MICRO_KEY(name, field, micro_min, micro_max, micro_deflt, unit, part, to, doc)
#define WORD(name, field, list, run_deflt, micro_deflt, part, to, doc)                             \
  RUN_WORD(name, field, list, run_deflt, part, to, doc)                                            \
  MICRO_WORD(name, field, list, micro_deflt, part, to, doc)

#include "config/keys.def"

#undef KEY
#undef WORD
#undef RUN_KEY
#undef RUN_WORD
#undef RUN_MRPB
#undef RUN_MSHR
#undef RUN_PRT
#undef RUN_ICNT
#undef RUN_L2
#undef RUN_DRAM
#undef RUN_L1D
#undef RUN_NONE
#undef RUN_NOTE
#undef MICRO_KEY
#undef MICRO_WORD
#undef MICRO_RENAMED
#undef MICRO_MRPB
#undef MICRO_MSHR
#undef MICRO_PRT
#undef MICRO_ICNT
#undef MICRO_L2
#undef MICRO_DRAM
#undef MICRO_L1D
#undef MICRO_NONE
#undef MICRO_NOTE
