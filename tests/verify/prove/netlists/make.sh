# SPDX-License-Identifier: Apache-2.0
# Sourced, with $work set: makes netlists and asks for proofs of them.

# sets SIZE...: the sizes as options
sets() { printf -- '--set %s ' "$@"; }

# netlist_of FILE LIBRARY MODULE SIZE...: a netlist by Yosys alone, memories as flip-flops
netlist_of() {
  local file=$1 from=$2 module=$3 size params=
  shift 3
  for size; do params="$params -set ${size/=/ }"; done
  yosys -q -l "$work/yosys.log" -p "read_verilog -defer -DSYNTHESIS rtl/*.v; chparam $params $module; hierarchy -check -top $module
    synth -flatten -top $module; dfflegalize -cell \$_DFF_P_ x; opt -fast -nodffe -nosdff; dfflibmap -liberty $from; abc -liberty $from; opt_clean
    setundef -zero; splitnets; opt_clean -purge; write_verilog -noattr -noexpr -nohex -nodec $file" > "$work/yosys.out" 2>&1
}

# library_of FILE[,FILE...]: the name of the library, also of one in gz
library_of() { zcat -f "${1%%,*}" | sed -n 's/^ *library *( *"*\([^")]*\).*/\1/p' | tr -d ' ' | head -1; }

# all_sizes MODULE SIZE...: every parameter, as Yosys is told: "-set QUEUES 3 -set DEPTH 2 ..."
all_sizes() {
  local module=$1
  shift
  build/mrpb help "$module" | awk -F ' *[|] *' -v given="$*" '
    BEGIN { for (n = split(given, part, " "); n; n--) { split(part[n], pair, "="); value[pair[1]] = pair[2] } }
    /^[|] parameter/ { on = 1; next } /^$/ && on { exit }
    on && $2 ~ /^`/ { name = $2; gsub(/`/, "", name); printf "-set %s %s ", name, name in value ? value[name] : $4 }'
}

# estimated FILE LIBRARY MODULE SIZE...: the netlist that `mrpb estimate` reports, with its macros
estimated() {
  local file=$1 from=$2 module=$3 script folder wanted
  shift 3
  # shellcheck disable=SC2046
  build/mrpb estimate "$module" $(sets "$@") --liberty "$from" --no-prove > "$work/estimate.out" 2>&1 || return 1
  wanted="chparam $(all_sizes "$module" "$@")$module"
  for script in $(ls -t build/estimate/cache/"$module".*/synth.ys); do
    folder=${script%/*}
    grep -qF -- "$wanted" "$script" && [ "$(library_of "$folder/cells.lib")" = "$(library_of "$from")" ] || continue
    ! grep -qw rst_ni "$folder/net.v" || continue # of an earlier version
    cp "$folder/net.v" "$file"
    return 0
  done
  return 1
}

# broken KIND PICK FROM TO: one fault; 1 if there is no place for it
broken() { awk -v kind="$1" -v pick="$2" -v corner="${corner:-}" -f tests/verify/prove/netlists/break.awk "$3" > "$4" && ! cmp -s "$3" "$4"; }
