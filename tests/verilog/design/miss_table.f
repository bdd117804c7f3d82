tests/verilog/design/miss_table.sv
