MemcpyHtoD,0x00007f1000000000,4096
tracer3.traceg
tracer4.traceg
tracer5.traceg
tracer6.traceg
tracer6.trace
MemcpyDtoH,0x00007f1000000000,4096
