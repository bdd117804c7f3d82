// SPDX-License-Identifier: Apache-2.0
// No store stands still: in any 4 cycles in which a store is in flight, something moves, or it waits
// for memory.
wire g_moves = (head_valid && head_ready) || (ar_valid_o && ar_ready_i) || (aw_valid_o && aw_ready_i)
            || (w_valid_o && w_ready_i);
wire g_waits = (ar_valid_o && !ar_ready_i) || (aw_valid_o && !aw_ready_i) || (w_valid_o && !w_ready_i)
            || m_count != 0;
reg [2:0] g_still;
always @(posedge clk_i) g_still <= (srst_ni && flight_valid && !g_moves && !g_waits) ? g_still + 1'b1 : 3'd0;
always @* if (f_live) begin
  store_moves: assert (g_still < 3);
  // Full: the stores that have the entries are in the MRPB or behind it.
  entries_are_behind: assert (put_ready || held != 0 || head_valid || !axi_idle);
end
