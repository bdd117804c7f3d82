// SPDX-License-Identifier: Apache-2.0
// axi_port - sends the requests of the L1's miss queue to memory as bursts of AXI4.
// C twin: cmodel/axi_port.c   Page: docs/modules/axi_port.md
// Timing: a read is offered in its own cycle, a write from the next cycle on; ar_*, aw_* and w_*
// hold until they are taken. One write at a time, beats of it a cycle each; reads go on meanwhile.
`default_nettype none
module axi_port #(
  // bits of a line address
  parameter integer ADDR_W    = 25,
  // words of 4 bytes in a line
  parameter integer WORDS     = 32,
  // words of a beat of the bus
  parameter integer BUS_WORDS = 8,
  // bits of the id of a request
  parameter integer ID_W      = 6,
  // entries of the store buffer
  parameter integer STORES    = 4,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY    = 0
) (
  // clock
  input  wire                                    clk_i,
  // synchronous reset, active low
  input  wire                                    srst_ni,
  // a request is offered; it need not hold until req_ready_o
  input  wire                                    req_valid_i,
  // the request: write, id, line address, first beat, last beat; the last beat is lowest
  input  wire [ID_W+ADDR_W+2*((BUS_WORDS > 0 && WORDS > BUS_WORDS) ? $clog2((WORDS-1)/BUS_WORDS+1) : 1):0] req_data_i,
  // AXI4: the read on ar_* is taken in this cycle
  input  wire                                    ar_ready_i,
  // AXI4: the write on aw_* is taken in this cycle
  input  wire                                    aw_ready_i,
  // AXI4: the beat on w_* is taken in this cycle
  input  wire                                    w_ready_i,
  // beat beat_number_o of the store buffer's entry beat_entry_o
  input  wire [BUS_WORDS*32-1:0]                 beat_data_i,
  // its bytes that are stored
  input  wire [BUS_WORDS*4-1:0]                  beat_strobe_i,
  // req_data_i would be taken in this cycle
  output wire                                    req_ready_o,
  // AXI4: a read; it holds until ar_ready_i
  output wire                                    ar_valid_o,
  // AXI4: its id; 0 while ar_valid_o is 0
  output wire [ID_W-1:0]                         ar_id_o,
  // AXI4: address of its first byte; 0 while ar_valid_o is 0
  output wire [ADDR_W+$clog2(4*WORDS)-1:0]       ar_addr_o,
  // AXI4: its beats less one; 0 while ar_valid_o is 0
  output wire [7:0]                              ar_len_o,
  // AXI4: a write; it holds until aw_ready_i
  output wire                                    aw_valid_o,
  // AXI4: address of its first byte; 0 while aw_valid_o is 0
  output wire [ADDR_W+$clog2(4*WORDS)-1:0]       aw_addr_o,
  // AXI4: its beats less one; 0 while aw_valid_o is 0
  output wire [7:0]                              aw_len_o,
  // AXI4: a beat of the write; it holds until w_ready_i
  output wire                                    w_valid_o,
  // AXI4: beat_data_i, with which it may change before w_ready_i; 0 while w_valid_o is 0
  output wire [BUS_WORDS*32-1:0]                 w_data_o,
  // AXI4: beat_strobe_i, with which it may change before w_ready_i; 0 while w_valid_o is 0
  output wire [BUS_WORDS*4-1:0]                  w_strb_o,
  // AXI4: it is the last beat of the write; 0 while w_valid_o is 0
  output wire                                    w_last_o,
  // entry of the store buffer whose beat is sent; 0 while w_valid_o is 0
  output wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0] beat_entry_o,
  // number of that beat; 0 while w_valid_o is 0
  output wire [((BUS_WORDS > 0 && WORDS > BUS_WORDS) ? $clog2((WORDS-1)/BUS_WORDS+1) : 1)-1:0] beat_number_o,
  // the last beat of free_entry_o is taken in this cycle
  output wire                                    free_valid_o,
  // entry of the store buffer; 0 while free_valid_o is 0
  output wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0] free_entry_o,
  // no request waits in a register
  output wire                                    idle_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                    error_o
);
  localparam BEAT_W    = (BUS_WORDS > 0 && WORDS > BUS_WORDS) ? $clog2((WORDS-1)/BUS_WORDS+1) : 1;
  localparam ENTRY_W   = (STORES > 1) ? $clog2(STORES) : 1;
  localparam REQUEST_W = ID_W + ADDR_W + 2 * BEAT_W;
  localparam BYTE_W    = ADDR_W + $clog2(4 * WORDS);

  localparam [BYTE_W+31:0] LINE_BYTES = 4 * WORDS;
  localparam [BYTE_W+31:0] BEAT_BYTES = 4 * BUS_WORDS;
  localparam [BYTE_W-1:0]  LINE_STEP  = LINE_BYTES[BYTE_W-1:0];
  localparam [BYTE_W-1:0]  BEAT_STEP  = BEAT_BYTES[BYTE_W-1:0];
  localparam [BEAT_W-1:0]  BEAT_ONE   = 1;

  generate
    if (ADDR_W < 1 || ADDR_W > 36) begin : gen_bad_addr_w
      ERROR_axi_port_ADDR_W_must_be_1_to_36 u_error (); end
    if (WORDS < 1 || WORDS > 32) begin : gen_bad_words
      ERROR_axi_port_WORDS_must_be_1_to_32 u_error (); end
    if (BUS_WORDS < 1 || BUS_WORDS > 32) begin : gen_bad_bus_words
      ERROR_axi_port_BUS_WORDS_must_be_1_to_32 u_error (); end
    if (ID_W < 1 || ID_W > 16) begin : gen_bad_id_w
      ERROR_axi_port_ID_W_must_be_1_to_16 u_error (); end
    if (STORES < 1 || STORES > 128) begin : gen_bad_stores
      ERROR_axi_port_STORES_must_be_1_to_128 u_error (); end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_axi_port_PARITY_must_be_0_to_1 u_error (); end
  endgenerate

  reg                 read_valid_q;
  reg [REQUEST_W-1:0] read_q;
  reg                 aw_valid_q;
  reg                 w_valid_q;
  reg [REQUEST_W-1:0] write_q;
  reg [BEAT_W-1:0]    beat_q;

  // The address of a line's beat, in bytes; sizes that are powers of two leave only wires of this.
  function automatic [BYTE_W-1:0] address(input [ADDR_W-1:0] line, input [BEAT_W-1:0] beat);
    address = {{(BYTE_W - ADDR_W) {1'b0}}, line} * LINE_STEP
            + {{(BYTE_W - BEAT_W) {1'b0}}, beat} * BEAT_STEP;
  endfunction

  function automatic [7:0] length(input [BEAT_W-1:0] first, input [BEAT_W-1:0] last);
    reg [BEAT_W-1:0] less;
    begin
      less   = last - first;
      length = {{(8 - BEAT_W) {1'b0}}, less};
    end
  endfunction

  // Reads: past the register as long as it is empty.
  wire                 req_write = req_data_i[REQUEST_W];
  wire [REQUEST_W-1:0] request   = req_data_i[REQUEST_W-1:0];
  wire                 new_read  = req_valid_i && !req_write && !read_valid_q;
  wire                 keep_read = new_read && !ar_ready_i;
  wire [REQUEST_W-1:0] reading   = read_valid_q ? read_q : request;
  assign ar_valid_o = read_valid_q || new_read;
  assign ar_id_o    = ar_valid_o ? reading[ADDR_W+2*BEAT_W +: ID_W] : {ID_W{1'b0}};
  assign ar_addr_o  = ar_valid_o ? address(reading[2*BEAT_W +: ADDR_W], reading[BEAT_W +: BEAT_W])
                                 : {BYTE_W{1'b0}};
  assign ar_len_o   = ar_valid_o ? length(reading[BEAT_W +: BEAT_W], reading[0 +: BEAT_W]) : 8'd0;

  // The write: its address and its beats, each on its own channel.
  wire [ID_W-1:0]   write_id    = write_q[ADDR_W+2*BEAT_W +: ID_W];
  wire [BEAT_W-1:0] write_first = write_q[BEAT_W +: BEAT_W];
  wire [BEAT_W-1:0] write_last  = write_q[0 +: BEAT_W];
  wire              at_last     = (beat_q == write_last);
  // An id names an entry by its low bits.
  wire [ENTRY_W-1:0] write_entry;
  wire               unused_id_bits = &{1'b0, write_id};
  generate
    if (ENTRY_W > ID_W) begin : gen_short_id
      assign write_entry = {{(ENTRY_W - ID_W) {1'b0}}, write_id};
    end else begin : gen_id
      assign write_entry = write_id[ENTRY_W-1:0];
    end
  endgenerate
  assign aw_valid_o    = aw_valid_q;
  assign aw_addr_o     = aw_valid_q ? address(write_q[2*BEAT_W +: ADDR_W], write_first)
                                    : {BYTE_W{1'b0}};
  assign aw_len_o      = aw_valid_q ? length(write_first, write_last) : 8'd0;
  assign w_valid_o     = w_valid_q;
  assign w_data_o      = beat_data_i & {BUS_WORDS * 32{w_valid_q}};
  assign w_strb_o      = beat_strobe_i & {BUS_WORDS * 4{w_valid_q}};
  assign w_last_o      = w_valid_q && at_last;
  assign beat_entry_o  = w_valid_q ? write_entry : {ENTRY_W{1'b0}};
  assign beat_number_o = beat_q & {BEAT_W{w_valid_q}};

  assign free_valid_o = w_last_o && w_ready_i;
  assign free_entry_o = beat_entry_o & {ENTRY_W{free_valid_o}};

  wire aw_left = aw_valid_q && !aw_ready_i;
  wire w_left  = w_valid_q && !(w_ready_i && at_last);
  assign req_ready_o = req_write ? !aw_left && !w_left : !read_valid_q;
  assign idle_o      = !read_valid_q && !aw_valid_q && !w_valid_q;

  wire              new_write    = req_valid_i && req_write && !aw_left && !w_left;
  wire              step         = w_valid_q && w_ready_i;
  wire              read_valid_d = ar_valid_o && !ar_ready_i;
  wire              aw_valid_d   = new_write || aw_left;
  wire              w_valid_d    = new_write || w_left;
  wire [BEAT_W-1:0] beat_d       = new_write ? request[BEAT_W +: BEAT_W] : beat_q + BEAT_ONE;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      read_valid_q <= 1'b0;
      aw_valid_q   <= 1'b0;
      w_valid_q    <= 1'b0;
    end else begin
      read_valid_q <= read_valid_d;
      aw_valid_q   <= aw_valid_d;
      w_valid_q    <= w_valid_d;
    end
  end

  always @(posedge clk_i) begin
    if (srst_ni && keep_read) read_q <= request;
    if (srst_ni && new_write) write_q <= request;
    if (srst_ni && (new_write || step)) beat_q <= beat_d;
  end

  // Parity: what this cycle relies on must fit its bit.
  generate
    if (PARITY != 0) begin : gen_parity
      reg valid_par_q, read_par_q, write_par_q, beat_par_q;
      always @(posedge clk_i) begin
        valid_par_q <= srst_ni && (read_valid_d ^ aw_valid_d ^ w_valid_d);
        if (srst_ni && keep_read) read_par_q <= ^request;
        if (srst_ni && new_write) write_par_q <= ^request;
        if (srst_ni && (new_write || step)) beat_par_q <= ^beat_d;
      end
      assign error_o = (valid_par_q != (read_valid_q ^ aw_valid_q ^ w_valid_q))
                    || (read_valid_q && read_par_q != ^read_q)
                    || ((aw_valid_q || w_valid_q) && write_par_q != ^write_q)
                    || (w_valid_q && beat_par_q != ^beat_q);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear these registers, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    read_q  = {REQUEST_W{1'b0}};
    write_q = {REQUEST_W{1'b0}};
    beat_q  = {BEAT_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
