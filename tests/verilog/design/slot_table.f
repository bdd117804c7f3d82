tests/verilog/design/slot_table.sv
