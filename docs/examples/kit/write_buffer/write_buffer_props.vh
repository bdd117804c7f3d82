// SPDX-License-Identifier: Apache-2.0
// What write_buffer promises, of any one line f_line and any one byte f_byte of it.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

// Lines held, counted at the ports.
reg [7:0] f_n;
wire f_store = wr_valid_i && wr_ready_o && !wr_merge_o;
wire f_leave = out_ready_i && out_valid_o;
always @(posedge clk_i)
  if (!srst_ni) f_n <= 0;
  else f_n <= f_n + f_store - f_leave;

integer f_i;
reg [7:0] f_held;
reg       f_ring;
reg [PTR_W:0] f_at;
always @* begin
  f_held = 0;
  for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1) f_held = f_held + valid_q[f_i];
  f_ring = 1'b1;
  for (f_i = 0; f_i < ENTRIES; f_i = f_i + 1) begin
    f_at = head_q + f_i;
    if (f_at >= ENTRIES) f_at = f_at - ENTRIES;
    if (valid_q[f_at] != (f_i < f_held)) f_ring = 1'b0;
  end
  f_at = head_q + f_held;
  if (f_at >= ENTRIES) f_at = f_at - ENTRIES;
  if (head_q >= ENTRIES || tail_q != f_at) f_ring = 1'b0;
end

// What is offered stays until it is taken.
reg               f_offered;
reg [ADDR_W-1:0]  f_addr;
reg [BYTES-1:0]   f_mask;
reg [8*BYTES-1:0] f_data;
always @(posedge clk_i) begin
  f_offered <= srst_ni && out_valid_o && !out_ready_i;
  f_addr    <= out_addr_o;
  f_mask    <= out_mask_o;
  f_data    <= out_data_o;
end

always @* if (f_live) begin
  inv_held: assert (f_n == f_held);
  inv_ring: assert (f_ring);
  holds_at_most_entries: assert (f_n <= ENTRIES);
  offers_iff_held: assert (out_valid_o == (f_n > 0));
  refuses_only_when_full: assert (wr_ready_o || f_n == ENTRIES);
  merges_are_accepted: assert (!wr_merge_o || wr_ready_o);
  offered_stays: assert (!f_offered || (out_valid_o && out_addr_o == f_addr && out_mask_o == f_mask && out_data_o == f_data));
  oldest_is_read: assert (!out_valid_o || rd_addr_i != out_addr_o || (rd_mask_o & out_mask_o) == out_mask_o);
  reached_full: cover (f_n == ENTRIES);
end
