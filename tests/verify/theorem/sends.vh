// SPDX-License-Identifier: Apache-2.0
// No store stands still: in each cycle in which one is in flight, something moves, or it waits for
// memory.
wire g_moves = (head_valid && head_ready) || (ar_valid_o && ar_ready_i) || (aw_valid_o && aw_ready_i)
            || (w_valid_o && w_ready_i);
wire g_waits = (ar_valid_o && !ar_ready_i) || (aw_valid_o && !aw_ready_i) || (w_valid_o && !w_ready_i)
            || m_count != 0;
always @* if (f_live) begin
  store_moves: assert (!flight_valid || g_moves || g_waits);
  // Full: the stores that have the entries are in the MRPB or behind it.
  entries_are_behind: assert (put_ready || held != 0 || head_valid || !axi_idle);
end
