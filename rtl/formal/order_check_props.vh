// SPDX-License-Identifier: Apache-2.0
// Properties of order_check, told for any one warp f_w and any one block counter f_b: the errors are
// those of a list that is written down from the ports alone. Labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [5:0]         f_w;
(* anyconst *) wire [BLOCK_W-1:0] f_b;
wire f_leave = out_valid_i && out_warp_i == f_w;
wire f_enter = in_valid_i && in_kind_i < 2'd2 && in_warp_i == f_w;
wire f_in_b  = in_valid_i && (in_block_i == f_b || (f_b == BLOCKS - 1 && in_block_i >= BLOCKS));
wire f_out_b = out_valid_i && (out_block_i == f_b || (f_b == BLOCKS - 1 && out_block_i >= BLOCKS));

// The warp's requests, the oldest in f_list[0]; the block's count.
reg [DATA_W:0]  f_list [0:DEPTH];
reg [LEN_W-1:0] f_n;
reg [12:0]      f_held;
wire             f_pop   = f_leave && f_n != 0;
wire [LEN_W-1:0] f_left  = f_n - f_pop;
wire             f_push  = f_enter && f_left <= DEPTH;
wire [12:0]      f_still = f_held - (f_out_b && f_held != 0);
integer f_i;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_n    <= 0;
    f_held <= 0;
  end else begin
    for (f_i = 0; f_i <= DEPTH; f_i = f_i + 1) begin
      if (f_pop && f_i < DEPTH) f_list[f_i] <= f_list[f_i+1];
      if (f_push && f_left == f_i) f_list[f_i] <= {in_kind_i[0], in_data_i};
    end
    f_n    <= f_left + f_push;
    f_held <= f_still + (f_in_b && in_kind_i < 2'd2);
  end
end

// Warp by warp and block by block, so that every index but f_w's comparison is a constant.
integer         f_j;
reg [PTR_W+1:0] f_at;
reg             f_same, f_block_same;
always @* begin
  f_same       = (f_n <= DEPTH + 1);
  f_block_same = 1'b1;
  for (f_j = 0; f_j < 64; f_j = f_j + 1) if (f_w == f_j) begin
    f_at = head_q[f_j];
    if (len_q[f_j] != f_n || f_at > DEPTH) f_same = 1'b0;
    for (f_i = 0; f_i <= DEPTH; f_i = f_i + 1) begin
      if (f_i < f_n && list_q[f_j*RING+f_at] != f_list[f_i]) f_same = 1'b0;
      f_at = (f_at == DEPTH) ? 0 : f_at + 1'b1;
    end
  end
  for (f_j = 0; f_j < BLOCKS; f_j = f_j + 1) if (f_b == f_j && block_q[f_j] != f_held) f_block_same = 1'b0;
end
always @* if (f_live) begin
  inv_list: assert (f_same);
  inv_block: assert (f_block_same);
  order_error_iff_not_oldest: assert (!f_leave
                                      || order_err_o == (f_n == 0 || f_list[0] != {out_write_i, out_data_i}));
  overflow_iff_full: assert (!(in_valid_i && in_warp_i == f_w)
                             || overflow_err_o == (in_kind_i < 2'd2 && f_left > DEPTH));
  barrier_error_iff_held: assert (f_b >= BLOCKS || !f_in_b
                                  || barrier_err_o == (in_kind_i >= 2'd2 && f_still != 0));
  silent_without_event: assert ((out_valid_i || !order_err_o) && (in_valid_i || (!barrier_err_o && !overflow_err_o)));
  reached_full: cover (f_n == DEPTH + 1 && !overflow_err_o);
  reached_leave: cover (f_leave && !order_err_o && f_n > 1);
end
