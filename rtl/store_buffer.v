// SPDX-License-Identifier: Apache-2.0
// store_buffer - keeps what stores write until it is sent to memory; lanes are gathered into lines.
// C twin: cmodel/store_buffer.c   Page: docs/modules/store_buffer.md
// Timing: an instruction, a put, a free and a beat a cycle. A put with lanes in both halves
// takes two cycles with PASSES = 2. Lanes never hide each other late: which of them wins a byte is
// decided between the lanes, beside the decoding of their words, and the words are ORs.
`default_nettype none
module store_buffer #(
  // entries: requests of stores whose data are kept
  parameter integer STORES    = 4,
  // lanes of a warp
  parameter integer LANES     = 32,
  // words of 4 bytes in a line
  parameter integer WORDS     = 32,
  // words of a beat of the bus
  parameter integer BUS_WORDS = 8,
  // 1 all lanes are gathered in one cycle, 2 the lower half of the lanes in one cycle and the upper
  // half in the next
  parameter integer PASSES    = 1,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY    = 0
) (
  // clock
  input  wire                                            clk_i,
  // synchronous reset, active low
  input  wire                                            srst_ni,
  // keep the lanes of a store instruction; it need not hold until lanes_ready_o
  input  wire                                            lanes_valid_i,
  // word of each lane in its line, lane 0 lowest
  input  wire [LANES*((WORDS > 1) ? $clog2(WORDS) : 1)-1:0] lanes_word_i,
  // what each lane stores
  input  wire [LANES*32-1:0]                             lanes_data_i,
  // which bytes of the word it stores
  input  wire [LANES*4-1:0]                              lanes_bytes_i,
  // a request of the instruction that is kept takes entry put_entry_o; it need not hold until
  // put_ready_o
  input  wire                                            put_valid_i,
  // the lanes that it serves
  input  wire [LANES-1:0]                                put_lanes_i,
  // the entry of beat_data_o
  input  wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0]  beat_entry_i,
  // the beat of its line
  input  wire [((BUS_WORDS > 0 && WORDS > BUS_WORDS) ? $clog2((WORDS-1)/BUS_WORDS+1) : 1)-1:0] beat_number_i,
  // the last beat of entry free_entry_i has been sent
  input  wire                                            free_valid_i,
  // that entry
  input  wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0]  free_entry_i,
  // the instruction on lanes_* would be kept: no request needs the lanes longer
  output wire                                            lanes_ready_o,
  // an entry is free and no request is being gathered; it holds until put_valid_i
  output wire                                            put_ready_o,
  // the free entry with the lowest number, which may change before put_valid_i; 0 without one
  output wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0]  put_entry_o,
  // the beat's words, 0 where nothing is stored; 0 if the entry is not in use
  output wire [BUS_WORDS*32-1:0]                         beat_data_o,
  // its bytes that are stored
  output wire [BUS_WORDS*4-1:0]                          beat_strobe_o,
  // no entry is in use
  output wire                                            empty_o,
  // entries in use at the start of the cycle
  output wire [$clog2(STORES+1)-1:0]                     count_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                            error_o
);
  localparam BEATS   = (BUS_WORDS > 0) ? (WORDS + BUS_WORDS - 1) / BUS_WORDS : 1;
  localparam ENTRY_W = (STORES > 1) ? $clog2(STORES) : 1;
  localparam WORD_W  = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam COUNT_W = $clog2(STORES + 1);
  localparam HALF    = (LANES + 1) / 2;               // lanes of the lower half
  localparam SPAN    = (PASSES > 1) ? HALF : LANES;   // lanes of a pass
  localparam [COUNT_W-1:0] COUNT_ONE = 1;
  localparam [STORES-1:0]  BIT_ONE   = 1;
  localparam [STORES-1:0]  NO_ENTRY  = 0;

  generate
    if (STORES < 1 || STORES > 32) begin : gen_bad_stores
      ERROR_store_buffer_STORES_must_be_1_to_32 u_error (); end
    if (LANES < 1 || LANES > 32) begin : gen_bad_lanes
      ERROR_store_buffer_LANES_must_be_1_to_32 u_error (); end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_store_buffer_WORDS_must_be_1_to_32 u_error (); end
    if (BUS_WORDS < 1 || BUS_WORDS > 32) begin : gen_bad_bus_words
      ERROR_store_buffer_BUS_WORDS_must_be_1_to_32 u_error (); end
    if (PASSES < 1 || PASSES > 2) begin : gen_bad_passes
      ERROR_store_buffer_PASSES_must_be_1_to_2 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_store_buffer_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  (* mem2reg *) reg [WORD_W-1:0] word_q [0:LANES-1];
  (* mem2reg *) reg [31:0]       lane_q [0:LANES-1];
  (* mem2reg *) reg [3:0]        bytes_q [0:LANES-1];
  reg [STORES-1:0]  used_q;
  reg [COUNT_W-1:0] count_q;
  reg               kept_q;
  reg               pass_q;
  reg [ENTRY_W-1:0] pass_entry_q;
  reg [HALF-1:0]    pass_lanes_q;
  (* mem2reg *) reg [31:0]       data_q [0:STORES*WORDS-1];
  (* mem2reg *) reg [3:0]        strobe_q [0:STORES*WORDS-1];
  genvar g, k;

  // Put: the lowest free entry.
  wire               any_free;
  wire [STORES-1:0]  unused_entries = ~used_q;
  wire [STORES-1:0]  lowest_bit     = unused_entries & (~unused_entries + BIT_ONE);
  priority_encoder #(.WIDTH(STORES)) u_free (
    .req_i(unused_entries), .any_o(any_free), .index_o(put_entry_o));
  assign put_ready_o = any_free && !pass_q;
  wire put = put_valid_i && put_ready_o;

  // The lanes of the pass: those of the put, or the upper half that it has left. With an odd number
  // of lanes the upper half has a lane less, which stores nothing.
  wire [2*HALF-1:0]        lanes;
  wire [2*HALF*WORD_W-1:0] kept_word;
  wire [2*HALF*32-1:0]     kept_data;
  wire [2*HALF*4-1:0]      kept_bytes;
  wire [HALF-1:0]          lower_lanes = lanes[HALF-1:0];
  wire [HALF-1:0]          upper_lanes = lanes[2*HALF-1:HALF];
  wire [SPAN-1:0]          asked;
  wire [SPAN-1:0]          set = asked & {SPAN{kept_q}};
  wire [SPAN*WORD_W-1:0]   set_word;
  wire [SPAN*32-1:0]       set_data;
  wire [SPAN*4-1:0]        set_bytes;
  wire                     upper;    // the pass is of the upper half
  wire                     long_put = (PASSES > 1) && put && |lower_lanes && |upper_lanes;
  generate
    for (g = 0; g < 2 * HALF; g = g + 1) begin : gen_kept
      assign lanes[g]                      = (g < LANES) ? put_lanes_i[g % LANES] : 1'b0;
      assign kept_word[g*WORD_W +: WORD_W] = (g < LANES) ? word_q[g % LANES] : {WORD_W{1'b0}};
      assign kept_data[g*32 +: 32]         = (g < LANES) ? lane_q[g % LANES] : 32'd0;
      assign kept_bytes[g*4 +: 4]          = (g < LANES) ? bytes_q[g % LANES] : 4'd0;
    end
    if (PASSES > 1) begin : gen_halves
      assign upper     = pass_q || !(|lower_lanes);
      assign asked     = pass_q ? pass_lanes_q : upper ? upper_lanes : lower_lanes;
      assign set_word  = upper ? kept_word[2*HALF*WORD_W-1:HALF*WORD_W] : kept_word[HALF*WORD_W-1:0];
      assign set_data  = upper ? kept_data[2*HALF*32-1:HALF*32] : kept_data[HALF*32-1:0];
      assign set_bytes = upper ? kept_bytes[2*HALF*4-1:HALF*4] : kept_bytes[HALF*4-1:0];
    end else begin : gen_all
      wire unused_lanes = &{1'b0, upper, lanes, kept_word, kept_data, kept_bytes};
      assign upper     = 1'b0;
      assign asked     = lanes[SPAN-1:0];
      assign set_word  = kept_word[SPAN*WORD_W-1:0];
      assign set_data  = kept_data[SPAN*32-1:0];
      assign set_bytes = kept_bytes[SPAN*4-1:0];
    end
  endgenerate
  assign lanes_ready_o = !long_put;

  // Of the lanes that store a byte the highest one wins: each asks those above it.
  wire [SPAN*4-1:0] stored;
  generate
    for (g = 0; g < SPAN; g = g + 1) begin : gen_stored
      assign stored[g*4 +: 4] = set_bytes[g*4 +: 4] & {4{set[g]}};
    end
  endgenerate
  reg [SPAN*4-1:0] wins;
  reg [3:0]        above;
  integer          l, h;
  always @* begin
    for (l = 0; l < SPAN; l = l + 1) begin
      above = 4'd0;
      for (h = l + 1; h < SPAN; h = h + 1)
        above = above | (stored[h*4 +: 4]
                         & {4{set_word[h*WORD_W +: WORD_W] == set_word[l*WORD_W +: WORD_W]}});
      wins[l*4 +: 4] = stored[l*4 +: 4] & ~above;
    end
  end
  function automatic [31:0] byte_bits(input [3:0] bytes);
    byte_bits = {{8{bytes[3]}}, {8{bytes[2]}}, {8{bytes[1]}}, {8{bytes[0]}}};
  endfunction

  // Each word of the line: what the lanes store there, and which bytes.
  wire [WORDS*32-1:0] new_data;
  wire [WORDS*4-1:0]  new_bytes;
  generate
    for (g = 0; g < WORDS; g = g + 1) begin : gen_gather
      localparam [WORD_W-1:0] OWN = g;
      reg [31:0] data;
      reg [3:0]  bytes;
      reg [3:0]  won;
      integer    i;
      always @* begin
        data  = 32'd0;
        bytes = 4'd0;
        for (i = 0; i < SPAN; i = i + 1) begin
          won   = wins[i*4 +: 4] & {4{set_word[i*WORD_W +: WORD_W] == OWN}};
          data  = data | (set_data[i*32 +: 32] & byte_bits(won));
          bytes = bytes | won;
        end
      end
      assign new_data[g*32 +: 32] = data;
      assign new_bytes[g*4 +: 4]  = bytes;
    end
  endgenerate

  // A number that is too large is shifted out: it decodes to nothing.
  wire [STORES-1:0] put_bit   = put ? lowest_bit : NO_ENTRY;
  wire [STORES-1:0] pass_bit  = pass_q ? BIT_ONE << pass_entry_q : NO_ENTRY;
  wire [STORES-1:0] free_bit  = free_valid_i ? (BIT_ONE << free_entry_i) & used_q : NO_ENTRY;
  wire [STORES-1:0] shown_bit = (BIT_ONE << beat_entry_i) & used_q;

  // The beat that is shown: of each of its words, that of the one entry and the one beat. Word by
  // word, since a simulator would make a vector of all of them anew in every cycle.
  localparam integer      SOURCES  = (STORES > 0 && WORDS > 0) ? STORES * BEATS : 1;
  localparam [BEATS-1:0]  BEAT_ONE = 1;
  wire [BEATS-1:0] beat_bit = BEAT_ONE << beat_number_i;
  wire [SOURCES-1:0] source;
  generate
    for (g = 0; g < SOURCES; g = g + 1) begin : gen_source
      assign source[g] = shown_bit[g/BEATS] && beat_bit[g%BEATS];
    end
    for (g = 0; g < BUS_WORDS; g = g + 1) begin : gen_beat
      for (k = 0; k < SOURCES; k = k + 1) begin : gen_or
        localparam integer W = (k % BEATS) * BUS_WORDS + g;
        wire [35:0] own, all;
        if (W < WORDS) begin : gen_word
          assign own = {strobe_q[(k/BEATS)*WORDS+W], data_q[(k/BEATS)*WORDS+W]} & {36{source[k]}};
        end else begin : gen_none
          assign own = 36'd0;
        end
        if (k == 0) begin : gen_first
          assign all = own;
        end else begin : gen_next
          assign all = own | gen_or[k-1].all;
        end
      end
      assign beat_data_o[g*32 +: 32] = gen_or[SOURCES-1].all[31:0];
      assign beat_strobe_o[g*4 +: 4] = gen_or[SOURCES-1].all[35:32];
    end
  endgenerate
  assign empty_o       = (count_q == {COUNT_W{1'b0}});
  assign count_o       = count_q;

  wire               keep     = srst_ni && lanes_valid_i && lanes_ready_o;
  wire               kept_d   = kept_q || keep;
  wire [STORES-1:0]  used_d   = (used_q | put_bit) & ~free_bit;
  wire [COUNT_W-1:0] count_d  = (put == |free_bit) ? count_q : put ? count_q + COUNT_ONE
                                                              : count_q - COUNT_ONE;
  wire [ENTRY_W-1:0] pass_entry_d = long_put ? put_entry_o : pass_entry_q;
  wire [HALF-1:0]    pass_lanes_d = long_put ? upper_lanes : pass_lanes_q;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      used_q       <= NO_ENTRY;
      count_q      <= {COUNT_W{1'b0}};
      kept_q       <= 1'b0;
      pass_q       <= 1'b0;
      pass_entry_q <= {ENTRY_W{1'b0}};
      pass_lanes_q <= {HALF{1'b0}};
    end else begin
      used_q       <= used_d;
      count_q      <= count_d;
      kept_q       <= kept_d;
      pass_q       <= long_put;
      pass_entry_q <= pass_entry_d;
      pass_lanes_q <= pass_lanes_d;
    end
  end

  integer n;
  always @(posedge clk_i) begin
    for (n = 0; n < LANES; n = n + 1) begin
      if (keep) begin
        word_q[n]  <= lanes_word_i[n*WORD_W +: WORD_W];
        lane_q[n]  <= lanes_data_i[n*32 +: 32];
        bytes_q[n] <= lanes_bytes_i[n*4 +: 4];
      end
    end
  end

  // A put writes all words of its entry, a second pass only the bytes that it brings.
  generate
    for (g = 0; g < STORES; g = g + 1) begin : gen_write
      integer w;
      always @(posedge clk_i) begin
        for (w = 0; w < WORDS; w = w + 1) begin
          if (srst_ni && (put_bit[g] || pass_bit[g])) begin
            data_q[g*WORDS+w]   <= new_data[w*32 +: 32]
                                 | (pass_bit[g] ? data_q[g*WORDS+w] & ~byte_bits(new_bytes[w*4 +: 4])
                                                : 32'd0);
            strobe_q[g*WORDS+w] <= new_bytes[w*4 +: 4] | (pass_bit[g] ? strobe_q[g*WORDS+w] : 4'd0);
          end
        end
      end
    end
  endgenerate

  // Parity: what this cycle relies on must fit its bit. A second pass relies on the words that it
  // changes; all words of its entry are looked at.
  generate
    if (PARITY != 0) begin : gen_parity
      reg [2:0]        state_par_q;
      reg [LANES-1:0]  lane_par_q;
      (* mem2reg *) reg [0:0] word_par_q [0:STORES*WORDS-1];
      wire [2:0] state_now = {^{kept_q, pass_q, pass_entry_q, pass_lanes_q}, ^count_q, ^used_q};
      wire [2:0] state_d   = {^{kept_d, long_put, pass_entry_d, pass_lanes_d}, ^count_d, ^used_d};
      wire [LANES-1:0]  lane_now, lane_new, relied;
      wire [STORES*WORDS-1:0] word_bad, merged; // a word; parity of what a second pass makes of it
      for (g = 0; g < LANES; g = g + 1) begin : gen_lane
        assign lane_now[g] = ^{word_q[g], lane_q[g], bytes_q[g]};
        assign lane_new[g] = ^{lanes_word_i[g*WORD_W +: WORD_W], lanes_data_i[g*32 +: 32],
                               lanes_bytes_i[g*4 +: 4]};
        if (g < SPAN) begin : gen_lower
          assign relied[g] = set[g] && !upper && put;
        end else begin : gen_upper
          assign relied[g] = set[g-SPAN] && upper && (put || pass_q);
        end
      end
      for (g = 0; g < STORES * WORDS; g = g + 1) begin : gen_merged
        localparam W = g % WORDS;
        assign word_bad[g] = ^{data_q[g], strobe_q[g], word_par_q[g]} && pass_bit[g/WORDS];
        assign merged[g]   = ^{data_q[g] & ~byte_bits(new_bytes[W*4 +: 4]) | new_data[W*32 +: 32],
                               strobe_q[g] | new_bytes[W*4 +: 4]};
      end

      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? state_d : 3'd0;
        if (keep) lane_par_q <= lane_new;
      end
      for (g = 0; g < STORES; g = g + 1) begin : gen_word_par
        integer v;
        always @(posedge clk_i) begin
          for (v = 0; v < WORDS; v = v + 1) begin
            if (srst_ni && put_bit[g])
              word_par_q[g*WORDS+v] <= ^{new_data[v*32 +: 32], new_bytes[v*4 +: 4]};
            if (srst_ni && pass_bit[g]) word_par_q[g*WORDS+v] <= merged[g*WORDS+v];
          end
        end
      end

      // The words that are shown, against their bits.
      wire [BUS_WORDS-1:0] shown_bad;
      for (g = 0; g < BUS_WORDS; g = g + 1) begin : gen_check
        wire [SOURCES-1:0] bits;
        for (k = 0; k < SOURCES; k = k + 1) begin : gen_bit
          localparam integer W = (k % BEATS) * BUS_WORDS + g;
          if (W < WORDS) begin : gen_word
            assign bits[k] = word_par_q[(k/BEATS)*WORDS+W] && source[k];
          end else begin : gen_none
            assign bits[k] = 1'b0;
          end
        end
        assign shown_bad[g] = ^{beat_data_o[g*32 +: 32], beat_strobe_o[g*4 +: 4]} != |bits;
      end
      assign error_o = (state_now != state_par_q)
                    || |(relied & (lane_now ^ lane_par_q))
                    || |shown_bad || |word_bad;
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these memories, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer i;
    for (i = 0; i < LANES; i = i + 1) begin
      word_q[i]  = {WORD_W{1'b0}};
      lane_q[i]  = 32'd0;
      bytes_q[i] = 4'd0;
    end
    for (i = 0; i < STORES * WORDS; i = i + 1) begin
      data_q[i]   = 32'd0;
      strobe_q[i] = 4'd0;
    end
  end
`endif
endmodule
`default_nettype wire
