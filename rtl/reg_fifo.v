// SPDX-License-Identifier: Apache-2.0
// reg_fifo - a queue in registers, which can be asked whether an entry has a key.
// C twin: cmodel/reg_fifo.c   Page: docs/modules/reg_fifo.md
// Timing: an entry comes and an entry leaves each cycle; offered from the cycle after it came.
`default_nettype none
module reg_fifo #(
  // bits of an entry
  parameter integer DATA_W = 64,
  // entries that the queue can hold
  parameter integer DEPTH  = 8,
  // bits of the key, the low bits of an entry; 0: the queue is not asked
  parameter integer FIND_W = 0,
  // 1 with a parity bit for every register and word, and error_o; 0 without
  parameter integer PARITY = 0
) (
  // clock
  input  wire                                   clk_i,
  // synchronous reset, active low
  input  wire                                   srst_ni,
  // an entry is offered; it need not hold until in_ready_o
  input  wire                                   in_valid_i,
  // that entry
  input  wire [DATA_W-1:0]                      in_data_i,
  // the entry on out_data_o is taken in this cycle
  input  wire                                   out_ready_i,
  // the key that is searched for
  input  wire [((FIND_W > 0) ? FIND_W : 1)-1:0] find_i,
  // the queue holds fewer than DEPTH entries; it holds until in_valid_i
  output wire                                   in_ready_o,
  // the queue holds an entry; it holds until out_ready_i
  output wire                                   out_valid_o,
  // the oldest entry; it holds until out_ready_i; 0 without one
  output wire [DATA_W-1:0]                      out_data_o,
  // an entry that is held has the key find_i; FIND_W 0: 0
  output wire                                   find_o,
  // entries held at the start of the cycle
  output wire [$clog2(DEPTH+1)-1:0]             count_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                   error_o
);
  localparam PTR_W   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam COUNT_W = $clog2(DEPTH + 1);

  localparam integer       LAST       = DEPTH - 1;
  localparam [PTR_W-1:0]   PTR_LAST   = LAST[PTR_W-1:0];
  localparam [PTR_W-1:0]   PTR_ONE    = 1;
  localparam [COUNT_W-1:0] COUNT_FULL = DEPTH[COUNT_W-1:0];
  localparam [COUNT_W-1:0] COUNT_ONE  = 1;
  localparam [DEPTH-1:0]   PLACE_0    = 1;

  generate
    if (DATA_W < 1 || DATA_W > 1200) begin : gen_bad_data_w
      ERROR_reg_fifo_DATA_W_must_be_1_to_1200 u_error ();
    end
    if (DEPTH < 1 || DEPTH > 64) begin : gen_bad_depth
      ERROR_reg_fifo_DEPTH_must_be_1_to_64 u_error ();
    end
    if (FIND_W < 0 || FIND_W > 64) begin : gen_bad_find_w
      ERROR_reg_fifo_FIND_W_must_be_0_to_64 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_reg_fifo_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg [PTR_W-1:0]   head_q;
  reg [PTR_W-1:0]   tail_q;
  reg [COUNT_W-1:0] count_q;
  reg [DEPTH-1:0]   held_q;
  (* mem2reg *) reg [DATA_W-1:0] data_q [0:DEPTH-1];

  assign in_ready_o  = (count_q != COUNT_FULL);
  assign out_valid_o = |count_q;
  assign out_data_o  = out_valid_o ? data_q[head_q] : {DATA_W{1'b0}};
  assign count_o     = count_q;

  wire comes  = in_valid_i && in_ready_o;
  wire leaves = out_ready_i && out_valid_o;

  // The pointers of the next cycle are known before it is known which of them move.
  wire [PTR_W-1:0] head_inc = (head_q == PTR_LAST) ? {PTR_W{1'b0}} : head_q + PTR_ONE;
  wire [PTR_W-1:0] tail_inc = (tail_q == PTR_LAST) ? {PTR_W{1'b0}} : tail_q + PTR_ONE;
  wire [PTR_W-1:0] head_d   = leaves ? head_inc : head_q;
  wire [PTR_W-1:0] tail_d   = comes ? tail_inc : tail_q;
  wire [COUNT_W-1:0] count_d = (comes && !leaves) ? count_q + COUNT_ONE
                             : (leaves && !comes) ? count_q - COUNT_ONE : count_q;
  wire [DEPTH-1:0] held_d   = (held_q & ~(leaves ? PLACE_0 << head_q : {DEPTH{1'b0}}))
                            | (comes ? PLACE_0 << tail_q : {DEPTH{1'b0}});
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      head_q  <= {PTR_W{1'b0}};
      tail_q  <= {PTR_W{1'b0}};
      count_q <= {COUNT_W{1'b0}};
      held_q  <= {DEPTH{1'b0}};
    end else begin
      head_q  <= head_d;
      tail_q  <= tail_d;
      count_q <= count_d;
      held_q  <= held_d;
    end
  end

  always @(posedge clk_i) begin
    if (srst_ni && comes) data_q[tail_q] <= in_data_i;
  end

  // The search: every place compares its own key. An entry that is narrower than the key is
  // extended with zeros.
  genvar g;
  generate
    if (FIND_W > 0) begin : gen_find
      wire [DEPTH-1:0] same;
      for (g = 0; g < DEPTH; g = g + 1) begin : gen_place
        wire [FIND_W-1:0] key;
        if (FIND_W > DATA_W) begin : gen_narrow
          assign key = {{(FIND_W - DATA_W) {1'b0}}, data_q[g]};
        end else begin : gen_wide
          assign key = data_q[g][FIND_W-1:0];
        end
        assign same[g] = (key == find_i);
      end
      assign find_o = |(held_q & same);
    end else begin : gen_no_find
      wire unused_find = &{1'b0, find_i};
      assign find_o = 1'b0;
    end
  endgenerate

  // Parity: a bit for each register and each word, written with it. With a search every entry that
  // is held is used in every cycle, and without one only the oldest.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  [3:0]       state_par_q;
      reg  [DEPTH-1:0] data_par_q;
      wire             wrong;
      always @(posedge clk_i) begin
        state_par_q <= srst_ni ? {^held_d, ^count_d, ^tail_d, ^head_d} : 4'd0;
        if (srst_ni && comes) data_par_q[tail_q] <= ^in_data_i;
      end
      if (FIND_W > 0) begin : gen_all
        wire [DEPTH-1:0] data_now;
        for (g = 0; g < DEPTH; g = g + 1) begin : gen_now
          assign data_now[g] = ^data_q[g];
        end
        assign wrong = |(held_q & (data_now ^ data_par_q));
      end else begin : gen_oldest
        assign wrong = out_valid_o && (data_par_q[head_q] != ^out_data_o);
      end
      assign error_o = (state_par_q != {^held_q, ^count_q, ^tail_q, ^head_q}) || wrong;
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  // Reset does not clear the entries, and hardware powers up with anything in
  // them: 0 here, as in the C model, so that both can be compared from the first cycle on.
  initial begin : power_up
    integer w;
    for (w = 0; w < DEPTH; w = w + 1) data_q[w] = {DATA_W{1'b0}};
  end
`endif
endmodule
`default_nettype wire
