/* SPDX-License-Identifier: Apache-2.0 */
/* Expands keys.def, once for each #include of this file; there is no guard. Before including it,
 * define what each row is to become:
 *   KEY and WORD: every key, as in keys.def;
 *   PART_<part>(field, to, min, max, deflt, has): the keys that are passed to the part; `field` is
 *     that of config_t, `to` the part's own;
 *   WITH, RENAMED: as in keys.def.
 * Afterwards all of them are undefined. */
#include "config/words.h"

#ifndef KEY
#define KEY(has, name, field, min, max, deflt, unit, part, to, doc)                                \
  PART_##part(field, to, min, max, deflt, has)
#endif
#ifndef WORD
#define WORD(has, name, field, list, deflt, part, to, doc)                                         \
  PART_##part(field, to, 0, WORDS_LAST(list), deflt, has)
#endif
#ifndef WITH
#define WITH(...)
#endif
#ifndef RENAMED
#define RENAMED(...)
#endif
#ifndef PART_MRPB
#define PART_MRPB(...)
#endif
#ifndef PART_MSHR
#define PART_MSHR(...)
#endif
#ifndef PART_PRT
#define PART_PRT(...)
#endif
#ifndef PART_ICNT
#define PART_ICNT(...)
#endif
#ifndef PART_L2
#define PART_L2(...)
#endif
#ifndef PART_DRAM
#define PART_DRAM(...)
#endif
#ifndef PART_L1D
#define PART_L1D(...)
#endif
#define PART_NONE(...)
#define PART_NOTE(...)

#include "config/keys.def"

#undef KEY
#undef WORD
#undef WITH
#undef RENAMED
#undef PART_MRPB
#undef PART_MSHR
#undef PART_PRT
#undef PART_ICNT
#undef PART_L2
#undef PART_DRAM
#undef PART_L1D
#undef PART_NONE
#undef PART_NOTE
