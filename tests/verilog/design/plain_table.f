tests/verilog/design/plain_table.sv
