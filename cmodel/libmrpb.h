/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/* libmrpb: cycle-accurate models of the structures with which the cores of a GPU handle outstanding
 * memory requests, and a small event kernel. C11 and C++98 or later.
 *
 * MADE by cmodel/header/header.sh from the tables and headers of cmodel/; do not edit. `make docs`
 * makes it anew.
 *
 *   cc $(pkg-config --cflags mrpb) simulator.c $(pkg-config --libs mrpb)
 *
 * WHAT IS IN IT
 *   errors             mrpb_err_t, one line of text
 *   modules            mrpb, mshr, prt and the five parts that an MRPB is made of; each is a module of
 *                      Verilog-2005, too, with the same parameters, ports and registers
 *   module_class_t     all of them by one table, for code that knows no module by name
 *   kernel             sim_*: modules, signals, clocks, processes; vcd_*: wave files
 *
 * RULES FOR EVERY FUNCTION
 *   Results            int: 0, or -1 and one line in `err`; what else there is stands at the function.
 *                      The first error stays in `err`: begin with mrpb_err_t err = {""} and clear it
 *                      (err.text[0] = 0) before it is used again. `err` may be NULL.
 *   Ownership          What a create or open gives is the caller's, who ends it with the destroy or
 *                      close of the same name; NULL is allowed there. If it fails, the pointer is NULL.
 *                      Arguments are read during the call only, unless the function says otherwise.
 *   Pointers           must not be NULL unless the function allows it. `in` and `out` may not overlap.
 *   State              is in the instances: no global variables. Instances are independent of each other,
 *                      and each may be used by one thread at a time. No memory is allocated but by
 *                      create, elaborate and open.
 *   The library        never prints, never exits, catches no signal and reads no environment.
 *
 * A CLOCK CYCLE OF A MODULE
 *   comb gives the outputs of this cycle from the registers and this cycle's inputs. It changes nothing
 *   and may be called again with other inputs, until what is around the module has settled. edge is the
 *   rising clock edge that ends the cycle. rst_ni is 0 for a synchronous reset, else 1: remember to set
 *   it, a zeroed struct holds the module in reset. cycle does all of it for one set of inputs, and looks
 *   at them first.
 *
 * WIDTHS
 *   Each port is a uint64_t, or an array of them, low word first, if it can be wider. Its width stands in
 *   brackets, in bits: idx(n) is that of an index into n things, 1 or ceil(log2 n), cnt(n) that of a
 *   count 0..n, ceil(log2(n + 1)). An input must fit its width: cycle and legal refuse one that does
 *   not, with the port's name, its width and the value. comb, edge and what else is there for speed do
 *   not look, and what they do then is undefined.
 *
 * COMPATIBILITY
 *   Programs built against one libmrpb.so.N run with every later one of that N. Structs are allocated by
 *   callers and their fields only change with N. */
#ifndef LIBMRPB_H
#define LIBMRPB_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#if __cplusplus >= 201103L
#include <initializer_list>
#endif
extern "C" {
#endif

/* ==== errors ================================================================================== */

/* One-line errors that travel up to the caller; the library itself never prints and never exits. */

typedef struct {
  char text[512]; /* one line: where, what, what is legal; empty while nothing went wrong */
} mrpb_err_t;

/* The version, here and nowhere else: `mrpb --version`, the library and every JSON output carry it,
 * and CHANGELOG.md begins with it (tests/version.sh). Before 1.0 a larger second number says that
 * something a user wrote against the library, the keys or an output may need a change. */

#define MRPB_VERSION "0.8.0"

/* Of the library that is linked, which need not be that of the header. Never NULL; it lives as long
 * as the program. */
const char *mrpb_version(void);

/* ==== modules ================================================================================= */

/* The numbers on ports and in parameters that stand for something: ports/numbers.def. */

enum {
  MRPB_KIND_READ = 0,                   /* a read */
  MRPB_KIND_WRITE = 1,                  /* a write */
  MRPB_KIND_BARRIER = 2,                /* a barrier; 3 is one, too: bit 1 decides */
  MRPB_L1_ACCEPTED = 0,                 /* the L1 has taken what is presented */
  MRPB_L1_ASSOC_STALL = 1,              /* every line of its set is reserved */
  MRPB_L1_OTHER_STALL = 2,              /* no MSHR, no room for a merge or in the miss queue */
  MRPB_L1_NOT_ASKED = 3,                /* it did not look in this cycle */
  MRPB_POLICY_FIXED = 0,                /* the first queue that is not empty */
  MRPB_POLICY_FIXED_GREEDY = 1,         /* the same, once the queue drained last is empty */
  MRPB_POLICY_ROUND_ROBIN = 2,          /* the next after the queue drained last */
  MRPB_POLICY_ROUND_ROBIN_GREEDY = 3,   /* the same, once that queue is empty */
  MRPB_POLICY_LONGEST = 4,              /* the queue with most entries */
  MRPB_POLICY_LONGEST_GREEDY = 5,       /* the same, once the queue drained last is empty */
  MRPB_SIGNATURE_BLOCK = 0,             /* block ID */
  MRPB_SIGNATURE_WARP = 1,              /* warp ID */
  MRPB_SIGNATURE_BLOCK_WARP = 2,        /* place of the warp within its block */
  MRPB_BYPASS_OFF = 0,                  /* no request leaves past the L1 */
  MRPB_BYPASS_STALL = 1,                /* a read does on every stall */
  MRPB_BYPASS_ASSOC_STALL = 2,          /* a read does on an associativity stall */
  MRPB_ORDER_ANY = 0,                   /* entries are released as their data come */
  MRPB_ORDER_IN_ORDER = 1               /* entries are released in the order of their allocation */
};

/* The odd policies are greedy: they stay with a queue until it is empty. The policy below is the
 * one that chooses the next queue. */
enum { MRPB_POLICY_GREEDY = 1 };

/* ---- mrpb ----------------------------------------------------------------------------------- */

/* The memory request prioritization buffer, between the coalescer and the L1 data cache.
 *
 * RTL twin: rtl/mrpb.v. Contract: docs/modules/mrpb.md. MRPB paper, section 3 and Figure 7.
 * Timing: one request a cycle in, one out; LATENCY cycles from acceptance to presentation, 1 for a
 * passing write.
 * Not modelled: the coalescer, the L1 and the bypass path themselves; the payload is opaque. */
typedef struct {
  uint32_t QUEUES;        /* 1 to 64 (48): queues */
  uint32_t DEPTH;         /* 1 to 64 (8): entries of each queue */
  uint32_t DATA_W;        /* 1 to 51 (51): bits of a request's payload (an entry adds 13: write,
                             warp, block) */
  uint32_t BLOCKS;        /* 1 to 64 (8): blocks with a counter of their own; higher block IDs
                             share the last one */
  uint32_t SIGNATURE;     /* 0 to 2 (1): 0 block ID, 1 warp ID, 2 in-block warp ID */
  uint32_t POLICY;        /* 0 to 5 (0): 0 fixed order, 2 round robin, 4 longest first; 1, 3, 5
                             the greedy form of each */
  uint32_t FLUSH;         /* 0 to 1 (1): 1 the flush option, 0 writes are stored like reads */
  uint32_t LATENCY;       /* 3 to 18 (5): cycles from the acceptance of a stored request to its
                             first presentation to the L1 */
  uint32_t BYPASS;        /* 0 to 2 (2): 0 off, 1 on every stall, 2 on associativity stalls */
} mrpb_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t in_valid_i;        /* [1] a request or barrier is offered */
  uint64_t in_kind_i;         /* [2] 0 read, 1 write, 2 and 3 barrier */
  uint64_t in_warp_i;         /* [6] warp ID */
  uint64_t in_block_i;        /* [6] block ID (slot) */
  uint64_t in_block_warp_i;   /* [6] ordinal position of the warp within its block */
  uint64_t in_data_i;         /* [DATA_W] payload, returned as it is */
  uint64_t l1_answer_i;       /* [2] the L1's answer to what is presented: 0 accepted, 1
                                 associativity stall, 2 other stall, 3 not looked at */
  uint64_t byp_ready_i;       /* [1] the bypass path can take the presented request */
} mrpb_in_t;

typedef struct {
  uint64_t in_ready_o;        /* [1] what is offered is accepted in this cycle */
  uint64_t out_valid_o;       /* [1] a request is presented to the L1 */
  uint64_t out_write_o;       /* [1] it is a write; 0 while out_valid_o is 0 */
  uint64_t out_warp_o;        /* [6] its warp; 0 while out_valid_o is 0 */
  uint64_t out_block_o;       /* [6] its block; 0 while out_valid_o is 0 */
  uint64_t out_data_o;        /* [DATA_W] its payload; 0 while out_valid_o is 0 */
  uint64_t byp_valid_o;       /* [1] the presented read is to bypass the L1: it leaves in this
                                 cycle if byp_ready_i */
  uint64_t flush_full_o;      /* [1] a read for a full queue is flushing that queue */
  uint64_t flush_write_o;     /* [1] a write is emptying its queue */
  uint64_t held_o;            /* [cnt(QUEUES * DEPTH + 1)] requests held at the start of the
                                 cycle, outbound buffer included */
  uint64_t order_err_o;       /* [1] order rule broken in this cycle (always 0 in a correct
                                 buffer) */
} mrpb_out_t;

typedef struct mrpb mrpb_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int mrpb_check(const mrpb_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: mrpb_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int mrpb_create(mrpb_t **self, const mrpb_cfg_t *cfg, mrpb_err_t *err);
void mrpb_destroy(mrpb_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int mrpb_cycle(mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int mrpb_legal(const mrpb_t *self, const mrpb_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void mrpb_comb(const mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void mrpb_edge(mrpb_t *self, const mrpb_in_t *in);

/* The outputs of mrpb_comb that depend on no input: what is presented (out_*), and held_o. The
 * others are left as they are. */
void mrpb_front(const mrpb_t *self, mrpb_out_t *out);
/* mrpb_comb and then mrpb_edge, with one evaluation. */
void mrpb_step(mrpb_t *self, const mrpb_in_t *in, mrpb_out_t *out);

/* ---- mshr ----------------------------------------------------------------------------------- */

/* Miss status holding registers: ENTRIES outstanding lines with up to MERGES waiting reads each.
 *
 * RTL twin: rtl/mshr.v. Contract: docs/modules/mshr.md.
 * Lashgar et al., section 2.1; MRPB paper, section 2.1.
 * Timing: one look-up, one fill and one leaving read a cycle; a read leaves in the cycle after its
 * fill at the earliest.
 * Not modelled: the line's data, the miss queue, reservation of a cache line. */
typedef struct {
  uint32_t ENTRIES;       /* 1 to 128 (32): lines that may be outstanding */
  uint32_t MERGES;        /* 1 to 32 (8): reads listed by one entry, the first one included */
  uint32_t ADDR_W;        /* 1 to 57 (25): bits of a line address */
  uint32_t DATA_W;        /* 1 to 64 (16): bits kept for each read (who waits for it) */
} mshr_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t req_valid_i;       /* [1] a read that missed: merge it or allocate an entry */
  uint64_t req_addr_i;        /* [ADDR_W] its line address */
  uint64_t req_data_i;        /* [DATA_W] what to remember of it */
  uint64_t fill_valid_i;      /* [1] the line of entry fill_entry_i has arrived */
  uint64_t fill_entry_i;      /* [idx(ENTRIES)] entry number that travelled with the request */
  uint64_t out_ready_i;       /* [1] the read on out_* is taken in this cycle */
} mshr_in_t;

typedef struct {
  uint64_t req_ready_o;       /* [1] a read of req_addr_i would be accepted in this cycle */
  uint64_t req_merge_o;       /* [1] an entry of req_addr_i exists, so it would merge */
  uint64_t req_refuse_o;      /* [2] why not: 0 accepted, 1 no free entry, 2 the entry lists
                                 MERGES reads already */
  uint64_t req_entry_o;       /* [idx(ENTRIES)] entry merged into or allocated; 0 while
                                 req_ready_o is 0 */
  uint64_t fill_err_o;        /* [1] fill_valid_i for an entry that awaits no line; it is ignored */
  uint64_t out_valid_o;       /* [1] a read of the entry that was filled first is ready to leave */
  uint64_t out_data_o;        /* [DATA_W] what was remembered of it; 0 while out_valid_o is 0 */
  uint64_t out_entry_o;       /* [idx(ENTRIES)] its entry; 0 while out_valid_o is 0 */
  uint64_t out_last_o;        /* [1] it is the only read that the entry lists; 0 while
                                 out_valid_o is 0 */
  uint64_t count_o;           /* [cnt(ENTRIES)] entries in use at the start of the cycle */
} mshr_out_t;

typedef struct mshr mshr_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int mshr_check(const mshr_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: mshr_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int mshr_create(mshr_t **self, const mshr_cfg_t *cfg, mrpb_err_t *err);
void mshr_destroy(mshr_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int mshr_cycle(mshr_t *self, const mshr_in_t *in, mshr_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int mshr_legal(const mshr_t *self, const mshr_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void mshr_comb(const mshr_t *self, const mshr_in_t *in, mshr_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void mshr_edge(mshr_t *self, const mshr_in_t *in);

/* The outputs of mshr_comb that depend on no input: out_valid_o, out_data_o, out_entry_o and
 * out_last_o. The others are left as they are. */
void mshr_drain(const mshr_t *self, mshr_out_t *out);

/* ---- prt ------------------------------------------------------------------------------------ */

/* Pending request table: one entry for each warp memory instruction with requests outstanding.
 *
 * RTL twin: rtl/prt.v. Contract: docs/modules/prt.md. Lashgar et al., section 2.2.
 * Timing: one reply, one release, one allocation and one issue a cycle, in this order within the
 * cycle.
 * Not modelled: the data of a reply; addresses (the entry keeps offsets within a memory block
 * only). */
typedef struct {
  uint32_t ENTRIES;       /* 1 to 512 (44): warp memory instructions that may be outstanding */
  uint32_t LANES;         /* 1 to 32 (32): lanes of a warp */
  uint32_t OFFSET_W;      /* 1 to 8 (7): bits of a lane's offset within its memory block */
  uint32_t TAG_W;         /* 1 to 64 (16): bits kept for the instruction (warp, register) */
  uint32_t ORDER;         /* 0 to 1 (0): 0 an entry is free once its last reply has come
                             (Kepler), 1 entries are released in the order of their allocation
                             (Hopper) */
} prt_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t alloc_valid_i;     /* [1] reserve an entry for a warp memory instruction */
  uint64_t alloc_tag_i;       /* [TAG_W] what to remember of it */
  uint64_t alloc_mask_i;      /* [LANES] its lanes; must not be 0 */
  uint64_t alloc_offset_i[4]; /* [LANES * OFFSET_W] offset of each lane, lane 0 lowest */
  uint64_t issue_valid_i;     /* [1] one coalesced request of entry issue_entry_i is sent */
  uint64_t issue_entry_i;     /* [idx(ENTRIES)] its entry; may be the one allocated in this cycle */
  uint64_t issue_mask_i;      /* [LANES] the lanes that it serves */
  uint64_t reply_valid_i;     /* [1] the reply to one request has come back */
  uint64_t reply_entry_i;     /* [idx(ENTRIES)] entry number that travelled with it */
  uint64_t reply_mask_i;      /* [LANES] lane mask that travelled with it */
} prt_in_t;

typedef struct {
  uint64_t alloc_ready_o;     /* [1] an allocation with alloc_mask_i would be accepted in this
                                 cycle */
  uint64_t alloc_entry_o;     /* [idx(ENTRIES)] ORDER 0: the lowest free entry, 1: the next of
                                 the ring; 0 while alloc_ready_o is 0 */
  uint64_t issue_ok_o;        /* [1] issue_valid_i names lanes of a live entry that were not
                                 issued before */
  uint64_t reply_ok_o;        /* [1] reply_valid_i names lanes of a live entry that await data */
  uint64_t reply_tag_o;       /* [TAG_W] the instruction's tag; 0 while reply_ok_o is 0 */
  uint64_t reply_offset_o[4]; /* [LANES * OFFSET_W] offsets of the lanes in reply_mask_i; 0
                                 elsewhere and while reply_ok_o is 0 */
  uint64_t last_o;            /* [1] this reply is the instruction's last */
  uint64_t release_o;         /* [1] an entry is released: with ORDER 0 that of last_o, with
                                 ORDER 1 the oldest */
  uint64_t count_o;           /* [cnt(ENTRIES)] entries in use at the start of the cycle, those
                                 that only wait for their release among them */
} prt_out_t;

typedef struct prt prt_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int prt_check(const prt_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: prt_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int prt_create(prt_t **self, const prt_cfg_t *cfg, mrpb_err_t *err);
void prt_destroy(prt_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int prt_cycle(prt_t *self, const prt_in_t *in, prt_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int prt_legal(const prt_t *self, const prt_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void prt_comb(const prt_t *self, const prt_in_t *in, prt_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void prt_edge(prt_t *self, const prt_in_t *in);

/* prt_comb without reply_offset_o, which is left as it is. */
void prt_control(const prt_t *self, const prt_in_t *in, prt_out_t *out);

/* ---- queue_selector ------------------------------------------------------------------------- */

/* Signature of a request -> queue number.
 *
 * RTL twin: rtl/queue_selector.v. Contract: docs/modules/queue_selector.md.
 * MRPB paper, section 3.2.
 * Timing: combinational.
 * Not modelled: signatures other than block ID, warp ID and in-block warp ID. */
typedef struct {
  uint32_t QUEUES;        /* 1 to 64 (48): queues of the buffer */
  uint32_t SIGNATURE;     /* 0 to 2 (1): 0 block ID, 1 warp ID, 2 in-block warp ID */
} queue_selector_cfg_t;

typedef struct {
  uint64_t warp_i;            /* [6] warp ID of the request within its SM */
  uint64_t block_i;           /* [6] block ID (slot) of the request within its SM */
  uint64_t block_warp_i;      /* [6] ordinal position of the warp within its block */
} queue_selector_in_t;

typedef struct {
  uint64_t queue_o;           /* [idx(QUEUES)] the signature modulo QUEUES */
} queue_selector_out_t;

typedef struct queue_selector queue_selector_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int queue_selector_check(const queue_selector_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: queue_selector_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int queue_selector_create(queue_selector_t **self, const queue_selector_cfg_t *cfg, mrpb_err_t *err);
void queue_selector_destroy(queue_selector_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int queue_selector_cycle(queue_selector_t *self, const queue_selector_in_t *in, queue_selector_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int queue_selector_legal(const queue_selector_t *self, const queue_selector_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void queue_selector_comb(const queue_selector_t *self, const queue_selector_in_t *in, queue_selector_out_t *out);

/* ---- fifo_bank ------------------------------------------------------------------------------ */

/* QUEUES circular buffers of DEPTH entries in one SRAM, split-cycle: a dequeue and an enqueue.
 *
 * RTL twin: rtl/fifo_bank.v. Contract: docs/modules/fifo_bank.md. MRPB paper, section 6.
 * Timing: one enqueue and one dequeue a cycle; an entry can be dequeued from the next cycle on and is
 * on deq_data_o one cycle later.
 * Not modelled: the two halves of the cycle as such, the SRAM's ports and its access time. */
typedef struct {
  uint32_t QUEUES;        /* 1 to 64 (48): queues in the bank */
  uint32_t DEPTH;         /* 1 to 64 (8): entries of each queue */
  uint32_t DATA_W;        /* 1 to 64 (64): bits of an entry */
} fifo_bank_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t enq_valid_i;       /* [1] store enq_data_i at the tail of enq_queue_i */
  uint64_t enq_queue_i;       /* [idx(QUEUES)] queue to enqueue to */
  uint64_t enq_data_i;        /* [DATA_W] entry to store */
  uint64_t deq_valid_i;       /* [1] remove the head of deq_queue_i; deq_data_o shows it from the
                                 next cycle on */
  uint64_t deq_queue_i;       /* [idx(QUEUES)] queue to dequeue from */
  uint64_t deq_same_i;        /* [1] dequeue from enq_queue_i instead (a flush); deq_queue_i is
                                 not looked at */
} fifo_bank_in_t;

typedef struct {
  uint64_t enq_ready_o;       /* [1] enq_queue_i exists and was not full at the start of the
                                 cycle */
  uint64_t deq_ready_o;       /* [1] the queue to dequeue from exists and was not empty at the
                                 start of the cycle */
  uint64_t deq_data_o;        /* [DATA_W] the entry dequeued last (the SRAM's output) */
  uint64_t full_o;            /* [QUEUES] bit q: queue q held DEPTH entries at the start of the
                                 cycle */
  uint64_t empty_o;           /* [QUEUES] bit q: queue q held no entry at the start of the cycle */
} fifo_bank_out_t;

typedef struct fifo_bank fifo_bank_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int fifo_bank_check(const fifo_bank_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: fifo_bank_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int fifo_bank_create(fifo_bank_t **self, const fifo_bank_cfg_t *cfg, mrpb_err_t *err);
void fifo_bank_destroy(fifo_bank_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int fifo_bank_cycle(fifo_bank_t *self, const fifo_bank_in_t *in, fifo_bank_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int fifo_bank_legal(const fifo_bank_t *self, const fifo_bank_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void fifo_bank_comb(const fifo_bank_t *self, const fifo_bank_in_t *in, fifo_bank_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void fifo_bank_edge(fifo_bank_t *self, const fifo_bank_in_t *in);

/* full_o and empty_o, which depend on no input. */
void fifo_bank_levels(const fifo_bank_t *self, uint64_t *full, uint64_t *empty);

/* ---- drain_selector ------------------------------------------------------------------------- */

/* Counts the drainable entries of each queue and selects the queue to drain by one of six policies.
 *
 * RTL twin: rtl/drain_selector.v. Contract: docs/modules/drain_selector.md.
 * MRPB paper, sections 3.3 and 6.
 * Timing: the choice is a register, only force_* is decided in the cycle; an added entry counts from the next
 * cycle.
 * Not modelled: the tree form of the priority encoder (its result only). */
typedef struct {
  uint32_t QUEUES;        /* 1 to 64 (48): queues of the buffer */
  uint32_t DEPTH;         /* 1 to 64 (8): entries of each queue */
  uint32_t POLICY;        /* 0 to 5 (0): 0 fixed order, 2 round robin, 4 longest first; 1, 3, 5
                             the greedy form of each */
} drain_selector_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t add_valid_i;       /* [1] one more entry of add_queue_i may be drained, from the next
                                 cycle on */
  uint64_t add_queue_i;       /* [idx(QUEUES)] queue of that entry */
  uint64_t force_valid_i;     /* [1] force_queue_i goes first if it has a drainable entry (flush) */
  uint64_t force_queue_i;     /* [idx(QUEUES)] queue to flush */
  uint64_t take_i;            /* [1] the selected entry is drained in this cycle; without effect
                                 while sel_valid_o is 0 */
} drain_selector_in_t;

typedef struct {
  uint64_t sel_valid_o;       /* [1] some queue has a drainable entry */
  uint64_t sel_queue_o;       /* [idx(QUEUES)] the selected queue; 0 while sel_valid_o is 0 */
  uint64_t pick_o;            /* [idx(QUEUES)] the policy's choice, of which force_* takes no
                                 notice; 0 while sel_valid_o is 0 */
  uint64_t forced_o;          /* [1] the selection is the forced queue, not the policy's */
  uint64_t nonempty_o;        /* [QUEUES] bit q: queue q has a drainable entry at the start of
                                 the cycle */
  uint64_t add_drop_o;        /* [1] add_valid_i was ignored: no such queue, or DEPTH entries
                                 counted already */
} drain_selector_out_t;

typedef struct drain_selector drain_selector_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int drain_selector_check(const drain_selector_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: drain_selector_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int drain_selector_create(drain_selector_t **self, const drain_selector_cfg_t *cfg, mrpb_err_t *err);
void drain_selector_destroy(drain_selector_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int drain_selector_cycle(drain_selector_t *self, const drain_selector_in_t *in, drain_selector_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int drain_selector_legal(const drain_selector_t *self, const drain_selector_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void drain_selector_comb(const drain_selector_t *self, const drain_selector_in_t *in, drain_selector_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void drain_selector_edge(drain_selector_t *self, const drain_selector_in_t *in);

/* ---- flush_control -------------------------------------------------------------------------- */

/* What happens to the request or barrier that is offered: stored, passed, made to wait, or a flush.
 *
 * RTL twin: rtl/flush_control.v. Contract: docs/modules/flush_control.md. MRPB paper, section 3.3.
 * Timing: combinational.
 * Not modelled: rule 3, the normal drain policy (drain_selector). */
typedef struct {
  uint32_t QUEUES;        /* 1 to 64 (48): queues of the buffer */
  uint32_t FLUSH;         /* 0 to 1 (1): 1 the flush option, 0 writes are stored like reads */
} flush_control_cfg_t;

typedef struct {
  uint64_t in_valid_i;        /* [1] a request or barrier is offered */
  uint64_t in_kind_i;         /* [2] 0 read, 1 write, 2 and 3 barrier */
  uint64_t in_queue_i;        /* [idx(QUEUES)] queue of the request's signature */
  uint64_t full_i;            /* [QUEUES] bit q: queue q is full */
  uint64_t empty_i;           /* [QUEUES] bit q: queue q holds nothing */
  uint64_t block_busy_i;      /* [1] a request of the barrier's block is still held anywhere in
                                 the buffer */
  uint64_t slot_i;            /* [1] the outbound buffer can take a request in this cycle */
} flush_control_in_t;

typedef struct {
  uint64_t in_ready_o;        /* [1] what is offered is accepted in this cycle */
  uint64_t storable_o;        /* [1] it is a request that is stored once its queue has room */
  uint64_t store_o;           /* [1] it is stored in its queue, in this cycle */
  uint64_t pass_o;            /* [1] it goes straight to the outbound buffer (a write, flush
                                 option) */
  uint64_t force_valid_o;     /* [1] force_queue_o must be drained first */
  uint64_t force_queue_o;     /* [idx(QUEUES)] in_queue_i while force_valid_o, else 0 */
  uint64_t flush_full_o;      /* [1] the cause of the flush: a read for a full queue */
  uint64_t flush_write_o;     /* [1] the cause of the flush: a write whose queue is not empty */
} flush_control_out_t;

typedef struct flush_control flush_control_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int flush_control_check(const flush_control_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: flush_control_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int flush_control_create(flush_control_t **self, const flush_control_cfg_t *cfg, mrpb_err_t *err);
void flush_control_destroy(flush_control_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int flush_control_cycle(flush_control_t *self, const flush_control_in_t *in, flush_control_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int flush_control_legal(const flush_control_t *self, const flush_control_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void flush_control_comb(const flush_control_t *self, const flush_control_in_t *in, flush_control_out_t *out);

/* ---- order_check ---------------------------------------------------------------------------- */

/* The order rule: requests of one warp never change places and nothing passes a barrier.
 *
 * RTL twin: rtl/order_check.v (absent under SYNTHESIS). Contract: docs/modules/order_check.md.
 * MRPB paper, section 3.2.
 * Timing: an error is reported in the cycle in which it happens; one accept and one leave a cycle.
 * Not modelled: warps beyond 64, and which of several equal payloads it was that left. */
typedef struct {
  uint32_t DEPTH;         /* 1 to 64 (8): most requests of one warp that its queue can hold */
  uint32_t BLOCKS;        /* 1 to 64 (8): blocks with a counter of their own; higher block IDs
                             share the last one */
  uint32_t DATA_W;        /* 1 to 51 (51): bits of a request's payload */
} order_check_cfg_t;

typedef struct {
  uint64_t rst_ni;            /* [1] synchronous reset, active low */
  uint64_t in_valid_i;        /* [1] a request or barrier is accepted in this cycle */
  uint64_t in_kind_i;         /* [2] 0 read, 1 write, 2 and 3 barrier */
  uint64_t in_warp_i;         /* [6] its warp */
  uint64_t in_block_i;        /* [6] its block */
  uint64_t in_data_i;         /* [DATA_W] its payload */
  uint64_t out_valid_i;       /* [1] a request leaves in this cycle */
  uint64_t out_write_i;       /* [1] it is a write */
  uint64_t out_warp_i;        /* [6] its warp */
  uint64_t out_block_i;       /* [6] its block */
  uint64_t out_data_i;        /* [DATA_W] its payload */
} order_check_in_t;

typedef struct {
  uint64_t order_err_o;       /* [1] the leaving request is not the oldest one of its warp */
  uint64_t barrier_err_o;     /* [1] a barrier is accepted while a request of its block is held */
  uint64_t overflow_err_o;    /* [1] a request is accepted for a warp that already holds DEPTH +
                                 1 */
} order_check_out_t;

typedef struct order_check order_check_t;

/* 0 if each parameter is in its range, else -1 and a message that names it. */
int order_check_check(const order_check_cfg_t *cfg, mrpb_err_t *err);
/* An instance in its state after reset, the caller's: order_check_destroy ends it. -1, a message and
 * *self = NULL for an illegal parameter or no memory. cfg is copied. */
int order_check_create(order_check_t **self, const order_check_cfg_t *cfg, mrpb_err_t *err);
void order_check_destroy(order_check_t *self);
/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its port;
 * the instance and *out are then as before. */
int order_check_cycle(order_check_t *self, const order_check_in_t *in, order_check_out_t *out, mrpb_err_t *err);
/* 0 if each input fits its port, else -1 and a message. */
int order_check_legal(const order_check_t *self, const order_check_in_t *in, mrpb_err_t *err);
/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. */
void order_check_comb(const order_check_t *self, const order_check_in_t *in, order_check_out_t *out);
/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */
void order_check_edge(order_check_t *self, const order_check_in_t *in);

/* ==== all modules by one table ================================================================ */

/* What every module of this library looks like from outside, whatever it is: a table of parameters,
 * ports and registers, and four functions. The lockstep engine, the wave writer and the system
 * testbench know modules only by this table, which `ports/define.h` makes from
 * `ports/<stem>.ports.h`.
 *
 * A configuration is an array of uint32_t in the order of the parameters; inputs and outputs are
 * arrays of uint64_t (a port wider than 64 bits takes several, low word first). The typed structs
 * of each module
 * (`<stem>_cfg_t`, `<stem>_in_t`, `<stem>_out_t`) have exactly these layouts. */

typedef struct {
  const char *name; /* as the Verilog parameter */
  uint32_t deflt, min, max;
  const char *doc;
} module_param_t;

typedef struct {
  const char *name; /* as the Verilog port */
  unsigned width;   /* bits, for the given configuration */
  unsigned word;    /* index of its first uint64_t */
  const char *doc;
  const char *formula; /* the width for all configurations: "IDX_W(P(ENTRIES))" */
} module_port_t;

typedef struct {
  const char *name;    /* as in the Verilog; "instance.register" for one inside a sub-module */
  unsigned width;      /* bits of one element */
  unsigned words;      /* elements, 1 for a plain register */
  unsigned elem_bytes; /* distance between elements in memory; little endian */
  const void *data;    /* NULL where no instance was given */
  const char *doc;
  bool array; /* an array in the Verilog, even of one element */
} module_reg_t;

/* A function besides comb and edge that simulations call for speed. It is one of two kinds, and as
 * such held to comb, edge and the Verilog (docs/verify/one_model.md). A step is a whole cycle: it
 * gives the outputs of comb and leaves the state of after edge. A view gives what comb gives on the
 * outputs named; it leaves the others as they are and changes nothing. */
typedef struct {
  const char *name; /* as exported: "mrpb_step" */
  void (*step)(void *self, const uint64_t *in, uint64_t *out);
  void (*view)(const void *self, const uint64_t *in, uint64_t *out);
  const char *outputs; /* of a view: names, a space between two */
} module_fast_t;

typedef struct {
  const char *stem;
  const char *doc;
  unsigned n_params, n_in, n_out, n_regs, in_words, out_words;
  const module_param_t *params;
  /* Checks `cfg` against the legal ranges; -1 and a message with the token that the Verilog uses
   * too. */
  int (*check)(const uint32_t *cfg, mrpb_err_t *err);
  /* Fills n_in and n_out entries for a legal configuration. */
  void (*ports)(const uint32_t *cfg, module_port_t *in, module_port_t *out);
  int (*create)(void **self, const uint32_t *cfg, mrpb_err_t *err);
  void (*comb)(const void *self, const uint64_t *in, uint64_t *out);
  void (*edge)(void *self, const uint64_t *in);
  /* Fills n_regs entries; the pointers stay valid as long as the instance. */
  void (*regs)(const void *self, module_reg_t *regs);
  /* `to` becomes the instance that `from` is, in everything that it holds; both were created with
   * the same configuration. */
  void (*copy)(void *to, const void *from);
  void (*destroy)(void *self);
  const module_fast_t *fast; /* n_fast of them, NULL if there is none */
  unsigned n_fast;
  /* 0 if each input fits its port; -1 and a message that names the first one that does not. comb
   * and edge do not look: what they do with an input wider than its port is undefined. */
  int (*legal)(const void *self, const uint64_t *in, mrpb_err_t *err);
} module_class_t;

/* The class of a stem ("mshr"), NULL if there is none; module_class_at lists them all, NULL at the
 * end. */
const module_class_t *module_class(const char *stem);
const module_class_t *module_class_at(unsigned i);

/* Fills cfg with the defaults. */
void module_defaults(const module_class_t *cls, uint32_t *cfg);

/* Index of the parameter named `name`, or -1. */
int module_param_index(const module_class_t *cls, const char *name);

/* Sets bit w % 64 of word[w / 64] for each output word w of a view; -1 and a message for a name
 * that is no output. `word` has (cls->out_words + 63) / 64 words. */
int module_view_words(const module_class_t *cls, const uint32_t *cfg, const module_fast_t *view,
                      uint64_t *word, mrpb_err_t *err);

/* The function of a class that is a step, NULL if it has none. */
const module_fast_t *module_step(const module_class_t *cls);

/* Element `i` of a register, its low 64 bits. */
uint64_t module_reg_value(const module_reg_t *reg, unsigned i);

enum { MODULE_MAX_PARAMS = 16, MODULE_MAX_PORTS = 32, MODULE_MAX_REGS = 24 };

/* ==== the event kernel ======================================================================== */

/* Discrete-event simulation kernel in the manner of SystemC: modules, signals with evaluate/update
 * and delta cycles, processes, clocks of several domains, timed events, VCD tracing;
 * docs/kernel.md.
 *
 * Timing: time is counted in femtoseconds, 64 bits (5.1 hours). Edge k of a clock of f Hz is at
 * first + floor(k * 10^15 / f) fs: clocks never drift, and edges that coincide in theory (each edge
 * of 575 MHz with every second one of 1150 MHz) coincide exactly.
 *
 * Two schedulers, chosen at elaboration, give the same state and the same wave file byte for byte.
 * Not modelled: dynamic sensitivity, processes with their own stack, four-valued signals. */

typedef uint64_t sim_time_t; /* femtoseconds */
#define SIM_FS UINT64_C(1)
#define SIM_PS UINT64_C(1000)
#define SIM_NS UINT64_C(1000000)
#define SIM_US UINT64_C(1000000000)
#define SIM_MS UINT64_C(1000000000000)
#define SIM_NEVER UINT64_MAX

/* Handles. A zeroed handle is "none"; as a parent module it means the top. Each belongs to one
 * simulation. */
typedef struct {
  uint32_t id;
} sim_module_t;
typedef struct {
  uint32_t id;
} sim_sig_t;
typedef struct {
  uint32_t id;
} sim_clock_t;
typedef struct {
  uint32_t id;
} sim_event_t;
typedef struct {
  uint32_t id;
} sim_proc_t;

/* SIM_SIGS(a, b): an array of handles and its length, for sim_sensitive, sim_reads and sim_writes;
 * C++ has it from C++11 on. */
#ifndef __cplusplus
#define SIM_TOP ((sim_module_t){0})
#define SIM_SIGS(...)                                                                              \
  (const sim_sig_t[]){__VA_ARGS__}, sizeof((const sim_sig_t[]){__VA_ARGS__}) / sizeof(sim_sig_t)
#else
#define SIM_TOP sim_module_t()
#if __cplusplus >= 201103L
#define SIM_SIGS(...)                                                                              \
  std::initializer_list<sim_sig_t>{__VA_ARGS__}.begin(),                                           \
      std::initializer_list<sim_sig_t>{__VA_ARGS__}.size()
#endif
#endif
#define SIM_NO_SIGS NULL, 0

typedef enum {
  SIM_EVENT_DRIVEN, /* the reference: every legal model */
  SIM_STATIC /* clocked processes, commit, levelled combinational processes; see sim_elaborate */
} sim_sched_t;

typedef enum {
  SIM_ERROR = -1, /* the message is in `err` */
  SIM_REACHED = 0,
  SIM_STOPPED = 1 /* sim_stop was called */
} sim_status_t;

typedef struct sim sim_t;
typedef void (*sim_fn_t)(sim_t *sim, void *ctx);

/* ---- construction: before sim_elaborate ----------------------------------------------------- */
/* These calls never fail on the spot: the first error (a bad name or width, a foreign handle,
 * memory) is kept and reported by sim_elaborate. Names are 1 to 64 letters, digits, '_', '$', '['
 * and ']', unique within their module. */

/* An empty simulation, or NULL when there is no memory. sim_destroy(NULL) does nothing; an open
 * wave file is closed, but its errors are lost: call sim_trace_close first. */
sim_t *sim_create(void);
void sim_destroy(sim_t *sim);

/* A scope for names within `parent`. */
sim_module_t sim_module(sim_t *sim, sim_module_t parent, const char *name);

/* A signal of `width` bits, 1 to 64, that starts at the low `width` bits of `init`. */
sim_sig_t sim_signal(sim_t *sim, sim_module_t parent, const char *name, unsigned width,
                     uint64_t init);

/* A clock, low until its first rising edge at `first`; it falls half a period after each rising
 * edge (rounded down to 1 fs). sim_clock: `period` in fs, at least 2. sim_clock_hz: `hz` in Hz, up
 * to 5e14; exact, without drift, also where the period is no whole number of fs. */
sim_clock_t sim_clock(sim_t *sim, sim_module_t parent, const char *name, sim_time_t period,
                      sim_time_t first);
sim_clock_t sim_clock_hz(sim_t *sim, sim_module_t parent, const char *name, uint64_t hz,
                         sim_time_t first);

/* The clock as a 1-bit signal, to be read, traced or used in sensitivity lists; writing it has no
 * effect. Falling edges cost time only from this call on, or when a process is sensitive to them,
 * or the clock is traced. */
sim_sig_t sim_clock_signal(sim_t *sim, sim_clock_t clk);

/* A process: fn(sim, ctx) is called whenever something it is sensitive to happens, and once at the
 * start unless sim_dont_initialize is called. The kernel never looks at ctx. */
sim_proc_t sim_process(sim_t *sim, sim_module_t parent, const char *name, sim_fn_t fn, void *ctx);
void sim_dont_initialize(sim_t *sim, sim_proc_t proc);

/* Static sensitivity: rising or falling edge of a clock; any change, 0 to 1 or 1 to 0 of bit 0 of
 * signals; an event. */
void sim_on_rise(sim_t *sim, sim_proc_t proc, sim_clock_t clk);
void sim_on_fall(sim_t *sim, sim_proc_t proc, sim_clock_t clk);
void sim_sensitive(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);
void sim_sensitive_pos(sim_t *sim, sim_proc_t proc, sim_sig_t sig);
void sim_sensitive_neg(sim_t *sim, sim_proc_t proc, sim_sig_t sig);
void sim_on_event(sim_t *sim, sim_proc_t proc, sim_event_t event);

/* What a process may read and write, for the static scheduler (n = 0 states that there is nothing);
 * several calls add up. Under the event-driven scheduler they are optional; writes that were
 * declared are checked in the first activation, under both. */
void sim_reads(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);
void sim_writes(sim_t *sim, sim_proc_t proc, const sim_sig_t *sigs, size_t n);

sim_event_t sim_event(sim_t *sim, sim_module_t parent, const char *name);

/* Delta cycles allowed within one time step, 10000 unless told; more is an error that names the
 * signal. */
void sim_set_delta_limit(sim_t *sim, uint32_t limit);

/* Ends construction. 0, or -1 and a message. SIM_STATIC is refused, with the name of the process or
 * the loop, unless every process declares its reads and writes; is either clocked (sensitive to
 * clock edges only) or combinational (sensitive to any change of every signal it reads, run at the
 * start, and without state of its own); combinational processes form no loop and share no written
 * signal; and none is sensitive to an event or to an edge of a signal that is not a clock. */
int sim_elaborate(sim_t *sim, sim_sched_t sched, mrpb_err_t *err);

/* ---- running -------------------------------------------------------------------------------- */
/* The first run calls every process once (initialisation), in order of creation.
 *
 * A time step is: all clocks whose edge is due change; then the processes of these edges run,
 * clocks in order of creation, the processes of one edge in order of creation, and behind them
 * those of timed events; update; delta cycles until nothing changes; wave file.
 *
 * Writes and notifications made between two runs take effect at the start of the next, at the time
 * where the last one ended. What a combinational process drives must not be written from outside.
 */

/* Executes everything up to and including time `t` and leaves the time there (earlier if stopped).
 */
sim_status_t sim_run_until(sim_t *sim, sim_time_t t, mrpb_err_t *err);

/* Runs until `n` more rising edges of `clk` are done; the time is then that of the last one. */
sim_status_t sim_run_cycles(sim_t *sim, sim_clock_t clk, uint64_t n, mrpb_err_t *err);

/* Ends the run after the current time step; a later run continues. May be called from a process or
 * from a signal handler (Ctrl-C). */
void sim_stop(sim_t *sim);

sim_time_t sim_now(const sim_t *sim);

/* Number of rising edges of `clk` so far. */
uint64_t sim_cycles(const sim_t *sim, sim_clock_t clk);

/* At most one notification of an event is pending; the earliest wins (immediate, then delta, then
 * by time). sim_notify: its processes join the current evaluation. sim_notify_delta: they run in
 * the next delta cycle. sim_notify_after: after `delay` fs; 0 is a delta notification. */
void sim_notify(sim_t *sim, sim_event_t event);
void sim_notify_delta(sim_t *sim, sim_event_t event);
void sim_notify_after(sim_t *sim, sim_event_t event, sim_time_t delay);
void sim_cancel(sim_t *sim, sim_event_t event);

typedef struct {
  uint64_t steps;       /* time steps in which something happened */
  uint64_t deltas;      /* update phases (the static scheduler has one commit a step) */
  uint64_t activations; /* calls of processes (the two schedulers differ: glitches) */
} sim_stats_t;
sim_stats_t sim_stats(const sim_t *sim);

/* FNV-1a of all signal values in order of creation, clocks left out. */
uint64_t sim_state_hash(const sim_t *sim);

/* Full name ("top.sm0.valid") into buf, cut to n characters with the closing 0; returns buf. */
const char *sim_signal_name(const sim_t *sim, sim_sig_t sig, char *buf, size_t n);

/* The signal (clocks too) of a full name; a zeroed handle if there is none. */
sim_sig_t sim_find_signal(sim_t *sim, const char *full_name);

/* ---- wave files ----------------------------------------------------------------------------- */
/* Select signals, then open and close windows at any time after sim_elaborate, also from a process.
 * The selection stays for later windows; without one everything is traced. Each time step writes
 * its last values, in order of declaration, so the file does not depend on the scheduler. Timescale
 * 1 fs. */
void sim_trace_signal(sim_t *sim, sim_sig_t sig);
void sim_trace_scope(sim_t *sim, sim_module_t module); /* everything in and below it */

/* 0, or -1 and a message (not elaborated, already open, file cannot be written, disk full). An
 * error of a later write ends the run with SIM_ERROR; the simulation can go on after
 * sim_trace_close. sim_trace_close without an open window returns 0. The file is readable after
 * each of these calls, and, should the program die, up to its last full line. */
int sim_trace_open(sim_t *sim, const char *path, mrpb_err_t *err);
int sim_trace_flush(sim_t *sim, mrpb_err_t *err);
int sim_trace_close(sim_t *sim, mrpb_err_t *err);

/* ---- signal access: the only functions on the hot path -------------------------------------- */

/* Private; here so that the functions below are inline. Slots of eight signals are interleaved, so
 * that the eight `cur` are neighbours, as are the eight `next`; the handle of a signal is the
 * offset of its slot in bytes. */
typedef struct {
  uint64_t cur, gap_cur[7];
  uint64_t next, gap_next[7];
  uint64_t mask, gap_mask[7];
  uint32_t
      queued; /* 1: in `pend`, or committed without it; 2: written through (static scheduler) */
  uint32_t flags;
} sim_slot_t;
struct sim {
  char *slots;
  uint32_t *pend; /* handles of signals that may change in the coming update */
  uint32_t n_pend;
  volatile sig_atomic_t stop;
};
static inline sim_slot_t *sim_slot(const sim_t *sim, uint32_t id) {
  return (sim_slot_t *)(void *)(sim->slots + id);
}

/* The value as of the last update. */
static inline uint64_t sim_read(const sim_t *sim, sim_sig_t sig) {
  return sim_slot(sim, sig.id)->cur;
}

/* Writes the low bits of `v`; visible after the update phase, that is in the next delta cycle. The
 * last write of an evaluation phase wins; a write of the current value wakes nobody. */
static inline void sim_write(sim_t *sim, sim_sig_t sig, uint64_t v) {
  sim_slot_t *slot = sim_slot(sim, sig.id);
  v &= slot->mask;
  slot->next = v;
  if (slot->queued == 1) return;
  if (slot->queued == 2) {
    slot->cur = v;
    return;
  }
  if (v == slot->cur) return;
  slot->queued = 1;
  sim->pend[sim->n_pend++] = sig.id;
}

/* ==== modules as processes of the kernel ====================================================== */

/* ==== wave files ============================================================================== */

/* Value change dump (IEEE 1364) writer; needs nothing of the kernel.
 * Use: vcd_open, vcd_var for each variable, then for each time vcd_time followed by vcd_change of
 * what may have changed (equal values are dropped), and vcd_close. The values of the first time
 * form the $dumpvars block; a variable without one is x. Names are grouped into scopes at their
 * dots. The file has no date, so equal runs leave equal files; it is written in place through a
 * buffer of 1 MiB which reaches the disk only at line ends, so it stays readable when a run is cut
 * short. Errors: the first one sticks; every later call is then harmless, and vcd_flush and
 * vcd_close report it. */

typedef struct vcd vcd_t;

enum { VCD_MAX_WIDTH = 1024 };
typedef enum { VCD_WIRE, VCD_REG, VCD_INTEGER, VCD_PARAMETER } vcd_kind_t;

/* Creates (truncates) the file. `timescale` is 1, 10 or 100 and s, ms, us, ns, ps or fs, such as
 * "1ns". 0, or -1 and a message; *out is then NULL. */
int vcd_open(vcd_t **out, const char *path, const char *timescale, mrpb_err_t *err);

/* Declares "scope.scope.name" of `width` bits, 1 to VCD_MAX_WIDTH; before the first vcd_time. Names
 * must have no white space and be unique. Returns its number, from 0 in order of declaration, or -1
 * and a message. */
int vcd_var(vcd_t *v, const char *full_name, unsigned width, vcd_kind_t kind, mrpb_err_t *err);

/* The time of the changes that follow; must not fall. Free if equal to the last one. */
void vcd_time(vcd_t *v, uint64_t time);

/* Values as little-endian bits: `x` for variables of up to 64 bits, (width + 63) / 64 words, low
 * word first, or (width + 7) / 8 bytes, low byte first. Bits above the width are ignored.
 * vcd_unknown sets x. */
void vcd_change(vcd_t *v, int id, uint64_t x);
void vcd_change_words(vcd_t *v, int id, const uint64_t *words);
void vcd_change_bytes(vcd_t *v, int id, const void *bytes);
void vcd_unknown(vcd_t *v, int id);

/* True after an error, for callers that want to stop early. */
bool vcd_failed(const vcd_t *v);

/* Brings everything so far to the file. 0, or -1 and a message. */
int vcd_flush(vcd_t *v, mrpb_err_t *err);

/* Flushes, closes and frees, also after an error. 0, or -1 and a message. vcd_close(NULL) is 0. */
int vcd_close(vcd_t *v, mrpb_err_t *err);

#ifdef __cplusplus
}
#endif
#endif
