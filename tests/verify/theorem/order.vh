// SPDX-License-Identifier: Apache-2.0
// The order of loads and stores of the byte. One warp, f_warp, is the only one that stores it, and no
// instruction stores it from two lanes. f_val is what the byte is after all stores that have entered,
// f_dec after those that the control has taken, f_mem in memory.
localparam integer F_QUEUES = QUEUES;
localparam integer F_STORES = 1 << STORE_W;
reg [LANES-1:0] f_stores_it;
reg             f_new;
integer x;
always @* begin
  f_stores_it = 0;
  f_new       = 1'b0;
  for (x = 0; x < LANES; x = x + 1)
    if (in_mask_i[x] && in_line_i[x*ADDR_W+:ADDR_W] == f_line && in_word_i[x*WORD_W+:WORD_W] == f_word
        && in_bytes_i[x*4]) begin
      f_stores_it[x] = 1'b1;
      f_new = in_data_i[x*32];
    end
end
always @* if (store_enters && f_stores_it != 0)
  assume (in_warp_i == f_warp && (f_stores_it & (f_stores_it - 1'b1)) == 0);

reg                f_val, f_dec, w_want;
reg [LANES-1:0]    f_s_lanes;          // of the last store that entered: the lane that stores the byte
reg                f_s_val;
reg [F_STORES-1:0] f_has, f_value;     // of each entry of the store buffer
wire [ENTRY_W-1:0] f_a_entry = \u_control.a_entry_q ;
wire [STORE_W-1:0] f_taken   = f_a_entry[STORE_W-1:0];
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_val <= f_mem;
    f_dec <= f_mem;
  end else begin
    if (store_enters && f_stores_it != 0) f_val <= f_new;
    if (event_o[4] && f_has[f_taken]) f_dec <= f_value[f_taken];
  end
  if (store_enters) begin
    f_s_lanes <= f_stores_it;
    f_s_val   <= f_new;
  end
  if (sent && coal_write) begin
    f_has[put_entry]   <= (coal_lanes & f_s_lanes) != 0;
    f_value[put_entry] <= f_s_val;
  end
  if (f_comes) w_want <= f_val;
end

// What the requests on their way make of the byte, in their order.
localparam integer F_AHEAD = 2 + 1 + DEPTH;
reg                f_v, f_ok, f_fits, f_free;
reg [31:0]         y_at;
reg [F_ITEM_W-1:0] y_item;
wire f_out_stores  = coal_valid && coal_write;
wire f_left_stores = c_left != 0 && c_write;
integer y, z;
always @* begin
  f_v    = f_dec;
  f_ok   = 1'b1;
  f_fits = 1'b1;
  f_free = 1'b1;
  for (y = 0; y < F_AHEAD; y = y + 1) begin
    y_at   = (y < 3) ? y : 3 + (f_warp % QUEUES) * DEPTH + y - 3;
    y_item = h_item >> (y_at * F_ITEM_W);
    if (h_valid[y_at]) begin
      if (y_item[F_ITEM_W-1]) begin
        if (f_has[y_item[ADDR_W+:STORE_W]]) f_v = f_value[y_item[ADDR_W+:STORE_W]];
      end else if (w_waits && w_at && y_item[ADDR_W+:REQ_W] == f_name && f_v != w_want) f_ok = 1'b0;
    end
  end
  if (f_out_stores && (coal_lanes & f_s_lanes) != 0) f_v = f_s_val;
  if (f_out_mine && coal_lanes[f_lane] && f_w && f_in_prt && w_at && f_v != w_want) f_ok = 1'b0;
  if (f_left_stores && (c_left & f_s_lanes) != 0) f_v = f_s_val;
  if (f_left_mine && c_left[f_lane] && f_w && f_in_prt && w_at && f_v != w_want) f_ok = 1'b0;
  if (w_waits && w_at && f_in && w_got != w_want) f_ok = 1'b0;
  // Each store on its way that has the byte is one of the warp, to the line, and has its entry alone.
  for (y = 0; y < F_HELD; y = y + 1) begin
    y_item = h_item[y*F_ITEM_W+:F_ITEM_W];
    if (h_valid[y] && y_item[F_ITEM_W-1]) begin
      if (f_has[y_item[ADDR_W+:STORE_W]] && (y_item[0+:ADDR_W] != f_line || y_item[DATA_W+6+:6] != f_warp)) f_fits = 1'b0;
      if (sent && coal_write && y_item[ADDR_W+:STORE_W] == put_entry) f_free = 1'b0;
      for (z = 0; z < y; z = z + 1)
        if (h_valid[z] && h_item[z*F_ITEM_W+F_ITEM_W-1]
            && h_item[z*F_ITEM_W+ADDR_W+:STORE_W] == y_item[ADDR_W+:STORE_W]) f_fits = 1'b0;
    end
    if (h_valid[y] && !y_item[F_ITEM_W-1] && w_waits && y_item[ADDR_W+:REQ_W] == f_name
        && y_item[DATA_W+6+:6] != f_warp) f_fits = 1'b0;
  end
  for (y = 0; y < LANES; y = y + 1) begin
    if (f_out_stores && coal_lanes[y] && f_s_lanes[y] && (coal_line != f_line || coal_warp != f_warp)) f_fits = 1'b0;
    if (f_left_stores && c_left[y] && f_s_lanes[y]
        && (c_line[y*ADDR_W+:ADDR_W] != f_line || c_info[PRT_W+12+:6] != f_warp)) f_fits = 1'b0;
  end
  if (f_in_prt && f_w && ((f_out_mine && coal_warp != f_warp) || (f_left_mine && c_info[PRT_W+12+:6] != f_warp)))
    f_fits = 1'b0;
end
always @* if (f_live) begin
  assume (f_free);                 // the store buffer gives an entry that no request on its way has
  assume (f_fly || f_mem == f_dec);  // memory has what was stored, if no store of the line is in flight
  one_store_enters: assert (store_open_q == (f_out_stores || f_left_stores));
  store_is_whole: assert (!f_out_stores || coal_last == !f_left_stores);
  stores_fit: assert (f_fits);
  order_of_witness: assert (f_ok);
  order_of_stores: assert (f_v == f_val);
  want_is_kept: assert (!(f_w && w_at && w_sent && w_number == f_n) || (f_in_prt && p_wait[f_lane]) || w_got == w_want);
  // The theorem: the byte that a lane gets is the one that the last store before it has stored.
  right_byte: assert (!(f_out && f_w && w_at && w_number == f_n && out_mask_o[f_lane])
                      || out_data_o[f_lane*32] == w_want);
end
