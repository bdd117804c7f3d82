#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles a kernel from CUDA to PTX with clang alone: [CLANG=clang-19] compile.sh NAME.cu >
# NAME.ptx
set -eu
clang=${CLANG:-clang-14}
# Up to clang 15, functions may have __fp16 parameters only with this option; later versions do not
# know the option.
half=$("$clang" -cc1 -help | sed -n 's/^ *\(-fallow-half-arguments-and-returns\).*/-Xclang \1/p')
# shellcheck disable=SC2086
exec "$clang" -x cuda --cuda-gpu-arch=sm_80 --cuda-device-only -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang -target-feature -Xclang +ptx70 \
  -Xclang -fnative-half-type $half -O3 -S "$1" -o -
