#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configuration files as a user writes them: a file that changes another, the differences between
# two, which of the two GPUs a file is for.
#   [MRPB=build/mrpb] tests/config/config.sh
set -u
cd "$(dirname "$0")/../.."
mrpb=$PWD/${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
cd "$work" || exit 1

text() { printf '%b' "$2" > "$work/$1"; } # text FILE CONTENTS
differs() { # differs A B LINE...: in these keys and no others
  local a=$1 b=$2
  shift 2
  "$mrpb" config diff "$a" "$b" > "$work/out" 2> "$work/err"
  [ "$(sed '1d; /^A:/,$d' "$work/out" | tr -s ' ' | sed 's/ $//')" = "$(printf '%s\n' "$@")" ]
}

# ---- a file that changes another ----
mkdir sub
text one.conf '# mine\ninclude base-s   # the paper\n\nMSHR_ENTRIES = 64\n'
text sub/two.conf 'include ../one.conf\nSMS = 3\nMSHR_MERGES = 2\n'
text sub/many.conf "include two.conf\n\tinclude\t$PWD/some.part\nMRPB = 1\n"
text some.part 'SMS = 4\n'
text over.conf 'include base-l\ninclude base-s\nMSHR_ENTRIES = 32\n'
true_ "one key" differs base-s one.conf 'MSHR_ENTRIES 32 64 entries'
true_ "the file's own key counts" differs one.conf sub/two.conf 'SMS 14 3' 'MSHR_MERGES 8 2 reads'
true_ "a part of a configuration" differs sub/two.conf sub/many.conf 'SMS 3 4' 'MRPB 0 1'
case_ "the later include counts" 0 '^0 of [0-9]+ keys' "$mrpb" config diff base-s over.conf
case_ "a whole file of it" 0 '^0 of [0-9]+ keys' "$mrpb" config diff sub/two.conf <("$mrpb" dump-config -c sub/two.conf)
text micro.conf 'include h200\nSMS = 66\n'
true_ "of the other GPU" differs h200 micro.conf 'SMS 132 66'
case_ "it runs" 0 'cycles' "$mrpb" run -c sub/two.conf --kernel micro-chain-l1 --cut 4

refused() { # refused NAME PATTERN FILE: one line, exit 2
  case_ "$1" 2 "^mrpb dump-config: $2\$" "$mrpb" dump-config -c "$3"
  true_ "$1: one line" test "$(wc -l < "$work/out")" = 1
}
text none.conf '\ninclude nothing\n'
refused "no such file" 'none\.conf:2: include nothing: no such file; legal: .*' none.conf
text folder.conf 'include sub\n'
refused "a folder" 'folder\.conf:1: include .*sub: Is a directory; legal: a readable file' folder.conf
text self.conf 'include self.conf\n'
refused "itself" 'self\.conf:1: include self\.conf: a loop; legal: .*' self.conf
text a.conf 'include sub/b.conf\nSMS = 1\n'
text sub/b.conf '\n\ninclude ../a.conf\n'
refused "a loop of two" 'sub/b\.conf:3: include \.\./a\.conf: a loop; legal: .*' a.conf
text twice.conf 'include base-s\nSMS = 1\nSMS = 1\n'
refused "a key twice" 'twice\.conf:3: SMS again, first on line 2; legal: each key once' twice.conf
text inner.conf 'include twice.conf\n'
refused "twice in an included file" 'twice\.conf:3: SMS again, first on line 2; legal: each key once' inner.conf
text behind.conf 'SMS = 1\ninclude base-s\n'
refused "an include behind a key" 'behind\.conf:2: include base-s after a key; legal: before the first key' behind.conf
text part.conf 'include some.part\n'
refused "not all keys" 'part\.conf:1: WARPS_PER_SM is missing \(and others\); legal: .*' part.conf
text empty.conf 'include\n'
refused "no name" "empty\.conf:1: 'include' is not an assignment; legal: KEY = value, include NAME" empty.conf
text wrong.conf 'include base-s\nSMS = 257\n'
refused "out of range" 'wrong\.conf:2: SMS = 257 is out of range; legal: 1 to 256' wrong.conf
text joint.conf 'include base-s\nWARPS_PER_SM = 1\n'
refused "two keys that do not fit" 'joint\.conf: SCHEDULERS = 2; legal: at most WARPS_PER_SM = 1' joint.conf
for n in $(seq 1 17); do text "deep$n.conf" "include deep$((n + 1)).conf\n"; done
text deep18.conf 'include base-s\n'
refused "too deep" 'deep17\.conf:1: include deep18\.conf: too deep; legal: 16 includes in each other' deep1.conf
case_ "as deep as it may be" 0 '^0 of' "$mrpb" config diff deep3.conf base-s

# ---- config diff ----
case_ "some differ" 1 '^1 of [0-9]+ keys of GPUs of pipeline cores with flits differ$' "$mrpb" config diff base-s one.conf
case_ "a word" 1 '^MRPB_POLICY +fixed +longest' "$mrpb" config diff base-s <("$mrpb" dump-config --set MRPB_POLICY=longest)
case_ "two kinds of GPU" 1 '^[0-9]+ of [0-9]+ keys of GPUs of pipeline cores with flits and GPUs of in-order cores with ports differ$' "$mrpb" config diff base-s h200
true_ "a key that only one has" grep -qE '^PRT_LOADS +- +510 +loads$' "$work/out"
case_ "one is wrong" 2 '^mrpb config: twice\.conf:3: SMS again' "$mrpb" config diff base-s twice.conf
case_ "one is not there" 2 '^mrpb config: nothing: No such file' "$mrpb" config diff nothing base-s
case_ "one only" 2 'legal: diff A B' "$mrpb" config diff base-s
case_ "three" 2 'c: legal: at most 2' "$mrpb" config diff a b c
case_ "another word" 2 "'merge': legal: diff A B" "$mrpb" config merge base-s base-s
case_ "as JSON" 1 . "$mrpb" config diff base-s sub/many.conf --json diff.json
true_ "JSON" python3 - <<'END'
import json
d = json.load(open("diff.json"))
keys = {k["key"]: (k["a"], k["b"], k["unit"]) for k in d["different"]}
assert d["a"] == "base-s" and d["b"] == "sub/many.conf" and d["of"] == "GPUs of pipeline cores with flits", d
assert keys == {"SMS": (14, 4, ""), "MSHR_ENTRIES": (32, 64, "entries"), "MSHR_MERGES": (8, 2, "reads"), "MRPB": (0, 1, "")}, keys
END
cp one.conf kept.conf
case_ "JSON over what is read" 2 'read and written' "$mrpb" config diff base-s kept.conf --json kept.conf
true_ "it is as before" cmp -s one.conf kept.conf

# ---- which GPU a file is for ----
case_ "dram of in-order cores" 2 "^mrpb dram: h200: a configuration of GPUs of in-order cores with ports; legal: one with flits$" "$mrpb" dram -c h200
case_ "micro of pipeline cores" 2 "^mrpb micro: base-s: a configuration of GPUs of pipeline cores with flits; legal: one with in-order cores$" \
  "$mrpb" micro release -c base-s
# Also where an earlier key of both GPUs is out of range, missing or wrong, and where a file is
# incomplete.
grep -v -e ^L2_WAYS -e ^NOISE "$OLDPWD/configs/h200.conf" | sed 's/^SMS .*/SMS = many/' > broken.conf
case_ "a broken file of in-order cores" 2 "^mrpb dram: broken\.conf:[0-9]+: SMS = 'many' is not a number" "$mrpb" dram -c broken.conf
case_ "which run explains" 2 "^mrpb run: broken\.conf:[0-9]+: SMS = 'many' is not a number" "$mrpb" run -c broken.conf --kernel atax
case_ "and micro" 2 "broken\.conf:[0-9]+: SMS = 'many' is not a number" "$mrpb" micro release -c broken.conf
text joined.conf 'include base-s\nCLUSTER = 2\n'
refused "a key of the other GPU" 'joined\.conf:2: CLUSTER is a key of in-order cores or ports; legal: keys of GPUs of pipeline cores with flits' joined.conf
text other.conf 'include h200\nSMS = 36\n'
case_ "run of a file that includes one" 0 '^atax, cut to 2, other\.conf' "$mrpb" run -c other.conf --kernel atax --cut 2
case_ "a key of pipeline cores there" 2 'SWL_LIMIT is a key of pipeline cores; legal: keys of GPUs of in-order cores with ports' "$mrpb" run -c other.conf --set SWL_LIMIT=1 --kernel atax
case_ "written out whole" 0 '^SMS +.*= 36' "$mrpb" dump-config -c other.conf
"$mrpb" dump-config -c other.conf > whole.conf
true_ "and read again" cmp -s <("$mrpb" run -c other.conf --kernel atax --cut 2 | tail -n +2) <("$mrpb" run -c whole.conf --kernel atax --cut 2 | tail -n +2)
case_ "an include of the other GPU" 2 '^mrpb dram: other\.conf: a configuration of GPUs of in-order cores with ports; legal: one with flits$' "$mrpb" dram -c other.conf

# ---- parts from two files ----
text mixed.conf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 32\n'
case_ "in-order cores with flits" 0 '^CORE +.*= in-order' "$mrpb" dump-config -c mixed.conf
true_ "keys of both" grep -qE '^DRAM_CL +.*= 12 ' "$work/out"
true_ "none of ports" sh -c '! grep -qE "^(TLB1_SETS|NOISE) " "$1"' - "$work/out"
"$mrpb" dump-config -c mixed.conf > mixed_whole.conf
case_ "written out whole" 0 '^0 of [0-9]+ keys of GPUs of in-order cores with flits differ' "$mrpb" config diff mixed.conf mixed_whole.conf
text half.conf 'include h200\nMEMORY = flits\n'
refused "keys of the memory are missing" 'half\.conf:2: CLOCK_ICNT is missing \(and others\); legal: .*' half.conf
case_ "other parts by --set" 2 'CORE=in-order: other parts need other keys; legal: in a file$' "$mrpb" dump-config -c base-s --set CORE=in-order
case_ "micro of in-order cores with flits" 2 'mixed\.conf: a configuration of GPUs of in-order cores with flits; legal: one with ports$' "$mrpb" micro release -c mixed.conf

echo "config: $passed passed, $failed failed"
[ "$failed" = 0 ]
