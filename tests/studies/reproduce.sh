#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make reproduce` with three test experiments that run in a second: equal bytes from other folders,
# with other numbers of processes and in other environments; each planted difference gives a line;
# an interrupted run continues. Also checks the command lines that make passes on.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# ---- what make passes on ----
made() { # made TEXT ARGUMENT...: the last command that make would run
  make -n --no-print-directory "${@:2}" 2>&1 | tail -n 1 | tr -s ' ' | grep -qxF -- "$1"
}
true_ "figures" made "build/mrpb figures fig13 --quick --jobs 3 " figures -j3 QUICK=1 FIG=fig13
true_ "figures by Slurm" made "build/mrpb figures --out docs/figures --page docs/figures.md --jobs 3 --slurm --sbatch --partition=x --sbatch --time=60" \
  figures -j3 SLURM=1 SBATCH="--partition=x --time=60"
true_ "reproduce by Slurm" made "tb/studies/reproduce.sh fig13 -- --jobs 3 --slurm --sbatch --time=60" reproduce -j3 FIG=fig13 SLURM=1 SBATCH=--time=60
true_ "some programs" made "tb/studies/reproduce.sh --program atax -- --jobs 3 " reproduce -j3 PROGRAM=atax
case_ "SBATCH without SLURM" 2 'legal: with --slurm' build/mrpb figures --sbatch --time=60

# ---- what is committed ----
mkdir -p "$work/git/docs" "$work/fig"
printf '%s\n' 'micro-chain-l1 chain CI --cut 8' 'micro-chain-l2 chain IW --cut 8' 'micro-lines-8 lines XW --cut 8' 'micro-stride-1k lines IW --cut 8' > "$work/fig/programs.list"
cat > "$work/fig/fig1.fig" << 'END'
title One: depth
ylabel speed
reading SM cycles of the base / SM cycles
programs chain-s lines-s lines-l
point "4" MRPB=1 MRPB_DEPTH=4
point "best" MRPB=1 best MRPB_DEPTH=2,8
published 1.5 geomean speed "4" base chain-s "a number"
END
cat > "$work/fig/fig2.fig" << 'END'
title Two: contention
ylabel misses
reading misses per thousand instructions
programs chain-s lines-s
stacked
END
cat > "$work/fig/fig3.fig" << 'END'
title Three: packets
ylabel packets
reading packets of the base / packets
metric packets
programs lines-s
point "no L1D for others" L1D_WAYS=1
END
build/mrpb figures --from "$work/fig" --db "$work/git/r.db" --out "$work/git/docs/figures" --page "$work/git/docs/figures.md" > "$work/out" 2>&1 ||
  { echo "reproduce: $(tail -n 1 "$work/out")" >&2; exit 1; }

# Settings of a user and of a host that must not change anything.
mkdir "$work/home"
printf '%s\n' 'set style fill pattern' 'set decimalsign ","' 'set grid xtics' > "$work/home/.gnuplot"
again() { # again ARGUMENT...
  env HOME="$work/home" LC_ALL=C TZ=Asia/Tokyo GNUTERM=dumb GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA \
    tb/studies/reproduce.sh --from "$work/fig" --docs "$work/git/docs" --into "$work/${into:-again}" "$@"
}
summary() { # summary EQUAL DIFFERENT FAILED
  echo "^reproduce: $1 as committed, $2 different, $3 failed"
}
case_ "all of it: three tables, three pictures, two pages" 0 "$(summary 8 0 0)" again -- --jobs 3
true_ "no figure is not drawn" test "$(ls "$work/git/docs/figures" | wc -l)" = 6
case_ "nothing is run twice" 0 "$(summary 8 0 0)" again -- --jobs 3
true_ "silently" test "$(grep -c '^\[' "$work/out")" = 0
case_ "one experiment" 0 "$(summary 3 0 0)" again fig2
into=some case_ "one program" 0 "$(summary 6 0 0)" again --program micro-chain-l2
true_ "its runs alone" test "$(grep -c '^\[' "$work/out")$(grep -c micro-chain-l2 "$work/out")" = 44
case_ "an unknown experiment" 2 'some of the given experiments' again fig9
case_ "an unknown program" 2 '--program atax: legal: ' again --program atax
case_ "an unknown option" 2 'legal: --program' again --prog x
case_ "into what is committed" 2 'legal: another folder' tb/studies/reproduce.sh --docs "$work/git/docs" --into "$work/git"
case_ "the report of a store made in another order" 0 '' build/mrpb report --from "$work/fig" --figures "$work/git/docs/figures" --published "$work/git/docs/figures.md" --sweep "$work/git/r.db" --json "$work/one.json"
cp "$work"/again/*.db "$work/two.db"
case_ "and of the other" 0 '' build/mrpb report --from "$work/fig" --figures "$work/git/docs/figures" --published "$work/git/docs/figures.md" --sweep "$work/two.db" --json "$work/two.json"
true_ "have the same bytes" cmp <(sed "s|$work/git/r.db||" "$work/one.json") <(sed "s|$work/two.db||" "$work/two.json")

case_ "every point, whole" 0 '' build/mrpb figures --from "$work/fig" --db "$work/every.db" --out "$work/every" --page "$work/every/figures.md" --every-point --jobs 2
true_ "none derived or ended" bash -c '! grep -qE "derived|ended|equal to" "$1"' - "$work/out"
true_ "the same pictures" diff -r -x figures.md "$work/every" "$work/git/docs/figures"

# ---- planted ----
# planted NAME COUNT PATTERN COMMAND [ARGUMENT...]: COMMAND changes the committed files; COUNT files
# differ, and one line matches
planted() {
  local before=$work/before
  cp -r "$work/git/docs" "$before"
  (cd "$work/git/docs" && eval "$4")
  case_ "$1" 1 "$3" again "${@:5}"
  true_ "$1: $2 lines" test "$(grep -c '^differs: ' "$work/out")" = "$2"
  rm -rf "$work/git/docs" && mv "$before" "$work/git/docs"
}
planted "a digit" 1 '^differs: docs/figures/fig1\.csv:3: committed ".*", made ".*"' 'sed -i "3s/.$/x/" figures/fig1.csv' fig1 fig2
cycles='sed -i -E "s/^(micro-lines-8.*,)[0-9]+(,[0-9]+,[0-9.]+)$/\17\2/" figures/*.csv; sed -i -E "s/^(micro-stride.*,)[0-9]+(,[0-9]+,[0-9.]+)$/\17\2/" figures/fig3.csv'
planted "cycles of a program that is looked at, and of one that is not" 1 '^differs: docs/figures/fig3\.csv, rows of micro-stride-1k:2: ' "$cycles" --program micro-stride-1k
planted "a picture" 1 '^differs: docs/figures/fig2\.svg:[0-9]+: ' 'sed -i "s/Two: contention/Two: contentions/" figures/fig2.svg'
planted "a picture that is gone" 1 '^differs: docs/figures/fig3\.svg: made, and not committed' 'rm figures/fig3.svg'
planted "a table of another time" 1 '^differs: docs/figures/fig0\.csv: committed, and not made' 'echo > figures/fig0.csv'
planted "a page cut off" 1 '^differs: docs/figures\.md:[0-9]+: committed the end, made ' 'sed -i "\$d" figures.md'
planted "a number on the page" 1 '^differs: docs/figures\.md, fig1:' 'sed -i "s/| 1\.5 |/| 1.6 |/" figures.md' fig1 fig2
planted "the other section of it" 1 '^differs: docs/figures\.md, fig2:' 'sed -i "s/Two: contention/Two:/" figures.md' fig2

# ---- interrupted at any time: the same result in the end ----
for ms in 030 120 300; do
  into=killed timeout -s INT "0.$ms" env tb/studies/reproduce.sh --from "$work/fig" --docs "$work/git/docs" --into "$work/killed" > "$work/out" 2>&1
done
into=killed case_ "after that" 0 "$(summary 8 0 0)" again
echo "reproduce: $passed passed, $failed failed"
[ "$failed" = 0 ]
