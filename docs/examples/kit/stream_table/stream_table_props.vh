// SPDX-License-Identifier: Apache-2.0
// What stream_table promises.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

// Accesses that went on a stream since the streams were forgotten: no prefetch before TRUST of them.
reg [3:0] f_hits;
reg       f_waits;
reg [ADDR_W-1:0] f_line, f_last;
reg       f_had;  // an access came in the cycle before, no flush, no reset
always @(posedge clk_i) begin
  f_waits <= srst_ni && pf_valid_o && !pf_ready_i;
  f_line  <= pf_line_o;
  f_had   <= srst_ni && acc_valid_i && !flush_i;
  f_last  <= acc_line_i;
  if (!srst_ni || flush_i) f_hits <= 0;
  else if (acc_valid_i && hit_o && f_hits != 4'd15) f_hits <= f_hits + 1'b1;
end

integer f_i;
reg f_trust;
always @* begin
  f_trust = 1'b1;
  for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1)
    if (valid_q[f_i] && (trust_q[f_i] > f_hits || trust_q[f_i] > TRUST)) f_trust = 1'b0;
end

wire [ADDR_W-1:0] f_next = f_last + 1'b1;
always @* if (f_live) begin
  inv_trust: assert (f_trust);
  request_stays: assert (!f_waits || (pf_valid_o && pf_line_o == f_line));
  asks_after_trust: assert (!drop_o || f_hits >= TRUST);
  drops_only_when_waiting: assert (!drop_o || (pf_valid_o && !pf_ready_i && hit_o && acc_valid_i));
  not_both: assert (!hit_o || !repeat_o);
  follows: assert (!f_had || acc_line_i != f_next || hit_o);
  knows_the_last: assert (!f_had || acc_line_i != f_last || hit_o || repeat_o);
  reached_request: cover (pf_valid_o);
  reached_drop: cover (drop_o);
end
