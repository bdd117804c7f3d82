# SPDX-License-Identifier: Apache-2.0
# Puts back together what Verilator has unrolled (docs/cosim.md): reads one of its C++ files, writes
# it with fewer operations and the same results. Every pattern is compared as a whole with the text
# that Verilator 5.006 writes for it; what differs in one character stays as it is. The functions
# rtl_runtime_* are in rtl_runtime.h.
#   equality of all elements   (((a[1U] == x) << 1U) | (a[0U] == x))           -> rtl_runtime_equal
#   an or of selected elements  ((a[0U] & (- (1U & s))) | (a[1U] & (- ...)))   -> rtl_runtime_selected
#   the number of ones         n = 1U & m; n = n + (1U & (m >> 1U)); ...       -> rtl_runtime_ones
#   statements under one bit   if (1U & (m >> 3U)) {...}, one after another    -> a loop over bits set
#   counters under two bits    of which one that neither bit moves is skipped  -> the same loop
#   delayed writes             if (set3) a[3U] = value3, one after another     -> the same loop

function hex(k) { return k < 10 ? k "U" : sprintf("0x%xU", k) }
function number(s,  n, i) {
  sub(/U(LL)?$/, "", s)
  if (s !~ /^0x/) return s + 0
  for (i = 3; i <= length(s); i++) n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
  return n
}
function replace(i, s) { bare[i] = s; gsub(/[ \t\n]/, "", bare[i]); text[i] = s }

# ---- expressions -----------------------------------------------------------

# The chain of bits n-1 to 0 of `before [k] after`, as Verilator nests it.
function chain(n, before, after,  k, all, end) {
  for (k = n - 1; k >= 32; k--) {
    all = all "(((QData)((IData)((" before "[" hex(k) "]" after ")))<<" hex(k) ")|"
    end = end ")"
  }
  if (n > 32) { all = all "(QData)((IData)("; end = "))" end }
  for (k = n > 32 ? 31 : n - 1; k > 0; k--) {
    all = all "(((" before "[" hex(k) "]" after ")<<" hex(k) ")|"
    end = ")" end
  }
  return all "(" before "[0U]" after ")" end
}
function equalities(i,  s, from, first, n, before, after, sides, all, at, array, value, call, done, changed) {
  s = bare[i]
  while (match(s, /\(\((\(QData\)\(\(IData\)\()?\([^()|]*\[(0x)?[0-9a-f]+U\][^()|]*\)(\)\))?<<(0x)?[0-9a-f]+U\)\|/)) {
    from = RSTART
    first = substr(s, RSTART, RLENGTH)
    sub(/^\(*(QData\)\(\(IData\)\(*)?/, "", first)
    sub(/\)+<<.*/, "", first)
    match(first, /\[(0x)?[0-9a-f]+U\]/)
    before = substr(first, 1, RSTART - 1)
    after = substr(first, RSTART + RLENGTH)
    n = number(substr(first, RSTART + 1, RLENGTH - 2)) + 1
    all = n <= 64 ? chain(n, before, after) : "?"
    sides = before "[]" after
    at = index(sides, "==") ? index(sides, "==") : index(sides, "!=")
    array = index(before, "=") ? substr(before, at + 2) : before
    value = index(before, "=") ? substr(before, 1, at - 1) : substr(after, 3)
    if (substr(s, from, length(all)) != all || !at || array !~ /^vlSelf->[A-Za-z_0-9]+$/) {
      done = done substr(s, 1, from + 1)
      s = substr(s, from + 2)
      continue
    }
    call = "rtl_runtime_equal<" n ">(" array "," value ")"
    if (index(sides, "!=")) call = call "^rtl_runtime_all(" n ")"
    done = done substr(s, 1, from - 1) (n > 32 ? "(" : "(IData)(") call ")"
    s = substr(s, from + length(all))
    changed = 1
  }
  if (changed) replace(i, "    " done s "\n")
}

# (((a[0U] & (- bit 0 of s)) | (a[1U] & ...)) | ...), elements `from` to `to`, after what is there
# already. The last bit of s is not masked: it is bit n-1.
function selection(from, to, n, there, array, of,  k, all, one) {
  all = there
  for (k = from; k <= to; k++) {
    one = k == 0 ? "(1U&" of ")" : k == n - 1 ? "(" of ">>" hex(k) ")" : "(1U&(" of ">>" hex(k) "))"
    one = "(" array "[" hex(k) "]&(-(IData)(" one ")))"
    all = all == "" ? one : "(" all "|" one ")"
  }
  return all
}
# Verilator writes a long one as several statements, each of which goes on with the target of the one
# before.
function find_selection(i,  s, right, rest, p) {
  s = bare[i]
  if (s !~ /^[A-Za-z_0-9>-]+=\(+[^=]*&\(-\(IData\)\(\(.*>>[^=]*;$/) return
  right = s
  sub(/^[^=]*=/, "", right); sub(/;$/, "", right)
  if (!match(right, /vlSelf->[A-Za-z_0-9]+\[(0x)?[0-9a-f]+U\]&\(-\(IData\)\(/)) return
  array[i] = from[i] = substr(right, RSTART, RLENGTH)
  sub(/\[.*/, "", array[i])
  sub(/^[^[]*\[/, "", from[i]); sub(/\].*/, "", from[i])
  from[i] = number(from[i])
  there[i] = ""
  if (match(right, /^\(+\(IData\)\([A-Za-z_0-9>-]+\)\|/)) {
    there[i] = substr(right, 1, RLENGTH - 1)
    sub(/^\(+IData/, "(IData", there[i])
  }
  for (rest = right; match(rest, />>(0x)?[0-9a-f]+U\)/); rest = substr(rest, RSTART + RLENGTH))
    to[i] = number(substr(rest, RSTART + 2, RLENGTH - 3))
  of[i] = right
  sub(/>>.*/, "", of[i]); sub(/.*[(]/, "", of[i])
  bits[i] = right == selection(from[i], to[i], to[i] + 1, there[i], array[i], of[i]) ? to[i] + 1 : 0
  if (!bits[i] && right != selection(from[i], to[i], 0, there[i], array[i], of[i])) return
  target[i] = s
  sub(/=.*/, "", target[i])
  made[target[i]] = i
}
function is_written(name, i, j) { # between two statements; perhaps
  while (++i < j) {
    if (bare[i] ~ /\(vlSelf[,)]|^#/) return 1
    if (index(bare[i], name) == 0) continue
    if (index(bare[i], name "=") || index(bare[i], "VL_") || bare[i] ~ /\]=|\+\+|--/) return 1
  }
  return 0
}
function count_of(name,  i, c) {
  for (i = 0; i < n; i++) if (bare[i] ~ ("(^|[^A-Za-z_0-9])" name "([^A-Za-z_0-9]|$)")) c++
  return c
}
function join_selections(  i, p, before) {
  for (i = 0; i < n; i++) find_selection(i)
  for (i = 0; i < n; i++) {
    if (!(i in target)) continue
    before = there[i]
    gsub(/^\(IData\)\(|\)$/, "", before)
    if (before != "" && before in made && (p = made[before]) < i && p in target && to[p] + 1 == from[i] &&
        array[p] == array[i] && of[p] == of[i] && before in local && count_of(before) == 4 &&
        !is_written(array[i], p, i) && !is_written(of[i], p, i)) {
      from[i] = from[p]; there[i] = there[p]
      replace(p, "")
      delete target[p]
    }
  }
  for (i in target)
    if (to[i] - from[i] > 2)
      replace(i, "    " target[i] " = " (there[i] == "" ? "" : there[i] " | ") "rtl_runtime_selected(" array[i] ", " \
        (from[i] == 0 && bits[i] ? of[i] : "(QData)" of[i] " & (rtl_runtime_all(" to[i] + 1 ") ^ rtl_runtime_all(" from[i] "))") ");\n")
}

# n = (1U & m); n = (0x3fU & ((IData)(n) + (1U & (m >> 1U)))); ... (m >> 0x1fU)
function ones(i,  s, name, mask, of, all, k, j) {
  if (bare[i] !~ /^[A-Za-z_0-9]+=\(1U&[A-Za-z_0-9>-]+\);$/) return
  name = of = bare[i]
  sub(/=.*/, "", name)
  sub(/.*&/, "", of); sub(/\);$/, "", of)
  if (!match(bare[i + 1], /^[A-Za-z_0-9]+=\((0x)?[0-9a-f]+U&/)) return
  mask = substr(bare[i + 1], length(name) + 3, RLENGTH - length(name) - 3)
  all = name "=(" mask "&((IData)(" name ")+"
  for (k = 1; bare[i + k] == all "(1U&(" of ">>" hex(k) "))));"; k++);
  if (bare[i + k] != all "(" of ">>" hex(k) ")));" || number(mask) <= k) return
  replace(i, "    " name " = rtl_runtime_ones(" of ");\n")
  for (j = 1; j <= k; j++) replace(i + j, "")
}

# ---- statements --------------------------------------------------------------

# A condition that is false unless one bit of a variable is set: its number, and the variable's name
# in `by`; -1 for any other. Behind &(~ may follow what must not be set.
function guard(c,  masked, k) {
  k = c
  gsub(/->|>>/, "", k)
  if (k ~ /[-|^+*\/%<>=!?:,[]/) return -1
  masked = sub(/^\(1U&/, "", c) && sub(/\)$/, "", c)
  sub(/&\(~.*$/, "", c)
  gsub(/\(IData\)|[()]/, "", c)
  if (c !~ /^[A-Za-z_0-9>-]+$/ && c !~ /^[A-Za-z_0-9-]+(->[A-Za-z_0-9]+)?>>(0x)?[0-9a-f]+U$/) return -1
  by = k = c
  sub(/>>.*/, "", by); sub(/.*>>/, "", k)
  if (k == c) return masked ? 0 : -1
  return number(k)
}
# Whether line i opens a statement that does nothing unless a bit of one of `vars` is set. `end` is its
# last line, `place` the number of the bit.
function find_sparse(i,  c, j, k, depth) {
  if (bare[i] !~ /^if\(\(.*\)\{$/) return 0
  vars = ""; place = -1; depth = 1
  for (j = i; ; j++) {
    if (j == i || (depth == 1 && bare[j] ~ /^\}else.*\{$/)) {
      c = bare[j]
      if (!sub(/^(\}else)?if\(/, "", c) || !sub(/\)\{$/, "", c)) return 0
      k = guard(c)
      if (k < 0 || (place >= 0 && k != place)) return 0
      place = k
      if (index(" " vars " ", " " by " ") == 0) vars = vars " " by
    } else {
      if (bare[j] ~ /^(else|case|default|break|return|goto|#)/ || bare[j] ~ /^\}./) return 0
      depth += (bare[j] ~ /\{$/) - (bare[j] ~ /^\}/)
    }
    if (depth == 0) break
  }
  end = j
  return 1
}
# step = old ^ ((-(up & ~down) & rise) | (-(down & ~up) & fall)): a counter that keeps its value unless one
# of two bits is set. From line i on: temporaries, the step, its delayed write.
function find_step(i,  s, j, part, name, up, down, old, result, temp) {
  if (bare[i] !~ /^__Vfunc_[A-Za-z_0-9]+=\(1U&/) return 0
  split("", name)
  for (j = i; bare[j] ~ /^__Vfunc_[A-Za-z_0-9]+=[^=]/; j++) {
    s = temp = bare[j]
    sub(/=.*/, "", temp)
    if (temp in name) return 0
    name[temp] = s
    sub(/^[^=]*=/, "", name[temp]); sub(/;$/, "", name[temp])
    if (!match(s, /=\(\(IData\)\(__Vfunc_[A-Za-z_0-9]+\)\^\(\(\(-\(IData\)\(\(\(IData\)\(/)) continue
    gsub(/\(IData\)|[()=;^&|~-]/, " ", s)
    sub(/^ +/, "", s)
    if (split(s, part, / +/) < 8) return 0
    result = part[1]; old = part[2]; up = part[3]; down = part[4]
    if (bare[j] != result "=((IData)(" old ")^(((-(IData)(((IData)(" up ")&(~(IData)(" down ")))))&(IData)(" part[5] "))|((-(IData)(((IData)(" \
        down ")&(~(IData)(" up ")))))&(IData)(" part[8] "))));") return 0
    break
  }
  if (result == "" || !(old in name) || !(up in name) || !(down in name) || name[old] !~ /^vlSelf->[A-Za-z_0-9]+\[/) return 0
  place = guard(name[up]); vars = " " by
  if (place < 0 || guard(name[down]) != place) return 0
  vars = vars " " by
  temp = result
  if (bare[++j] ~ ("^vlSelf->[A-Za-z_0-9]+Vlvbound[A-Za-z_0-9]*=" result ";$")) { # a copy of it
    temp = bare[j++]
    sub(/=.*/, "", temp)
  }
  s = bare[j]
  sub(/=.*/, "", s)
  if (!(s in value_of) || bare[j] != s "=" temp ";" || value_of[s] != name[old]) return 0
  if (bare[j + 1] != set_of[s] "=1U;" || !is_first[s]) return 0
  end = j + 1
  return 1
}

# if (set) { a[3U] = value; }: which element a delayed write is of.
function find_delayed(i,  set, value, part) {
  if (bare[i] !~ /^if\(__Vdlyvset__[A-Za-z_0-9]+\)\{$/ || bare[i + 2] != "}") return 0
  if (bare[i + 1] !~ /^vlSelf->[A-Za-z_0-9]+\[(0x)?[0-9a-f]+U\]=__Vdlyvval__[A-Za-z_0-9]+;$/) return 0
  set = bare[i]
  gsub(/^if\(|\)\{$/, "", set)
  value = element = bare[i + 1]
  sub(/.*=/, "", value); sub(/;$/, "", value); sub(/=.*/, "", element)
  if (!(set in local) || !(value in local) || split(lines_of[set], part, / /) != 5 || split(lines_of[value], part, / /) != 4) return 0
  value_of[value] = element
  set_of[value] = set
  delayed = value
  return 1
}
# Of each delayed write: whether no other write to the same element comes before it at the edge.
function find_all_delayed(  i, a, k, run) {
  split("", written)
  for (i = 0; i < n; i++) {
    if (!find_delayed(i)) {
      a = bare[i]
      if (sub(/\[[^=]*\]=.*/, "", a)) written[a]
      run = ""
      continue
    }
    a = element_array(element)
    if (run != a || element_index(element) <= k) run = (a in written) ? "" : a
    k = element_index(element)
    is_first[delayed] = run == a
    written[a]
    i += 2
  }
}

# What lies between two sparse statements of a run: nothing. At most two variables decide.
function loops(  i, at, all, c, k, runs, start, last, pl, part_of) {
  for (i = 0; i < n; i = runs ? at : i + 1) {
    split("", start); split("", last); split("", pl)
    all = ""; runs = 0
    for (at = i; at < n && (find_sparse(at) || find_step(at)); at = end + 1) {
      if (runs && place < pl[runs - 1]) break
      c = all
      for (k = split(vars, part_of, / /); k > 0; k--)
        if (part_of[k] != "" && index(c " ", " " part_of[k] " ") == 0) c = c " " part_of[k]
      if (split(c, part_of, / /) > 3) break
      all = c
      start[runs] = at; last[runs] = end; pl[runs++] = place
    }
    for (k = split(all, part_of, / /); k > 0 && runs; k--)
      if (part_of[k] != "" && is_written(part_of[k], i - 1, at)) runs = 0
    if (runs && pl[runs - 1] - pl[0] >= 7) loop(runs, start, last, pl, all)
  }
}
function loop(runs, start, last, pl, all,  r, j) {
  gsub(/^ +/, "", all)
  gsub(/ +/, " | (QData)", all)
  for (r = 0; r < runs; r++) {
    for (j = start[r]; j <= last[r]; j++)
      if (bare[j] ~ /^(\}else)?if\(/) sub(/if \(/, "if (0U != ", text[j])
    if (r == 0)
      before[start[r]] = "    for (QData rtl_left = (QData)" all "; rtl_left; rtl_left &= rtl_left - 1) switch (__builtin_ctzll(rtl_left)) {\n"
    if (r == 0 || pl[r] != pl[r - 1]) before[start[r]] = before[start[r]] "    case " pl[r] ": {\n"
    if (r + 1 == runs || pl[r] != pl[r + 1]) after[last[r]] = "    break; }\n"
    if (r + 1 == runs) after[last[r]] = after[last[r]] "    }\n"
  }
}

# Delayed writes to the elements of one array, one after another: the flags become bits of one word.
function delayed_runs(  i, at, a, k, runs, list) {
  for (i = 0; i < n; i = runs ? at : i + 1) {
    split("", list)
    runs = 0
    for (at = i; at < n && find_delayed(at); at += 3) {
      if (runs && (element_array(element) != a || element_index(element) <= k)) break
      a = element_array(element)
      k = element_index(element)
      list[runs++] = delayed
    }
    if (runs >= 16 && runs <= 64) delayed_run(i, runs, list, a)
  }
}
function element_array(e) { sub(/\[.*/, "", e); return e }
function element_index(e) { sub(/.*\[/, "", e); sub(/\].*/, "", e); return number(e) }
function delayed_run(i, runs, list, a,  r, k, j, line, set, value, type, at) {
  if (element_index(value_of[list[runs - 1]]) > 63) return
  rerolled++
  for (r = 0; r < runs; r++) {
    value = list[r]; set = set_of[value]
    k = element_index(value_of[value])
    for (j = split(lines_of[set], line, / /); j > 0; j--) {
      at = line[j]
      if (bare[at] == set "=1U;") sub(set "[ \n]*=[ \n]*1U", "rtl_set" rerolled " |= 1ULL << " k, text[at])
      else if (at < i) text[at] = ""
    }
    for (j = split(lines_of[value], line, / /); j > 0; j--) {
      at = line[j]
      if (at == local[value]) {
        type = bare[at]
        sub(/Data.*/, "Data", type)
        text[at] = r ? "" : "    " type " rtl_value" rerolled "[64];\n    QData rtl_set" rerolled " = 0;\n"
      }
      else if (bare[at] == value "=0;") text[at] = ""
      else sub(value, "rtl_value" rerolled "[" k "]", text[at])
    }
    text[i + 3 * r] = text[i + 3 * r + 1] = text[i + 3 * r + 2] = ""
  }
  text[i] = "    for (QData rtl_left = rtl_set" rerolled "; rtl_left; rtl_left &= rtl_left - 1)\n        " \
    a "[__builtin_ctzll(rtl_left)] = rtl_value" rerolled "[__builtin_ctzll(rtl_left)];\n"
}

# ---- a function ----------------------------------------------------------------

function reroll(  i, s, name) {
  split("", local); split("", lines_of); split("", value_of); split("", set_of); split("", before)
  split("", after); split("", target); split("", made); split("", array); split("", from); split("", to)
  split("", there); split("", of); split("", bits); split("", is_first)
  for (i = 0; i < n; i++) {
    if (bare[i] ~ /^[CSIQ]Data(\/\*[^*]*\*\/)?[A-Za-z_0-9]+;$/) {
      name = bare[i]
      sub(/^.Data(\/\*[^*]*\*\/)?/, "", name); sub(/;$/, "", name)
      local[name] = i
    }
    for (s = bare[i]; match(s, /__Vdlyv(set|val)__[A-Za-z_0-9]+/); s = substr(s, RSTART + RLENGTH)) {
      name = substr(s, RSTART, RLENGTH)
      lines_of[name] = lines_of[name] (name in lines_of && lines_of[name] != "" ? " " : "") i
    }
  }
  for (i = 0; i < n; i++) {
    ones(i)
    if (bare[i] ~ /^[A-Za-z_0-9>-]+=[^=].*<<.*;$/) equalities(i)
  }
  join_selections()
  find_all_delayed()
  loops()
  delayed_runs()
  for (i = 0; i < n; i++) printf "%s%s%s", before[i], text[i], after[i]
  printf "%s", text[n]
}
!inside { print }
/^(VL_INLINE_OPT )?void Vdut___024root___.*\{$/ { inside = 1; n = 0; text[0] = ""; next }
inside && /^\}/ { reroll(); print; inside = 0; next }
inside { # one line of Verilator's; a statement may have several
  text[n] = text[n] $0 "\n"
  line = $0
  gsub(/"([^"\\]|\\.)*"/, "\"", line)
  gsub(/[ \t]/, "", line)
  sub(/\/\/.*/, "", line)
  code = code line
  if (code ~ /[;{}]$/ || code ~ /^(#.*)?$/) {
    bare[n] = code
    code = ""
    text[++n] = ""
  }
}
