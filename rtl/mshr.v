// SPDX-License-Identifier: Apache-2.0
// mshr - miss status holding registers: ENTRIES lines of up to MERGES reads each, found by a CAM.
// C twin: cmodel/mshr.c   Page: docs/modules/mshr.md   Lashgar et al., section 2.1.
// Timing: a look-up, a fill and a drain a cycle; out_* depends on registers only. The drain comes
// first in a cycle: what it releases is free for the look-up, so out_ready_i reaches req_*. The entry
// that drains is a bit in a register, so that only data_q is read with what another table holds.
// Cost: ENTRIES=32 MERGES=8: 3.417 ns, 362540 um2, 1302 flip-flops (OSU018)
`default_nettype none
module mshr #(
  // lines that may be outstanding
  parameter integer ENTRIES = 32,
  // reads listed by one entry, including the first
  parameter integer MERGES  = 8,
  // bits of a line address
  parameter integer ADDR_W  = 25,
  // bits stored for each read (its requester)
  parameter integer DATA_W  = 16,
  // 1 a store marks the entry of its line as out of date, 0 the store port is without effect
  parameter integer STORES  = 0,
  // 1 data_q is read at the edge, into read_q, so that it may be a synchronous SRAM; the outputs
  // are the same
  parameter integer READ_REG = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY   = 0
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            srst_ni,
  // a read that missed: merge it or allocate an entry; it need not hold until req_ready_o
  input  wire                                            req_valid_i,
  // its line address
  input  wire [ADDR_W-1:0]                               req_addr_i,
  // data to store for it
  input  wire [DATA_W-1:0]                               req_data_i,
  // the line of entry fill_entry_i has arrived
  input  wire                                            fill_valid_i,
  // entry number that travelled with the request
  input  wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] fill_entry_i,
  // the read on out_* is taken in this cycle
  input  wire                                            out_ready_i,
  // a store passes: mark the entry of its line; the read of the cycle is before
  input  wire                                            store_valid_i,
  // its line address
  input  wire [ADDR_W-1:0]                               store_addr_i,
  // a read of req_addr_i would be accepted in this cycle
  output wire                                            req_ready_o,
  // an entry of req_addr_i exists, so it would merge
  output wire                                            req_merge_o,
  // why it is refused: 0 accepted, 1 no free entry, 2 the entry lists MERGES reads already, 3 the
  // entry is marked by a store
  output wire [1:0]                                      req_refuse_o,
  // entry merged into or allocated; 0 while req_ready_o is 0
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] req_entry_o,
  // fill_valid_i for an entry that awaits no line; it is ignored
  output wire                                            fill_err_o,
  // a read of the entry that was filled first is ready to leave; it holds until out_ready_i
  output wire                                            out_valid_o,
  // its stored data; 0 while out_valid_o is 0
  output wire [DATA_W-1:0]                               out_data_o,
  // its entry; 0 while out_valid_o is 0
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] out_entry_o,
  // it is the only read that the entry lists; may fall before out_ready_i, if a read merges; 0
  // while out_valid_o is 0
  output wire                                            out_last_o,
  // entries in use at the start of the cycle
  output wire [$clog2(ENTRIES+1)-1:0]                    count_o,
  // the line that arrives is out of date: its entry is marked by a store
  output wire                                            fill_written_o,
  // an entry of store_addr_i exists
  output wire                                            store_hit_o,
  // the entry; 0 while store_hit_o is 0
  output wire [((ENTRIES > 1) ? $clog2(ENTRIES) : 1)-1:0] store_entry_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                            error_o
);
  localparam ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(ENTRIES + 1);
  localparam PTR_W   = (MERGES > 1) ? $clog2(MERGES) : 1;
  localparam LEN_W   = $clog2(MERGES + 1);

  localparam integer       LAST_ENTRY  = ENTRIES - 1;
  localparam [ENTRY_W-1:0] ENTRY_LAST  = LAST_ENTRY[ENTRY_W-1:0];
  localparam [ENTRY_W-1:0] ENTRY_ONE   = 1;
  localparam [COUNT_W-1:0] COUNT_ONE   = 1;
  localparam [COUNT_W-1:0] COUNT_FULL  = ENTRIES[COUNT_W-1:0];
  localparam [ENTRIES-1:0] BIT_ONE     = 1;
  localparam integer       LAST_MERGE  = MERGES - 1;
  localparam [PTR_W-1:0]   PTR_LAST    = LAST_MERGE[PTR_W-1:0];
  localparam [PTR_W-1:0]   PTR_ONE     = 1;
  localparam [LEN_W-1:0]   LEN_FULL    = MERGES[LEN_W-1:0];
  localparam [LEN_W-1:0]   LEN_ONE     = 1;

  generate
    if (ENTRIES < 1 || ENTRIES > 128) begin : gen_bad_entries
      ERROR_mshr_ENTRIES_must_be_1_to_128 u_error (); end
    if (MERGES < 1 || MERGES > 32) begin : gen_bad_merges
      ERROR_mshr_MERGES_must_be_1_to_32 u_error (); end
    if (ADDR_W < 1 || ADDR_W > 57) begin : gen_bad_addr_w
      ERROR_mshr_ADDR_W_must_be_1_to_57 u_error (); end
    if (DATA_W < 1 || DATA_W > 64) begin : gen_bad_data_w
      ERROR_mshr_DATA_W_must_be_1_to_64 u_error (); end
    if (STORES < 0 || STORES > 1) begin : gen_bad_stores
      ERROR_mshr_STORES_must_be_0_to_1 u_error (); end
    if (READ_REG < 0 || READ_REG > 1) begin : gen_bad_read_reg
      ERROR_mshr_READ_REG_must_be_0_to_1 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_mshr_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  reg [ENTRIES-1:0] valid_q;
  reg [ENTRIES-1:0] ready_q;
  reg [ENTRIES-1:0] drain_q;
  reg [ENTRIES-1:0] written_q;
  (* mem2reg *) reg [ADDR_W-1:0]  addr_q [0:ENTRIES-1];
  (* mem2reg *) reg [LEN_W-1:0]   len_q [0:ENTRIES-1];
  (* mem2reg *) reg [PTR_W-1:0]   head_q [0:ENTRIES-1];
  (* mem2reg *) reg [ENTRY_W-1:0] order_q [0:ENTRIES-1];
  reg [DATA_W-1:0]  data_q [0:ENTRIES*MERGES-1];
  reg [DATA_W-1:0]  read_q;
  reg [ENTRY_W-1:0] order_head_q;
  reg [COUNT_W-1:0] order_len_q;
  reg [COUNT_W-1:0] count_q;
  reg [ENTRY_W-1:0] next_q;

  assign count_o = count_q;

  // Asked of every entry at once: does it hold the line?
  wire [ENTRIES-1:0] cam;
  wire [ENTRIES-1:0] match = cam & valid_q;
  genvar g;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_cam
      assign cam[g] = (addr_q[g] == req_addr_i);
    end
  endgenerate

  // Lists are read under the bit of their entry, all at once: sooner than under its number.
  wire [PTR_W-1:0] drain_head;
  wire [LEN_W-1:0] drain_len;
  wire [LEN_W-1:0] match_len;
  generate
    for (g = 0; g < ENTRIES; g = g + 1) begin : gen_list
      wire [PTR_W-1:0] own_head  = head_q[g] & {PTR_W{drain_q[g]}};
      wire [LEN_W-1:0] own_len   = len_q[g] & {LEN_W{drain_q[g]}};
      wire [LEN_W-1:0] own_match = len_q[g] & {LEN_W{match[g]}};
      wire [PTR_W-1:0] head;  // of this entry and those below it
      wire [LEN_W-1:0] len;
      wire [LEN_W-1:0] matching;
      if (g == 0) begin : gen_first
        assign head     = own_head;
        assign len      = own_len;
        assign matching = own_match;
      end else begin : gen_next
        assign head     = gen_list[g-1].head | own_head;
        assign len      = gen_list[g-1].len | own_len;
        assign matching = gen_list[g-1].matching | own_match;
      end
      if (g == ENTRIES - 1) begin : gen_all
        assign drain_head = head;
        assign drain_len  = len;
        assign match_len  = matching;
      end
    end
  endgenerate

  // 1. Drain: the entry that was filled first sends its oldest read; drain_q has its bit.
  wire [ENTRY_W-1:0] drain_entry;
  wire               draining;
  one_hot_encoder #(.WIDTH(ENTRIES)) u_drain (
    .one_hot_i(drain_q), .any_o(draining), .index_o(drain_entry)
  );

  assign out_valid_o = draining;
  assign out_entry_o = drain_entry;
  assign out_last_o  = (drain_len == LEN_ONE);

  wire               drain     = out_ready_i && draining;
  wire               release_e = out_ready_i && out_last_o;
  wire [ENTRIES-1:0] released  = release_e ? drain_q : {ENTRIES{1'b0}};

  // 2. Fill: names its entry, so nothing is searched.
  wire [ENTRIES-1:0] fillable  = (BIT_ONE << fill_entry_i) & valid_q & ~ready_q;
  wire               fill_good = |fillable;
  wire               fill      = fill_valid_i && fill_good;
  wire [ENTRIES-1:0] filled    = fill_valid_i ? fillable : {ENTRIES{1'b0}};
  assign fill_err_o = fill_valid_i && !fill_good;
  assign fill_written_o = |(filled & written_q);

  // The entry that drains in the next cycle: after a release the second of the order ring; where
  // there is none, the one that is filled now.
  wire [ENTRY_W-1:0] behind   = (order_head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}}
                                                             : order_head_q + ENTRY_ONE;
  wire [ENTRIES-1:0] next_bit = BIT_ONE << order_q[behind];
  wire               only     = !draining || order_len_q == COUNT_ONE;
  wire [ENTRIES-1:0] after    = only ? filled : next_bit;
  wire [ENTRIES-1:0] drain_d  = (release_e || !draining) ? after : drain_q;

  // The draining read's word, read now, or at the edge before under the address that it has then.
  wire [PTR_W-1:0] head_after = (drain_head == PTR_LAST) ? {PTR_W{1'b0}} : drain_head + PTR_ONE;
  wire [31:0]      read_at;
  generate
    if (READ_REG != 0) begin : gen_read_edge
      wire               stays      = draining && !release_e;
      wire [ENTRY_W-1:0] read_entry = stays ? drain_entry : only ? fill_entry_i : order_q[behind];
      wire [PTR_W-1:0]   read_ptr   = !stays      ? {PTR_W{1'b0}}
                                    : out_ready_i ? head_after : drain_head;
      assign read_at = read_entry * MERGES + {{(32 - PTR_W) {1'b0}}, read_ptr};
      always @(posedge clk_i) if (srst_ni && |drain_d) read_q <= data_q[read_at];
      assign out_data_o = draining ? read_q : {DATA_W{1'b0}};
    end else begin : gen_read_now
      wire unused_read = &{1'b0, read_q};
      assign read_at = drain_entry * MERGES + {{(32 - PTR_W) {1'b0}}, drain_head};
      always @(posedge clk_i) read_q <= {DATA_W{1'b0}};
      assign out_data_o = draining ? data_q[read_at] : {DATA_W{1'b0}};
    end
  endgenerate

  // 3. Look-up in what the drain has left. At most one entry matches. A drain of that entry makes
  // room for a merge; if it was the last read, there is no entry. A release is known late: it has
  // one gate behind the look-up.
  wire               found;
  wire [ENTRY_W-1:0] hit_entry;
  one_hot_encoder #(.WIDTH(ENTRIES)) u_hit (
    .one_hot_i(match), .any_o(found), .index_o(hit_entry)
  );
  wire same     = |(match & drain_q);
  wire hit      = found && !(release_e && same);
  wire marked   = |(match & written_q);
  wire hit_room = !marked && ((match_len != LEN_FULL) || (out_ready_i && same));

  // A read allocates the entry that a register names. In a full table it can only be the one that
  // is released.
  wire               full       = (count_q == COUNT_FULL);
  wire               space      = !full || release_e;
  wire [ENTRIES-1:0] next_free  = BIT_ONE << next_q;
  wire [ENTRIES-1:0] free_bit   = full ? drain_q : next_free;
  wire [ENTRY_W-1:0] free_entry = full ? drain_entry : next_q;

  // The entry of the allocation after it: another that is free now, or else the one that drains,
  // which alone can be free by then.
  wire               other_free;
  wire [ENTRY_W-1:0] other_entry;
  priority_encoder #(.WIDTH(ENTRIES)) u_free (
    .req_i(~valid_q & ~next_free), .any_o(other_free), .index_o(other_entry)
  );
  wire [ENTRY_W-1:0] behind_next = other_free ? other_entry : drain_entry;

  assign req_merge_o  = hit;
  assign req_ready_o  = hit ? hit_room : space;
  assign req_refuse_o = req_ready_o ? 2'd0 : hit ? {1'b1, marked} : 2'd1;
  assign req_entry_o  = hit ? (hit_room ? hit_entry : {ENTRY_W{1'b0}})
                            : (space ? free_entry : {ENTRY_W{1'b0}});

  wire               accept    = req_valid_i && req_ready_o;
  wire               allocate  = req_valid_i && !hit && space;
  wire [ENTRIES-1:0] allocated = allocate ? free_bit : {ENTRIES{1'b0}};
  wire               grow      = req_valid_i && hit && hit_room;

  // 4. Store: the same look-up once more. It marks also what is allocated.
  wire [ENTRIES-1:0] written_d;
  generate
    if (STORES != 0) begin : gen_store
      wire [ENTRIES-1:0] store_cam;
      wire [ENTRIES-1:0] store_match = store_cam & valid_q;
      wire               store_found;
      wire [ENTRY_W-1:0] store_index;
      for (g = 0; g < ENTRIES; g = g + 1) begin : gen_store_cam
        assign store_cam[g] = (addr_q[g] == store_addr_i);
      end
      one_hot_encoder #(.WIDTH(ENTRIES)) u_store (
        .one_hot_i(store_match), .any_o(store_found), .index_o(store_index)
      );
      assign store_hit_o   = store_found && !(|(store_match & released));
      assign store_entry_o = store_hit_o ? store_index : {ENTRY_W{1'b0}};
      wire               store_new   = (store_addr_i == req_addr_i);
      wire [ENTRIES-1:0] store_marks = (store_match & ~released)
                                     | (allocated & {ENTRIES{store_new}});
      assign written_d     = (written_q & ~released)
                           | (store_marks & {ENTRIES{store_valid_i}});
    end else begin : gen_no_store
      wire   unused_store  = &{1'b0, store_valid_i, store_addr_i};
      assign store_hit_o   = 1'b0;
      assign store_entry_o = {ENTRY_W{1'b0}};
      assign written_d     = {ENTRIES{1'b0}};
    end
  endgenerate

  // Where a merged read goes: head + len, the same sum before and after a drain of the entry. Only
  // of the entry that drains is head not 0, so of the others len is the place.
  localparam [LEN_W:0] RING = MERGES[LEN_W:0];
  wire [LEN_W:0]   drain_sum = {1'b0, drain_len} + {{(LEN_W + 1 - PTR_W) {1'b0}}, drain_head};
  wire [LEN_W:0]   drain_mod = (drain_sum >= RING) ? drain_sum - RING : drain_sum;
  wire [PTR_W-1:0] merge_ptr = !hit ? {PTR_W{1'b0}}
                             : same ? drain_mod[PTR_W-1:0] : match_len[PTR_W-1:0];
  wire             unused_upper_bits = &{1'b0, drain_mod[LEN_W:PTR_W], match_len[LEN_W-1]};

  // Where a filled entry goes in the order ring, likewise.
  localparam [COUNT_W:0] ORDER_RING = ENTRIES[COUNT_W:0];
  wire [COUNT_W:0]   order_sum  = {1'b0, order_len_q}
                                + {{(COUNT_W + 1 - ENTRY_W) {1'b0}}, order_head_q};
  wire [COUNT_W:0]   order_mod  = (order_sum >= ORDER_RING) ? order_sum - ORDER_RING : order_sum;
  wire [ENTRY_W-1:0] order_tail = order_mod[ENTRY_W-1:0];
  wire               unused_order_bits = &{1'b0, order_mod[COUNT_W:ENTRY_W]};

  // A counter turns over the bits of one step, known early, under what is late.
  function [COUNT_W-1:0] step(input [COUNT_W-1:0] count, input more, input less);
    step = count ^ (((count ^ (count + COUNT_ONE)) & {COUNT_W{more}})
                  | ((count ^ (count - COUNT_ONE)) & {COUNT_W{less}}));
  endfunction

  // A free entry is not ready, so an allocation has nothing to clear in ready_q.
  wire [ENTRIES-1:0] valid_d      = (valid_q & ~released) | allocated;
  wire [ENTRIES-1:0] ready_d      = (ready_q & ~released) | filled;
  wire [ENTRY_W-1:0] order_head_d = release_e ? behind : order_head_q;
  wire [COUNT_W-1:0] order_len_d  = step(order_len_q, fill && !release_e, release_e && !fill);
  wire [COUNT_W-1:0] count_d      = step(count_q, allocate && !release_e, release_e && !allocate);
  wire [ENTRY_W-1:0] next_d       = (allocate || full) ? behind_next : next_q;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      valid_q      <= {ENTRIES{1'b0}};
      ready_q      <= {ENTRIES{1'b0}};
      drain_q      <= {ENTRIES{1'b0}};
      written_q    <= {ENTRIES{1'b0}};
      order_head_q <= {ENTRY_W{1'b0}};
      order_len_q  <= {COUNT_W{1'b0}};
      count_q      <= {COUNT_W{1'b0}};
      next_q       <= {ENTRY_W{1'b0}};
    end else begin
      valid_q      <= valid_d;
      ready_q      <= ready_d;
      drain_q      <= drain_d;
      written_q    <= written_d;
      order_head_q <= order_head_d;
      order_len_q  <= order_len_d;
      count_q      <= count_d;
      next_q       <= next_d;
    end
  end

  // A merge into the entry that drains leaves its length as it is.
  wire             shrink   = drain && !(grow && same);
  wire             lengthen = grow && !(out_ready_i && same);
  wire [LEN_W-1:0] len_less = drain_len - LEN_ONE;
  wire [LEN_W-1:0] len_more = match_len + LEN_ONE;
  wire [31:0]      write_at = req_entry_o * MERGES + {{(32 - PTR_W) {1'b0}}, merge_ptr};
  wire             unused_index_bits = &{1'b0, read_at, write_at};
  always @(posedge clk_i) begin
    if (srst_ni) begin
      if (fill) order_q[order_tail] <= fill_entry_i;
      if (drain) head_q[drain_entry] <= head_after;
      if (shrink) len_q[drain_entry] <= len_less;
      if (lengthen) len_q[hit_entry] <= len_more;
      // Later assignments win: an allocation of the entry that is released.
      if (allocate) begin
        addr_q[free_entry] <= req_addr_i;
        head_q[free_entry] <= {PTR_W{1'b0}};
        len_q[free_entry]  <= LEN_ONE;
      end
      if (accept) data_q[write_at] <= req_data_i;
    end
  end

  // Parity: a bit for each register and each word, written with it. What this cycle relies on must
  // fit its bit: all registers, the words of entries in use, the next place of the order ring, and
  // the word that is shown.
  generate
    if (PARITY != 0) begin : gen_parity
      reg [7:0]         state_par_q;
      reg [ENTRIES-1:0] addr_par_q, len_par_q, head_par_q, order_par_q;
      reg [0:0]         data_par_q [0:ENTRIES*MERGES-1];
      reg               read_par_q;
      wire [ENTRIES-1:0] addr_now, len_now, head_now;
      wire [7:0] state_now = {^next_q, ^count_q, ^order_len_q, ^order_head_q,
                              ^written_q, ^drain_q, ^ready_q, ^valid_q};
      wire [7:0] state_d   = {^next_d, ^count_d, ^order_len_d, ^order_head_d,
                              ^written_d, ^drain_d, ^ready_d, ^valid_d};
      for (g = 0; g < ENTRIES; g = g + 1) begin : gen_now
        assign addr_now[g] = ^addr_q[g];
        assign len_now[g]  = ^len_q[g];
        assign head_now[g] = ^head_q[g];
      end

      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 8'd0;
        if (srst_ni && fill) order_par_q[order_tail] <= ^fill_entry_i;
        if (srst_ni && drain) head_par_q[drain_entry] <= ^head_after;
        if (srst_ni && shrink) len_par_q[drain_entry] <= ^len_less;
        if (srst_ni && lengthen) len_par_q[hit_entry] <= ^len_more;
        if (srst_ni && allocate) begin
          addr_par_q[free_entry] <= ^req_addr_i;
          head_par_q[free_entry] <= 1'b0;
          len_par_q[free_entry]  <= 1'b1;
        end
        if (srst_ni && accept) data_par_q[write_at] <= ^req_data_i;
        if (READ_REG == 0) read_par_q <= 1'b0;
        else if (srst_ni && |drain_d) read_par_q <= data_par_q[read_at];
      end

      wire shown_par = (READ_REG != 0) ? read_par_q : data_par_q[read_at];
      wire bad_order = order_par_q[behind] ^ (^order_q[behind]);
      assign error_o = (state_now != state_par_q)
                    || |(valid_q & ((addr_now ^ addr_par_q) | (len_now ^ len_par_q)
                                    | (head_now ^ head_par_q)))
                    || (bad_order && !only)
                    || (draining && shown_par != ^out_data_o);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < ENTRIES; w = w + 1) begin
      addr_q[w]  = {ADDR_W{1'b0}};
      len_q[w]   = {LEN_W{1'b0}};
      head_q[w]  = {PTR_W{1'b0}};
      order_q[w] = {ENTRY_W{1'b0}};
    end
    for (w = 0; w < ENTRIES * MERGES; w = w + 1) data_q[w] = {DATA_W{1'b0}};
    read_q = {DATA_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
