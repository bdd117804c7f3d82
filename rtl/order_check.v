// SPDX-License-Identifier: Apache-2.0
// order_check - two requests of one warp never change places, and nothing passes a barrier.
// C twin: cmodel/order_check.c   Page: docs/modules/order_check.md   MRPB paper, section 3.2.
// Timing: the errors belong to the cycle; the leave of a cycle comes before its acceptance.
// A checker, not hardware: mrpb leaves it out where SYNTHESIS is defined.
`default_nettype none
module order_check #(
  // maximum number of requests of one warp in its queue
  parameter integer DEPTH  = 8,
  // blocks with their own counter; higher block IDs share the last one
  parameter integer BLOCKS = 8,
  // bits of a request's payload
  parameter integer DATA_W = 51
) (
  // clock
  input  wire              clk_i,
  // synchronous reset, active low
  input  wire              srst_ni,
  // a request or barrier is accepted in this cycle
  input  wire              in_valid_i,
  // 0 read, 1 write, 2 and 3 barrier
  input  wire [1:0]        in_kind_i,
  // its warp
  input  wire [5:0]        in_warp_i,
  // its block
  input  wire [5:0]        in_block_i,
  // its payload
  input  wire [DATA_W-1:0] in_data_i,
  // a request leaves in this cycle
  input  wire              out_valid_i,
  // it is a write
  input  wire              out_write_i,
  // its warp
  input  wire [5:0]        out_warp_i,
  // its block
  input  wire [5:0]        out_block_i,
  // its payload
  input  wire [DATA_W-1:0] out_data_i,
  // the leaving request is not the oldest one of its warp
  output wire              order_err_o,
  // a barrier is accepted while a request of its block is held
  output wire              barrier_err_o,
  // a request is accepted for a warp that already holds DEPTH + 1
  output wire              overflow_err_o
);
  localparam integer RING    = DEPTH + 1;
  localparam         PTR_W   = (DEPTH > 0) ? $clog2(DEPTH + 1) : 1;
  localparam         LEN_W   = $clog2(DEPTH + 2);
  localparam         BLOCK_W = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;

  localparam [PTR_W-1:0]   PTR_LAST   = DEPTH[PTR_W-1:0];
  localparam [PTR_W-1:0]   PTR_ONE    = 1;
  localparam [LEN_W-1:0]   LEN_FULL   = RING[LEN_W-1:0];
  localparam [LEN_W-1:0]   LEN_ONE    = 1;
  localparam integer       LAST       = BLOCKS - 1;
  localparam [BLOCK_W-1:0] BLOCK_LAST = LAST[BLOCK_W-1:0];

  generate
    if (DEPTH < 1 || DEPTH > 68) begin : gen_bad_depth
      ERROR_order_check_DEPTH_must_be_1_to_68 u_error ();
    end
    if (BLOCKS < 1 || BLOCKS > 64) begin : gen_bad_blocks
      ERROR_order_check_BLOCKS_must_be_1_to_64 u_error ();
    end
    if (DATA_W < 1 || DATA_W > 51) begin : gen_bad_data_w
      ERROR_order_check_DATA_W_must_be_1_to_51 u_error ();
    end
  endgenerate

  reg [DATA_W:0] list_q [0:64*(DEPTH+1)-1];
  (* mem2reg *) reg [PTR_W-1:0] head_q [0:63];
  (* mem2reg *) reg [LEN_W-1:0] len_q [0:63];
  (* mem2reg *) reg [12:0] block_q [0:BLOCKS-1];

  // Block IDs from BLOCKS - 1 upwards share the last count.
  wire [BLOCK_W-1:0] in_block  = ({1'b0, in_block_i} < BLOCKS[6:0]) ? in_block_i[BLOCK_W-1:0]
                                                                   : BLOCK_LAST;
  wire [BLOCK_W-1:0] out_block = ({1'b0, out_block_i} < BLOCKS[6:0]) ? out_block_i[BLOCK_W-1:0]
                                                                    : BLOCK_LAST;

  // Leave.
  wire [LEN_W-1:0] out_len  = len_q[out_warp_i];
  wire [PTR_W-1:0] out_head = head_q[out_warp_i];
  wire [PTR_W-1:0] out_next = (out_head == PTR_LAST) ? {PTR_W{1'b0}} : out_head + PTR_ONE;
  wire             out_any  = (out_len != {LEN_W{1'b0}});
  wire [DATA_W:0]  oldest   = list_q[out_warp_i * RING + {{(32 - PTR_W) {1'b0}}, out_head}];
  wire             pop      = out_valid_i && out_any;
  wire [12:0]      out_held = block_q[out_block];
  wire             block_pop = out_valid_i && (out_held != 13'd0);
  assign order_err_o = out_valid_i && (!out_any || (oldest != {out_write_i, out_data_i}));

  // Accept, on what the leave has left.
  wire             request    = in_valid_i && !in_kind_i[1];
  wire             same_warp  = pop && (in_warp_i == out_warp_i);
  wire             same_block = block_pop && (in_block == out_block);
  wire [LEN_W-1:0] in_len     = same_warp ? out_len - LEN_ONE : len_q[in_warp_i];
  wire [12:0]      in_held    = same_block ? out_held - 13'd1 : block_q[in_block];
  assign barrier_err_o  = in_valid_i && in_kind_i[1] && (in_held != 13'd0);
  assign overflow_err_o = request && (in_len == LEN_FULL);
  wire push = request && !overflow_err_o;

  // Where it goes: head + len, the same sum before and after a leave of the same warp.
  wire [LEN_W:0]   sum  = {1'b0, len_q[in_warp_i]}
                        + {{(LEN_W + 1 - PTR_W) {1'b0}}, head_q[in_warp_i]};
  wire [LEN_W:0]   slot = (sum >= {1'b0, LEN_FULL}) ? sum - {1'b0, LEN_FULL} : sum;
  wire             unused_upper_bits = &{1'b0, slot[LEN_W:PTR_W]};

  always @(posedge clk_i) begin
    if (srst_ni && push) begin
      list_q[in_warp_i * RING + {{(32 - PTR_W) {1'b0}}, slot[PTR_W-1:0]}]
        <= {in_kind_i[0], in_data_i};
    end
  end

  integer i;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      for (i = 0; i < 64; i = i + 1) begin
        head_q[i] <= {PTR_W{1'b0}};
        len_q[i]  <= {LEN_W{1'b0}};
      end
      for (i = 0; i < BLOCKS; i = i + 1) block_q[i] <= 13'd0;
    end else begin
      // Later assignments win: an acceptance builds on what the leave has left.
      if (pop) begin
        head_q[out_warp_i] <= out_next;
        len_q[out_warp_i]  <= out_len - LEN_ONE;
      end
      if (block_pop) block_q[out_block] <= out_held - 13'd1;
      if (push) len_q[in_warp_i] <= in_len + LEN_ONE;
      if (request) block_q[in_block] <= in_held + 13'd1;
    end
  end

`ifndef SYNTHESIS
  // Reset does not clear the lists, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < 64 * RING; w = w + 1) list_q[w] = {(DATA_W + 1) {1'b0}};
  end
`endif
endmodule
`default_nettype wire
