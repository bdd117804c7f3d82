# SPDX-License-Identifier: Apache-2.0
# Prints the functions that libmrpb.h declares and does not define, one name per line: the exports
# of the libraries.
# usage: awk -f cmodel/header/public.awk libmrpb.h | sort
/^#/ { macro = /\\$/; next }
macro { macro = /\\$/; next }
{
  gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, " ")
  if (comment) { if (!sub(/.*\*\//, "")) next; comment = 0 }
  if (sub(/\/\*.*/, "")) comment = 1
  text = text " " $0
}
END {
  n = split(text, part, "")
  for (i = 1; i <= n; i++) {
    c = part[i]
    if (c == "{") depth += ! (said ~ /extern "C" *$/)
    if (c == "{" || c == "}" || c == ";") {
      if (c == ";" && depth == 0 && said !~ /typedef/ && match(said, /[a-z0-9_]+\(/))
        print substr(said, RSTART, RLENGTH - 1)
      if (c == "}" && depth > 0) depth--
      said = ""
    } else said = said c
  }
}
