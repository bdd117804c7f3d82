/* SPDX-License-Identifier: Apache-2.0 */
/* The words that keys can have as values (keys.def). WORDS_<list>(W) expands to W(number, text) for
 * each word in the order of its number. A number that a module or a part defines has its name from
 * there; the others are defined here. */
#ifndef CONFIG_WORDS_H
#define CONFIG_WORDS_H

#include "numbers.h"
#include "parts/bypass_policy.h"
#include "parts/tag_array.h"

/* A signature that the MRPB module does not number: see verilog_params.c. */
enum { CONFIG_SIGNATURE_SUB_CORE = 3 };

// clang-format off: it takes a list of words for an expression
/* Lists whose numbers a module or a part defines. */
#define WORDS_REPLACEMENT(W) W(TAGS_LRU, "lru") W(TAGS_FIFO, "fifo") W(TAGS_FERMI, "fermi")
#define WORDS_SIGNATURE(W)                                                                         \
  W(MRPB_SIGNATURE_BLOCK, "block")                                                                 \
  W(MRPB_SIGNATURE_WARP, "warp")                                                                   \
  W(MRPB_SIGNATURE_BLOCK_WARP, "block-warp")                                                       \
  W(CONFIG_SIGNATURE_SUB_CORE, "sub-core")
#define WORDS_POLICY(W)                                                                            \
  W(MRPB_POLICY_FIXED, "fixed")                                                                    \
  W(MRPB_POLICY_FIXED_GREEDY, "greedy-fixed")                                                      \
  W(MRPB_POLICY_ROUND_ROBIN, "round-robin")                                                        \
  W(MRPB_POLICY_ROUND_ROBIN_GREEDY, "greedy-round-robin")                                          \
  W(MRPB_POLICY_LONGEST, "longest")                                                                \
  W(MRPB_POLICY_LONGEST_GREEDY, "greedy-longest")
#define WORDS_BYPASS(W)                                                                            \
  W(MRPB_BYPASS_OFF, "off")                                                                        \
  W(MRPB_BYPASS_STALL, "all")                                                                      \
  W(MRPB_BYPASS_ASSOC_STALL, "assoc")
#define WORDS_BYPASS_POLICY(W)                                                                     \
  W(BYPASS_POLICY_REFUSED, "refused")                                                              \
  W(BYPASS_POLICY_SIGNATURE, "signature")                                                          \
  W(BYPASS_POLICY_CONTENTION, "contention")
#define WORDS_RELEASE(W) W(MRPB_ORDER_ANY, "any") W(MRPB_ORDER_IN_ORDER, "in-order")

/* The others. */
#define WORDS_CORE(W) W(CONFIG_CORE_PIPELINE, "pipeline") W(CONFIG_CORE_IN_ORDER, "in-order")
#define WORDS_MEMORY(W) W(CONFIG_MEMORY_FLITS, "flits") W(CONFIG_MEMORY_PORTS, "ports")
#define WORDS_SCHEDULER(W) W(CONFIG_SCHEDULER_RR, "rr") W(CONFIG_SCHEDULER_GTO, "gto")
#define WORDS_PLACEMENT(W)                                                                         \
  W(CONFIG_PLACEMENT_ROUND_ROBIN, "round-robin")                                                   \
  W(CONFIG_PLACEMENT_DEPTH_FIRST, "depth-first")
#define WORDS_CLOCKS(W) W(CONFIG_CLOCKS_EXACT, "exact") W(CONFIG_CLOCKS_REFERENCE, "reference")
#define WORDS_ALLOCATE(W) W(CONFIG_ALLOCATE_MISS, "miss") W(CONFIG_ALLOCATE_FILL, "fill")
#define WORDS_ORDER(W) W(CONFIG_ORDER_SAFE, "safe") W(CONFIG_ORDER_REFERENCE, "reference")
#define WORDS_REPLY(W) W(CONFIG_REPLY_SECTOR, "sector") W(CONFIG_REPLY_LINE, "line")
#define WORDS_TRACKING(W)                                                                          \
  W(CONFIG_TRACKING_PRT, "prt")                                                                    \
  W(CONFIG_TRACKING_MSHR, "mshr")                                                                  \
  W(CONFIG_TRACKING_NONE, "none")
#define WORDS_PLACE(W) W(DEVICE_PLACE_SM, "sm") W(DEVICE_PLACE_CLUSTER, "cluster")
#define WORDS_DIVERGENCE(W)                                                                        \
  W(DEVICE_DIVERGENCE_REFERENCE, "reference")                                                      \
  W(DEVICE_DIVERGENCE_TAKEN, "taken")
#define WORDS_OPS(W) W(DEVICE_OPS_PLAIN, "plain") W(DEVICE_OPS_GT200, "gt200")
#define WORDS_TABLE(W) W(DEVICE_TABLE_MSHR, "mshr") W(DEVICE_TABLE_PRT, "prt")
#define WORDS_STORE(W)                                                                             \
  W(DEVICE_STORE_DROPS, "drops")                                                                   \
  W(DEVICE_STORE_UPDATES, "updates")                                                               \
  W(DEVICE_STORE_ALLOCATES, "allocates")
#define WORDS_TLB3(W) W(DEVICE_TLB3_ANY, "any") W(DEVICE_TLB3_SET, "set")
#define WORDS_BANKS(W)                                                                             \
  W(DEVICE_BANKS_16X4, "16x4")                                                                     \
  W(DEVICE_BANKS_32X4, "32x4")                                                                     \
  W(DEVICE_BANKS_32X8, "32x8")                                                                     \
  W(DEVICE_BANKS_32X8_4, "32x8-4")

#define WORDS_NUMBER(number, text) number,
enum { WORDS_CORE(WORDS_NUMBER) };
enum { WORDS_MEMORY(WORDS_NUMBER) };
enum { WORDS_SCHEDULER(WORDS_NUMBER) };
enum { WORDS_PLACEMENT(WORDS_NUMBER) };
enum { WORDS_CLOCKS(WORDS_NUMBER) };
enum { WORDS_ALLOCATE(WORDS_NUMBER) };
enum { WORDS_ORDER(WORDS_NUMBER) };
enum { WORDS_REPLY(WORDS_NUMBER) };
enum { WORDS_TRACKING(WORDS_NUMBER) };
enum { WORDS_PLACE(WORDS_NUMBER) };
enum { WORDS_DIVERGENCE(WORDS_NUMBER) };
enum { WORDS_OPS(WORDS_NUMBER) };
enum { WORDS_TABLE(WORDS_NUMBER) };
enum { WORDS_STORE(WORDS_NUMBER) };
enum { WORDS_TLB3(WORDS_NUMBER) };
enum { WORDS_BANKS(WORDS_NUMBER) };
#undef WORDS_NUMBER

/* "|a|b|c", and the last number of a list. */
#define WORDS_TEXT_OF(number, text) "|" text
#define WORDS_TEXT(list) WORDS_##list(WORDS_TEXT_OF)
#define WORDS_ONE(number, text) +1
#define WORDS_LAST(list) (WORDS_##list(WORDS_ONE) - 1)
// clang-format on

#endif
