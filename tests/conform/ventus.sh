#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ventus' five test programs on Ventus' whole GPU, once with its own l1_dcache and once with l1_top
# behind ventus/l1_adapter.v: the same memory at the end (docs/conform/ventus.md).
#   ventus.sh SOURCES [--threads 4|8|16|32] [--jobs N] [--plant]
# SOURCES/ventus has src and testcase of the commit that the page names; nothing is fetched. --plant
# runs the list of planted bugs instead: each must be seen. 0 all as it should be, 1 not, 2 no run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
verilator=${VERILATOR:-verilator}
threads=4 jobs=1 plant=

# Threads, program, folder of its data, kernels (stems, and the last number of each), and the words
# that its tc.v expects: BUFFER=LIST by the list's name there, or BUFFER=COUNT*WORD.
cases() {
  cat << 'END'
4 vecadd 8w4t vecadd:0 2=32*42000000
4 matadd 4w4t matadd:0 2=16*41800000
4 nn 8w4t NearestNeighbor:0 1=result_19_soft
4 gaussian 4x4 Fan1,Fan2:2 1=matrix_a_4_soft 2=array_b_4_soft
4 bfs 8w4t BFS_1,BFS_2:3 5=result_32_soft
8 vecadd 4x8 vecadd:0 2=32*42000000
8 matadd 2w8t matadd:0 2=16*41800000
8 nn 4x8 NearestNeighbor:0 1=result_28_soft
8 nn 8x8 NearestNeighbor:0 1=result_53_soft
8 gaussian 2x8 Fan1,Fan2:2 1=matrix_a_4_soft 2=array_b_4_soft
8 gaussian 4x8 Fan1,Fan2:3 1=matrix_a_5_soft 2=array_b_5_soft
8 bfs 4x8 BFS_1,BFS_2:3 5=result_32_soft
16 vecadd 4w16t vecadd:0 2=64*42800000
16 matadd 1w16t matadd:0 2=16*41800000
16 nn 2w16t NearestNeighbor:0 1=result_19_soft
16 nn 4x16 NearestNeighbor:0 1=result_53_soft
16 gaussian 1w16t Fan1,Fan2:2 1=matrix_a_4_soft 2=array_b_4_soft
16 bfs 2w16t BFS_1,BFS_2:3 5=result_32_soft
32 vecadd 4w32t vecadd:0 2=128*43000000
32 matadd 1w32t matadd:0 2=16*41800000
32 bfs 4x32 BFS_1,BFS_2:4 5=result_128_soft
END
}

# Name, file, and the edit of a planted bug.
plants() {
  cat << 'END'
stale-line l1_control.v s/assign evict_o  *= .*/assign evict_o = 1'b0;/
other-lanes l1_adapter.v s/ans_mask_q : out_mask/ans_mask_q : {LANES{1'b1}}/
uncleared l1_adapter.v s/.flush_i(inv_q == 1)/.flush_i(1'b0)/;s/1: if (done)/1: if (1)/
whole-lines l1_adapter.v s/aw_ready ? w_strb : ~0/~0/
END
}

die() { echo "ventus.sh: $*" >&2 && exit 2; }
[ -n "${1-}" ] || die "usage: ventus.sh SOURCES [--threads 4|8|16|32] [--jobs N] [--plant]"
for file in src/gpgpu_top/model_list testcase/test_gpgpu_axi_top/tc_bfs/tc.v; do
  [ -e "$1/ventus/$file" ] || die "$1/ventus lacks $file of THU-DSP-LAB/ventus-gpgpu-verilog"
done
ventus=$(cd "$1/ventus" && pwd)
shift
while [ $# -gt 0 ]; do
  case $1 in
    --threads) threads=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    --plant) plant=1 && shift ;;
    *) die "what is $1?" ;;
  esac
done
mapfile -t list < <(cases | sed -n "s/^$threads //p")
[ ${#list[@]} -gt 0 ] || die "--threads 4, 8, 16 or 32"
include=$("$verilator" --getenv VERILATOR_ROOT)/include || die "no Verilator"
to=$root/build/conform-ventus/$threads
mkdir -p "$to" && cd "$to" || exit 2

# ---- the models: the GPU once, without the cache, which is a library of its own ----

step() { # step NAME COMMAND...: a failure shows the end of what was said
  local name=$1
  shift
  nice -n 10 "$@" > "$name.log" 2>&1 || { tail -5 "$name.log" && die "$name: $to/$name.log"; }
}
verilate() { # verilate FOLDER OPTION...
  local folder=$1
  shift
  step "verilate-$folder" "$verilator" --cc -O3 --noassert -Wno-lint -Wno-style -Wno-fatal \
    -fno-const-bit-op-tree --unroll-count 4096 --unroll-stmts 1000000 --output-split 20000 \
    "+incdir+$to" --Mdir "$folder" "$@"
}
library() { # library FOLDER MODULE FILE...
  local folder=$1 module=$2
  shift 2
  verilate "$folder" --lib-create "$module" --prefix "V$module" --top-module "$module" "$@"
}
compile() { # compile FOLDER PREFIX TARGET...
  local folder=$1 prefix=$2
  shift 2
  step "make-$folder" make -C "$folder" -f "$prefix.mk" -j "$jobs" \
    OPT_FAST=-O1 OPT_SLOW=-O0 "$@"
}
# A library's wrapper asks whether it is that of this library. Here one wrapper stands for all
# caches; that their ports are the same is looked at instead.
unasked() { sed -i '/protectlib_check_hash(protectlib_hash/d' "$1"; }
ports() { sed '/hash/d; /timeunit/d' "$1/l1_dcache.sv"; }
link() { # link FOLDER
  local done=(verilated.o verilated_dpi.o verilated_threads.o Vgpgpu_axi_top__ALL.a)
  step "link-$1" g++ -std=c++14 -faligned-new -O1 -I top -I "$include" -I "$include/vltstd" \
    "$here/ventus/bench.cpp" "${done[@]/#/top/}" sm/libsm_wrapper.a "$1/libl1_dcache.a" \
    -lpthread -o "$1/bench"
}

build_gpu() {
  local s=$ventus/src/gpgpu_top
  sed "s/^\`define NUM_THREAD .*/\`define NUM_THREAD $threads/" "$ventus/src/define/define.v" \
    > define.v
  { echo "$PWD/define.v" && sed "s#^\(\.\./\)*#$ventus/#; s/[[:space:]]*$//" "$s/model_list" |
    grep -v '//[^/]*$\|define\.v$' | awk '!seen[$0]++'; } > files
  { printf '%s\n' "$s"/sm/pipeline/sfu_v2/float_div_mvp/{cf_math_pkg,lzc}.sv
    find "$s/sm/l1cache/dcache" "$s/sm/l1cache/common" "$ventus/src/common_cell" -name '*.v'
  } > files.own
  library own l1_dcache -f files.own
  unasked own/l1_dcache.sv
  compile own Vl1_dcache libl1_dcache.a
  { grep -v '/l1_dcache\.v$' files && echo own/l1_dcache.sv; } > files.sm
  library sm sm_wrapper -f files.sm
  { grep -v '/sm_wrapper\.v$' files.sm && echo sm/sm_wrapper.sv; } > files.top
  verilate top --exe --top-module gpgpu_axi_top -f files.top
  compile sm Vsm_wrapper libsm_wrapper.a
  compile top Vgpgpu_axi_top Vgpgpu_axi_top__ALL.a verilated.o verilated_dpi.o \
    verilated_threads.o
  touch built
}
# l1_top behind the adapter, from a copy in FOLDER/rtl, in which a bug may be planted. Ventus has a
# module mshr, too: that of rtl/ gets another name.
build_ours() { # build_ours FOLDER [FILE EDIT]
  local folder=$1 f
  rm -rf "$folder" && mkdir -p "$folder/rtl"
  cp "$root"/rtl/*.v "$here/ventus/l1_adapter.v" "$folder/rtl/"
  if [ $# -gt 1 ]; then
    cp "$folder/rtl/$2" "$folder/before"
    sed -i "$3" "$folder/rtl/$2"
    ! cmp -s "$folder/before" "$folder/rtl/$2" || die "the bug of $folder changes nothing"
  fi
  for f in "$folder"/rtl/*.v; do
    sed -i -E 's/^( *)(module )?mshr #\(/\1\2mrpb_mshr #(/' "$f"
  done
  mv "$folder/rtl/mshr.v" "$folder/rtl/mrpb_mshr.v"
  library "$folder" l1_dcache "$folder/rtl/l1_adapter.v" -y "$folder/rtl"
  cmp -s <(ports own) <(unasked "$folder/l1_dcache.sv" && ports "$folder") ||
    die "$folder/l1_dcache.sv: other ports than own/l1_dcache.sv"
  compile "$folder" Vl1_dcache libl1_dcache.a
  link "$folder"
}

# ---- the runs ----

expected() { # expected PROGRAM BUFFER=LIST...: as bench.cpp reads them
  local tc=$ventus/testcase/test_gpgpu_axi_top/tc_$1/tc.v e n
  shift
  for e in "$@"; do
    n=${e#*=}
    case $n in
      *'*'*) echo "${e%%=*} $(yes "${n#*\*}" | head -"${n%\**}" | tr '\n' ' ')" ;;
      *) echo "${e%%=*} $(sed -n "s/^ *$n *= *{\(.*\)};.*/\1/p" "$tc" |
        sed "s/32'h//g" | tr ',' ' ')" ;;
    esac
  done
}
play() { # play FOLDER PROGRAM DATA KERNELS BUFFER=LIST...
  local folder=$1 program=$2 data=$3 kernels=$4 name=$1/$2-$3 i k run=()
  shift 4
  for ((i = 0; i <= ${kernels#*:}; i++)); do
    for k in $(tr ',' ' ' <<< "${kernels%:*}"); do
      run+=("$ventus/testcase/test_gpgpu_axi_top/tc_$program/softdata/$data/${k}_$i")
    done
  done
  expected "$program" "$@" > "$name.expected"
  rm -f "$name.memory"
  nice -n 10 timeout 900 "$folder/bench" "$name.expected" "$name.memory" "${run[@]}" \
    > "$name.said" 2>&1
  echo "exit $?" >> "$name.said"
}
same() { # same FOLDER NAME: what is said of its memory beside that of Ventus' own cache
  local a=own/$2.memory b=$1/$2.memory
  { [ -s "$a" ] && [ -s "$b" ]; } || { tail -2 "$1/$2.said" | head -1 && return 1; }
  ! cmp -s "$a" "$b" || { echo "same, $(wc -l < "$a") words" && return; }
  echo "$(diff "$a" "$b" | grep '^[<>]' | cut -c3-10 | sort -u | wc -l) words differ" && return 1
}
said() { sed -n "s/$2/\1/p" "$1.said" | tail -1; } # said NAME PATTERN
row() { # row PROGRAM DATA
  local o=own/$1-$2 n=ours/$1-$2 words='^expected words: \(.*\)' all='^all \([0-9]*\) .*' memory
  memory=$(same ours "$1-$2") || worst=1
  { grep -q '^exit 0$' "$o.said" && grep -q '^exit 0$' "$n.said"; } || worst=1
  echo "| $1 | $2 | $(grep -c '^kernel' "$n.said") | $memory | $(said "$o" "$words")" \
    "| $(said "$n" "$words") | $(said "$o" "$all") | $(said "$n" "$all")" \
    "| $(said "$n" '.*: \([0-9]* hits.*\)') |"
}

worst=0
[ -e built ] || build_gpu
link own
if [ -n "$plant" ]; then
  while read -r name file edit; do
    build_ours "bug-$name" "$file" "$edit"
    for one in "${list[@]}"; do
      read -ra case <<< "$one"
      [ -s "own/${case[0]}-${case[1]}.memory" ] || play own "${case[@]}"
      play "bug-$name" "${case[@]}"
      seen=$(same "bug-$name" "${case[0]}-${case[1]}") ||
        { echo "$name: ${case[0]}: $seen" && continue 2; }
    done
    echo "$name: NOT SEEN" && worst=1
  done < <(plants)
  exit "$worst"
fi
build_ours ours
echo "| program | data | kernels | memory | expected words, l1_dcache | expected words, l1_top" \
  "| cycles, l1_dcache | cycles, l1_top | what l1_top did |"
echo '| --- | --- | ---: | --- | --- | --- | ---: | ---: | --- |'
for one in "${list[@]}"; do
  read -ra case <<< "$one"
  for folder in own ours; do play "$folder" "${case[@]}"; done
  row "${case[@]}"
done
exit "$worst"
