#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kernel in CUDA to PTX by clang 14 alone: compile.sh NAME.cu > NAME.ptx
set -eu
exec clang-14 -x cuda --cuda-gpu-arch=sm_80 --cuda-device-only -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang -target-feature -Xclang +ptx70 \
  -Xclang -fnative-half-type -Xclang -fallow-half-arguments-and-returns -O3 -S "$1" -o -
