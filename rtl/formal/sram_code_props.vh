// SPDX-License-Identifier: Apache-2.0
// Properties of sram_code, for every word and every two bits that are flipped between the write of
// data_i with code_o and the read of rdata_i with rcode_i.
wire [WIDTH+CODE_W-1:0] f_flips  = {rcode_i ^ code_o, rdata_i ^ data_i};
wire [WIDTH+CODE_W-1:0] f_second = f_flips & (f_flips - 1'b1); // all but the lowest
wire [WIDTH+CODE_W-1:0] f_third  = f_second & (f_second - 1'b1);
wire                    f_none   = f_flips == 0;
wire                    f_one    = f_flips != 0 && f_second == 0;
wire                    f_two    = f_second != 0 && f_third == 0;
always @* begin
  nothing_without_a_flip: assert (!f_none || (!error_o && !corrected_o));
  word_without_a_flip: assert (!f_none || rdata_o == data_i);
  one_is_detected: assert (CODE == 2 || !f_one || error_o);
  one_is_corrected: assert (CODE != 2 || !f_one || (corrected_o && !error_o && rdata_o == data_i));
  two_are_detected: assert (CODE != 2 || !f_two || (error_o && !corrected_o));
end
