// SPDX-License-Identifier: Apache-2.0
// Properties of flush_control: the rules of the MRPB paper, section 3.3, one after the other.
integer f_i;
reg     f_full;   // of the queue that is asked for; one that does not exist is full and not empty
reg     f_empty;
always @* begin
  f_full  = 1'b1;
  f_empty = 1'b0;
  for (f_i = 0; f_i < QUEUES; f_i = f_i + 1)
    if (in_queue_i == f_i) begin
      f_full  = full_i[f_i];
      f_empty = empty_i[f_i];
    end
end
wire f_read    = in_valid_i && in_kind_i == 2'd0;
wire f_write   = in_valid_i && in_kind_i == 2'd1;
wire f_barrier = in_valid_i && in_kind_i >= 2'd2;
always @* begin
  nothing_without_offer: assert (in_valid_i || !(in_ready_o || store_o || pass_o || force_valid_o));
  read_is_stored: assert (!f_read || (store_o == !f_full && !pass_o && in_ready_o == store_o));
  write_is_stored: assert (!f_write || FLUSH != 0 || (store_o == !f_full && !pass_o && in_ready_o == store_o));
  write_passes: assert (!f_write || FLUSH == 0
                        || (pass_o == (f_empty && slot_i) && !store_o && in_ready_o == pass_o));
  barrier_waits: assert (!f_barrier || (in_ready_o == !block_busy_i && !store_o && !pass_o && !force_valid_o));
  full_queue_is_flushed: assert (flush_full_o == (FLUSH != 0 && f_read && f_full));
  write_flushes: assert (flush_write_o == (FLUSH != 0 && f_write && !f_empty));
  force_iff_flush: assert (force_valid_o == (flush_full_o || flush_write_o));
  force_names_queue: assert (force_queue_o == (force_valid_o ? in_queue_i : 0));
  one_way: assert (!(store_o && pass_o) && (!force_valid_o || !in_ready_o));
end
