// SPDX-License-Identifier: Apache-2.0
// Properties of queue_selector: the remainder by repeated subtraction.
integer   f_i;
reg [6:0] f_rest;
always @* begin
  case (SIGNATURE)
    0:       f_rest = {1'b0, block_i};
    1:       f_rest = {1'b0, warp_i};
    default: f_rest = {1'b0, block_warp_i};
  endcase
  for (f_i = 0; f_i < 64; f_i = f_i + 1) if (f_rest >= QUEUES) f_rest = f_rest - QUEUES;
  queue_exists: assert (queue_o < QUEUES);
  queue_is_remainder: assert (queue_o == f_rest);
end
