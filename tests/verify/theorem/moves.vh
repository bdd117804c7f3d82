// SPDX-License-Identifier: Apache-2.0
// Nothing stands still: in any G_MOST cycles in which the path has something to do, something moves, or
// it waits for memory, for a store in flight, or for the core.
localparam integer G_MOST = LATENCY + 2;
wire g_moves = sent || event_o[4:0] != 0 || flush_done_o
            || (head_valid && head_ready) || (ar_valid_o && ar_ready_i) || (aw_valid_o && aw_ready_i)
            || (w_valid_o && w_ready_i) || r_valid_i || write_valid
            || (hit_valid && hit_ready) || (drain_valid && drain_ready)
            || (bypass_drain_valid && bypass_drain_ready) || start
            || (align_valid && response_ready) || (out_valid_o && out_ready_i);
wire g_waits = (ar_valid_o && !ar_ready_i) || (aw_valid_o && !aw_ready_i) || (w_valid_o && !w_ready_i)
            || f_rd != 0 || find || !flight_ready || (out_valid_o && !out_ready_i);
// The coalescer may wait for a free entry of the store buffer. Then the stores that have the entries
// are in the MRPB or behind it (sends.vh), and it is they that must move.
wire g_blocked = coal_valid && coal_write && !put_ready;
wire g_busy = (!g_blocked && (!coalescer_idle || p_busy)) || held != 0 || mshr_count != 0
           || bypass_count != 0 || hit_valid || head_valid || !axi_idle || !reply_idle || align_valid
           || out_valid_o;
(* hierconn *) wire \u_align.more_q ;
(* hierconn *) wire [((BLOCKS > 1) ? $clog2(BLOCKS) : 1)-1:0] \u_mrpb.f_b ;
always @* assume (\u_mrpb.f_b < BLOCKS);
reg [4:0] g_still;
always @(posedge clk_i) g_still <= (srst_ni && g_busy && !g_moves && !g_waits) ? g_still + 1'b1 : 5'd0;
always @* if (f_live) begin
  started_is_half: assert (r_started == \u_align.more_q );
  something_moves: assert (g_still < G_MOST);
end
