// SPDX-License-Identifier: Apache-2.0
// A table of misses whose lines arrive late, and whose answers leave late, by random times: the
// project's MSHR table between two queues. fault_i plants a fault; 0 plants none.
module slow_mshr #(
    parameter ENTRIES = 4,
    parameter MERGES = 3,
    parameter ADDR_W = 6,
    parameter DATA_W = 8
) (
    input                        clk_i,
    input                        srst_ni,
    input                        req_valid_i,
    input  [         ADDR_W-1:0] req_addr_i,
    input  [         DATA_W-1:0] req_data_i,
    output                       req_ready_o,
    output                       req_merge_o,
    output [$clog2(ENTRIES)-1:0] req_entry_o,
    input                        fill_valid_i,
    input  [$clog2(ENTRIES)-1:0] fill_entry_i,
    output                       out_valid_o,
    output [         DATA_W-1:0] out_data_o,
    input                        out_ready_i,
    input  [                4:0] fault_i
);
  localparam E = $clog2(ENTRIES);
  reg [15:0] random;
  reg [3:0] fill_wait, answer_wait;
  reg [E-1:0] fills[0:ENTRIES-1];
  reg [E:0] fill_n;
  reg [E-1:0] fill_head;
  reg [DATA_W-1:0] answer, last;
  reg answer_v;
  reg [5:0] n; // answers
  wire fill_now = fill_n != 0 && fill_wait == 0;
  wire table_valid, table_take = !answer_v && table_valid;
  wire [DATA_W-1:0] table_data;
  assign out_valid_o = answer_v && answer_wait == 0;
  assign out_data_o = answer;
  wire leaves = out_valid_o && out_ready_i;
  // ---- faults ----
  wire lose_fill = fault_i == 15 && fill_valid_i && n == 40;
  wire lose_read = fault_i == 16 && req_valid_i && req_merge_o && n == 30;
  wire lose_answer = fault_i == 17 && table_take && fill_valid_i && n[3:0] == 6;
  wire twice = fault_i == 18 && leaves && req_valid_i && n[4:0] == 11;
  wire wrong = fault_i == 19 && table_take && random[3:0] == 5;
  wire older = fault_i == 20 && table_take && n == 25;
  mshr #(
      .ENTRIES(ENTRIES),
      .MERGES (MERGES),
      .ADDR_W (ADDR_W),
      .DATA_W (DATA_W)
  ) u_table (
      .clk_i(clk_i),
      .srst_ni(srst_ni),
      .req_valid_i(req_valid_i && !lose_read),
      .req_addr_i(req_addr_i),
      .req_data_i(req_data_i),
      .fill_valid_i(fill_now),
      .fill_entry_i(fills[fill_head]),
      .out_ready_i(table_take),
      .store_valid_i(1'd0),
      .store_addr_i({ADDR_W{1'd0}}),
      .req_ready_o(req_ready_o),
      .req_merge_o(req_merge_o),
      .req_refuse_o(),
      .req_entry_o(req_entry_o),
      .fill_err_o(),
      .out_valid_o(table_valid),
      .out_data_o(table_data),
      .out_entry_o(),
      .out_last_o(),
      .count_o(),
      .fill_written_o(),
      .store_hit_o(),
      .store_entry_o(),
      .error_o()
  );
  wire [E:0] fill_at = fill_head + fill_n;
  always @(posedge clk_i) begin
    random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
    if (fill_valid_i && !lose_fill) fills[fill_at[E-1:0]] <= fill_entry_i;
    fill_n <= fill_n + (fill_valid_i && !lose_fill) - fill_now;
    if (fill_now) fill_head <= fill_head + 1'd1;
    fill_wait <= fill_now ? random[3:0] : fill_wait - (fill_wait != 0);
    if (table_take && !lose_answer) begin
      answer <= older ? last : wrong ? table_data ^ 1'd1 : table_data;
      answer_v <= 1'd1;
      answer_wait <= random[9:6];
    end else if (answer_wait != 0) answer_wait <= answer_wait - 1'd1;
    if (leaves) begin
      answer_v <= twice;
      last <= answer;
      n <= n + 1'd1;
    end
    if (!srst_ni) begin
      {fill_n, fill_head, fill_wait, answer_v, answer_wait, n} <= 0;
      random <= 16'hace1;
    end
  end
endmodule
