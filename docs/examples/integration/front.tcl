# OpenSTA: times front with the Liberty models of its blocks, at 200 MHz. Run it from the folder
# above mine/.
read_liberty /usr/share/qflow/tech/osu018/osu018_stdcells.lib
read_liberty mine/mrpb/lib/mrpb_osu018_stdcells.lib
read_liberty mine/mshr/lib/mshr_osu018_stdcells.lib
read_verilog mine/front_net.v
link_design front
create_clock -name clk -period 5 [get_ports clk_i]
set_input_delay 0.5 -clock clk [get_ports {srst_ni *_valid_i in_write_i in_warp_i in_data_i fill_entry_i out_ready_i}]
set_output_delay 0.5 -clock clk [all_outputs]
report_checks -path_delay max -digits 3
