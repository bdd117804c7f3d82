// SPDX-License-Identifier: Apache-2.0
// Misses in sets: the low bits of the line choose a set, its ways are compared. A fill brings the line's address; its
// reads leave one a cycle, and meanwhile the line takes no more of them.
module set_miss #(
    parameter SETS = 2,
    parameter WAYS = 2,
    parameter TGT = 4,
    parameter AW = 8,
    parameter TW = 8
) (
    input  logic          clk,
    input  logic          srst,
    input  logic          lookup_en,
    input  logic [AW-1:0] lookup_line,
    input  logic [TW-1:0] lookup_tgt,
    output logic          lookup_ok,
    output logic          lookup_secondary,
    output logic [1:0]    lookup_why,
    output logic          fetch_valid,
    output logic [AW-1:0] fetch_line,
    input  logic          fetch_ready,
    input  logic          data_valid,
    input  logic [AW-1:0] data_line,
    output logic          data_ready,
    output logic          wb_valid,
    output logic [TW-1:0] wb_tgt,
    output logic [AW-1:0] wb_line,
    input  logic          wb_ready,
    output logic          pending
);
  localparam N = SETS * WAYS;
  localparam CW = $clog2(TGT + 1);
  logic [N-1:0] vld_q, sent_q, done_q;
  logic [AW-1:0] line_q[N];
  logic [CW-1:0] cnt_q[N], out_q[N];
  logic [TW-1:0] tgt_q[N*TGT];

  // What a look-up finds in its set.
  logic hit, room;
  integer hit_i, room_i, i;
  always_comb begin
    hit = 1'b0;
    room = 1'b0;
    hit_i = 0;
    room_i = 0;
    for (i = 0; i < N; i = i + 1) begin
      if (vld_q[i] && line_q[i] == lookup_line) begin
        hit = 1'b1;
        hit_i = i;
      end
      if (!vld_q[i] && i % SETS == lookup_line % SETS) begin
        room = 1'b1;
        room_i = i;
      end
    end
    lookup_why = 2'd0;
    if (hit && done_q[hit_i]) lookup_why = 2'd3;
    else if (hit && cnt_q[hit_i] == CW'(TGT)) lookup_why = 2'd2;
    else if (!hit && !room) lookup_why = 2'd1;
    if (hit && data_valid && data_ready && data_line == lookup_line) lookup_why = 2'd3;
    lookup_ok = lookup_why == 2'd0;
    lookup_secondary = hit;
  end

  // The fetch and the line that leaves are kept until they are taken.
  logic fetch_q, wb_q;
  integer fetch_i, wb_i, f, pick, b;
  logic pick_any, back_any;
  integer back_i;
  always_comb begin
    pick_any = 1'b0;
    pick = 0;
    for (f = 0; f < N; f = f + 1)
      if (vld_q[f] && !sent_q[f] && !(fetch_q && fetch_i == f)) begin
        pick_any = 1'b1;
        pick = f;
      end
    back_any = 1'b0;
    back_i = 0;
    for (b = 0; b < N; b = b + 1)
      if (vld_q[b] && line_q[b] == data_line) begin
        back_any = 1'b1;
        back_i = b;
      end
  end
  assign fetch_valid = fetch_q;
  assign fetch_line = line_q[fetch_i];
  assign data_ready = !wb_q;
  assign wb_valid = wb_q;
  assign wb_tgt = tgt_q[wb_i*TGT+out_q[wb_i]];
  assign wb_line = line_q[wb_i];
  assign pending = |vld_q;

  always_ff @(posedge clk) begin
    if (wb_q && wb_ready) out_q[wb_i] <= out_q[wb_i] + 1'b1;
    if (lookup_en && lookup_ok && !hit) out_q[room_i] <= '0;
  end

  always_ff @(posedge clk) begin
    if (!fetch_q || fetch_ready) begin
      fetch_q <= pick_any;
      fetch_i <= pick;
    end
    if (fetch_q && fetch_ready) sent_q[fetch_i] <= 1'b1;
    if (wb_q && wb_ready) begin
      if (out_q[wb_i] + 1'b1 == cnt_q[wb_i]) begin
        vld_q[wb_i] <= 1'b0;
        wb_q <= 1'b0;
      end
    end
    if (data_valid && data_ready && back_any) begin
      done_q[back_i] <= 1'b1;
      wb_q <= 1'b1;
      wb_i <= back_i;
    end
    if (lookup_en && lookup_ok) begin
      if (hit) begin
        tgt_q[hit_i*TGT+cnt_q[hit_i]] <= lookup_tgt;
        cnt_q[hit_i] <= cnt_q[hit_i] + 1'b1;
      end else begin
        vld_q[room_i] <= 1'b1;
        sent_q[room_i] <= 1'b0;
        done_q[room_i] <= 1'b0;
        line_q[room_i] <= lookup_line;
        cnt_q[room_i] <= CW'(1);
        tgt_q[room_i*TGT] <= lookup_tgt;
      end
    end
    if (srst) begin
      vld_q <= '0;
      fetch_q <= 1'b0;
      wb_q <= 1'b0;
    end
  end
endmodule
