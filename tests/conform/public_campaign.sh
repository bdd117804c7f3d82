#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the contract of a path on four public caches at four sizes each (docs/conform/public_paths.md).
#   public_campaign.sh SOURCES [--cycles N] [--jobs N] [NAME...]
#   public_campaign.sh --table                       what has been said so far, as rows of a table
# SOURCES has the folders vortex, hpdcache, cva6 and ventus, with the commits that the page names;
# nothing is fetched. A run that has ended is not run again: build/conform-public/NAME.said keeps it.
set -u
mrpb=${MRPB:-build/mrpb}
to=build/conform-public
maps=docs/conform/maps/path
cycles=10000000 jobs=2 names=()

# Name, cache, what its list of files needs, what the map gets, options of the command. A clause that
# a finding breaks is off, so that the run goes on.
runs() {
  cat <<'END'
vortex-1 vortex - - --set LANES=1
vortex-2 vortex - - --set LANES=2
vortex-4 vortex - unflushed --set LANES=4 --set ID_W=5
vortex-through vortex - - --set LANES=2 --set LINE=32 --set BACK=0
hpdcache-through hpdcache WT=1,WB=0,SETS=4,WAYS=4 - --set BACK=0
hpdcache-acks hpdcache WT=1,WB=0,SETS=8,WAYS=2 - --set BACK=0 --set ACKS=1
hpdcache-back hpdcache WT=0,WB=1,SETS=4,WAYS=4 - --set BACK=1
hpdcache-small hpdcache WT=0,WB=1,SETS=2,WAYS=2 - --set BACK=1
cva6-2x16 cva6 - BYTES=512,WAYS=2 --off lost
cva6-2x8 cva6 - BYTES=256,WAYS=2 --off lost
cva6-4x16 cva6 - BYTES=1024,WAYS=4 --off lost
cva6-8x4 cva6 - BYTES=512,WAYS=8 --off lost
ventus-4 ventus LANES=4,SETS=4,WORDS=4 - --set LANES=4
ventus-2 ventus LANES=2,SETS=4,WORDS=2 - --set LANES=2 --set LINE=8
ventus-8 ventus LANES=8,SETS=4,WORDS=8 - --set LANES=8 --set LINE=32
ventus-sets ventus LANES=4,SETS=8,WORDS=4 - --set LANES=4 --set ID_W=8
ventus-4-loads ventus LANES=4,SETS=4,WORDS=4 loads --set LANES=4
ventus-2-loads ventus LANES=2,SETS=4,WORDS=2 loads --set LANES=2 --set LINE=8
ventus-8-loads ventus LANES=8,SETS=4,WORDS=8 loads --set LANES=8 --set LINE=32
ventus-sets-loads ventus LANES=4,SETS=8,WORDS=4 loads --set LANES=4 --set ID_W=8
END
}

# ---- lists of files: NAME.f from the sources, and from `$1`, names of sizes with values ----

vortex_headers() {
  local s=$sources/vortex d=$to/vortex name
  mkdir -p "$d" && cp -r "$s/hw" "$d/" || return
  # Verilator 5.006 does not know this message.
  sed -i 's#/\* verilator lint_o[nf]* GENUNNAMED \*/##' "$d"/hw/rtl/VX_{platform,define}.vh
  for name in config types; do
    (cd "$s" && python3 ci/gen_config.py -c VX_$name.toml --cflags=-DVX_CFG_XLEN=32 -f verilog -r -o "$d/VX_$name.vh") ||
      return
  done
}
vortex_list() {
  local d=$to/vortex dir
  echo "+define+SYNTHESIS+NDEBUG+VX_CFG_XLEN=32+VX_CFG_XLEN_32 +incdir+$d"
  for dir in rtl dpi rtl/libs rtl/interfaces rtl/mem rtl/cache; do echo "+incdir+$d/hw/$dir"; done
  echo "$d/hw/rtl/VX_gpu_pkg.sv" "$d/hw/rtl/mem/VX_mem_bus_if.sv" "$d"/hw/rtl/{cache,libs}/*.sv \
    "$d/hw/unittest/cache/VX_cache_top.sv"
}
hpdcache_list() {
  local s=$sources/hpdcache/rtl sets ways
  sets=${1#*SETS=} ways=${1#*WAYS=}
  sets=${sets%%,*} ways=${ways%%,*}
  echo "+define+HPDCACHE_ASSERT_OFF"
  sed -n 's/^CONF_/CONF_/p' "$s/tb/configs/embedded_config.mk" |
    sed -E "s/\\\$\(CONF_HPDCACHE_SETS\)|(_SETS=)32/\1$sets/; s/\\\$\(CONF_HPDCACHE_MSHR_WAYS\)/4/
      s/\\\$\(CONF_HPDCACHE_MSHR_SETS\)/1/; s/(CACHE_WAYS|DATA_WAYS_PER_RAM_WORD)=.*/\1=$ways/
      s/(PA_WIDTH)=.*/\1=10/; s/(REQ_TRANS_ID_WIDTH)=.*/\1=5/; s/(REQ_SRC_ID_WIDTH)=.*/\1=1/
      s/(ECC.*ENABLE)=.*/\1=0/; s/(WT_ENABLE)=.*/\1=$([[ $1 == WT=1* ]] && echo 1 || echo 0)/
      s/(WB_ENABLE)=.*/\1=$([[ $1 == WT=1* ]] && echo 0 || echo 1)/; s/^/+define+/"
  echo "+incdir+$s/include +incdir+$s/src/utils/ecc"
  sed -n "s#^\${HPDCACHE_DIR}/rtl#$s#p" "$s/hpdcache.Flist"
  echo "$s"/src/utils/ecc/*_pkg.sv "$s"/src/utils/ecc/*{enc,dec}.sv "$s"/src/common/macros/behav/*.sv "$s/tb/hpdcache_wrapper.sv"
}
cva6_list() {
  local s=$sources/cva6 f
  local v=$s/vendor/pulp-platform c=$s/core/cache_subsystem
  echo "+define+VERILATOR" # without it Verilator cannot read rr_arb_tree.sv
  for f in core/include vendor/pulp-platform/common_cells/include vendor/pulp-platform/axi/include common/local/util; do
    echo "+incdir+$s/$f"
  done
  for f in config cv64a6_imafdc_sv39_wb_config riscv aes ariane; do echo "$s/core/include/${f}_pkg.sv"; done
  echo "$v/axi/src/axi_pkg.sv $s/core/include/build_config_pkg.sv $s/core/include/std_cache_pkg.sv"
  for f in cf_math_pkg lfsr_8bit fifo_v3 rr_arb_tree lzc; do echo "$v/common_cells/src/$f.sv"; done
  echo "$v/tech_cells_generic/src/rtl/tc_sram.sv $s/common/local/util/tc_sram_wrapper.sv $s/common/local/util/sram.sv"
  for f in amo_alu axi_adapter cache_ctrl miss_handler tag_cmp std_nbdcache; do echo "$c/$f.sv"; done
}
ventus_list() {
  local s=$sources/ventus/src d=$to/$name k value
  local l=$s/gpgpu_top/sm/l1cache div=$s/gpgpu_top/sm/pipeline/sfu_v2/float_div_mvp
  mkdir -p "$d"
  cp "$s/define/define.v" "$d/"
  for k in LANES:NUM_THREAD SETS:DCACHE_NSETS WORDS:DCACHE_BLOCKWORDS; do
    value=${1#*"${k%:*}="}
    sed -i "s/^\`define ${k#*:} .*/\`define ${k#*:} ${value%%,*}/" "$d/define.v"
  done
  echo "+incdir+$d $div/cf_math_pkg.sv $div/lzc.sv"
  find "$l/dcache" "$l/common" "$s/common_cell" -name '*.v'
}

# ---- a run ----

run() { # run NAME CACHE SIZES PARAMETERS OPTION...
  local name=$1 cache=$2 sizes=$3 parameters=$4 start
  shift 4
  local map=$maps/$cache.map top
  [ "$cache" != vortex ] || map=$maps/vortex-late.map
  top=$(sed -n 's/^top //p' "$map")
  { "${cache}_list" "$sizes" && echo "$maps/$top.sv"; } | tr ' ' '\n' > "$to/$name.f" || return
  cp "$map" "$to/$name.map"
  case $parameters in
  -) ;;
  loads)
    cat >> "$to/$name.map" << 'END'
in req_write_i = {LANES{1'b0}}
in rsp_ready_i = {LANES{1'b1}}
in flush_i = 1'b0
none req_write_i req_data_i rsp_ready_i flush_i flush_done_o
END
    ;;
  unflushed) printf "in flush_i = 1'b0\nnone flush_i flush_done_o\n" >> "$to/$name.map" ;;
  *) echo "param $parameters" | sed 's/=/ = /g; s/,/\nparam /g' >> "$to/$name.map" ;;
  esac
  start=$(date +%s)
  nice -n 10 "$mrpb" conform --path -f "$to/$name.f" --map "$to/$name.map" --lint off --cases "$to/cases" \
    --cycles "$cycles" --seed 2 "$@" > "$to/$name.part" 2>&1
  echo "exit $? after $(($(date +%s) - start)) s of --cycles $cycles" >> "$to/$name.part"
  mv "$to/$name.part" "$to/$name.said"
}
table() {
  local name cache rest
  echo '| run | cycles | verdict | simulators |'
  echo '| --- | ---: | --- | --- |'
  runs | while read -r name cache rest; do
    [ -e "$to/$name.said" ] || continue
    awk -v name="$name" '
      /^(conforms|FAILED)/ { n = $0; sub(/.* for /, "", n); sub(/ cycles.*/, "", n); verdict = $1
        off = $0; if (sub(/.*not promised: /, "", off)) { sub(/;.*/, "", off); verdict = verdict ", without " off } }
      /^VIOLATED/ { n = $NF; verdict = $0; sub(/.*, clause/, "clause", verdict); sub(/, cycle.*/, "", verdict) }
      / simulated / { by = $0; sub(/.* by /, "", by); sub(/;.*/, "", by) }
      /^mrpb/ { verdict = $0; sub(/.*\.map: /, "", verdict); sub(/:.*/, "", verdict); n = 0 }
      END { printf "| %s | %s | %s | %s |\n", name, n, verdict, by }' "$to/$name.said"
  done
}

[ "${1:-}" != --table ] || { table; exit; }
sources=$(cd "${1:?the folder of the sources}" && pwd) || exit 2
shift
while [ $# -gt 0 ]; do
  case $1 in
    --cycles) cycles=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    *) names+=("$1") && shift ;;
  esac
done
mkdir -p "$to/cases" && to=$(cd "$to" && pwd)
[ -e "$to/vortex/VX_types.vh" ] || vortex_headers > "$to/vortex.log" || echo "vortex: its headers cannot be made" >&2
while read -r name rest; do
  [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $name "* ]] || continue
  ! grep -q "of --cycles $cycles$" "$to/$name.said" 2> /dev/null || continue
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  # shellcheck disable=SC2086 # options are words
  run "$name" $rest &
done < <(runs)
wait
table
