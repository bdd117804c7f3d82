// SPDX-License-Identifier: Apache-2.0
// Properties of reg_fifo, told for any one entry (the witness) and any one key f_key. Shadows (f_*)
// follow from the ports alone; labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam F_KEY_W = (FIND_W > 0) ? FIND_W : 1;
(* anyconst *) wire [F_KEY_W-1:0] f_key;
(* anyseq *)   wire               f_pick;
wire f_comes  = in_valid_i && in_ready_o;
wire f_leaves = out_valid_o && out_ready_i;

// An entry as the search sees it: as wide as the wider of entry and key.
localparam F_WIDE = (F_KEY_W > DATA_W) ? F_KEY_W : DATA_W;
wire [F_WIDE-1:0] f_in  = in_data_i;
wire [F_WIDE-1:0] f_out = out_data_o;
wire f_in_has  = f_in[F_KEY_W-1:0] == f_key;
wire f_out_has = f_out[F_KEY_W-1:0] == f_key;

// How many entries the queue holds, and how many of them have the key. The witness: its data, and how many entries leave before it.
reg [COUNT_W-1:0] f_n, f_with;
reg               f_waits, f_done;
reg [COUNT_W-1:0] f_ahead;
reg [DATA_W-1:0]  f_data;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_n     <= 0;
    f_with  <= 0;
    f_waits <= 1'b0;
    f_done  <= 1'b0;
    f_ahead <= 0;
  end else begin
    f_n    <= f_n + f_comes - f_leaves;
    f_with <= f_with + (f_comes && f_in_has) - (f_leaves && f_out_has);
    if (f_comes && f_pick && !f_waits && !f_done) begin
      f_waits <= 1'b1;
      f_ahead <= f_n - f_leaves;
      f_data  <= in_data_i;
    end else if (f_waits && f_leaves) begin
      f_waits <= f_ahead != 0;
      f_done  <= f_ahead == 0;
      if (f_ahead != 0) f_ahead <= f_ahead - 1'b1;
    end
  end
end

// What was offered in the cycle before, and was not taken.
reg              f_had_entry, f_had_room;
reg [DATA_W-1:0] f_was_data;
always @(posedge clk_i) begin
  f_had_entry <= srst_ni && out_valid_o && !out_ready_i;
  f_had_room  <= srst_ni && in_ready_o && !in_valid_i;
  f_was_data  <= out_data_o;
end

// The same in the registers.
integer           f_i;
reg               f_shape;
reg [COUNT_W-1:0] f_keys;
reg [COUNT_W:0]   f_behind, f_tail, f_place;
reg [F_WIDE-1:0]  f_entry;
always @* begin
  f_tail  = head_q + count_q;
  f_place = head_q + f_ahead;
  if (f_tail >= DEPTH) f_tail = f_tail - DEPTH;
  if (f_place >= DEPTH) f_place = f_place - DEPTH;
  f_shape = head_q < DEPTH && count_q <= DEPTH && tail_q == f_tail;
  f_keys  = 0;
  for (f_i = 0; f_i < DEPTH; f_i = f_i + 1) begin
    f_behind = (f_i >= head_q) ? f_i - head_q : f_i + DEPTH - head_q;
    if (held_q[f_i] != (f_behind < count_q)) f_shape = 1'b0;
    f_entry = data_q[f_i];
    if (held_q[f_i] && f_entry[F_KEY_W-1:0] == f_key) f_keys = f_keys + 1'b1;
  end
end

always @* if (f_live) begin
  inv_shape: assert (f_shape);
  inv_count: assert (f_n == count_q);
  inv_keys: assert (f_with == f_keys);
  inv_place: assert (!f_waits || (f_ahead < f_n && data_q[f_place] == f_data));
  held_at_most_depth: assert (f_n <= DEPTH);
  accepts_iff_room: assert (in_ready_o == (f_n < DEPTH));
  offers_iff_entry: assert (out_valid_o == (f_n != 0));
  counts: assert (count_o == f_n);
  nothing_lost: assert (!f_waits || f_ahead < f_n);
  in_order_with_its_data: assert (!f_waits || f_ahead != 0 || out_data_o == f_data);
  zero_without_entry: assert (out_valid_o || out_data_o == 0);
  finds_iff_held: assert (FIND_W == 0 ? !find_o : find_i != f_key || find_o == (f_with != 0));
  holds_out_valid_o: assert (!f_had_entry || out_valid_o);
  holds_out_data_o: assert (!f_had_entry || out_data_o == f_was_data);
  holds_in_ready_o: assert (!f_had_room || in_ready_o);
  reached_full: cover (f_n == DEPTH);
  reached_return: cover (f_done && (FIND_W == 0 || (find_o && f_with == 1)));
end
