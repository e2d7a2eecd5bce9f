# Names for sources that are compiled twice (VD_WIDE of base/base.h): plain, for any processor, and avx2.
#   awk -v output=plain|avx2|choice -f lib/wide_names.awk SOURCE...
# plain and avx2 are headers, which the compilation of that name includes first, and choice is a source. Marked
# functions have a name in each compilation, and their own name is the one that is chosen when the program starts.
# All other external functions and objects keep their names in the plain compilation, and have other names, which no
# other file uses, in the avx2 one. So does a marked object, a row of functions, which a marked function returns.
function name_of(line) {
  sub(/(\[[^]]*\])* = .*|\(.*/, "", line)
  sub(/.*[ *]/, "", line)
  return line
}

/^VD_WIDE .* = / { own[++owns] = name_of($0); next }
/^VD_WIDE / { marked[++marks] = name_of($0); next }
/^(VD_INLINE|VD_NOINLINE|typedef|static) / { next }
/^[a-z].*[ *]vd_[a-z0-9_]+(\(|(\[[^]]*\])* = )/ { own[++owns] = name_of($0) }

END {
  if (output != "choice") {
    for (i = 1; i <= marks; i++) printf "#define %s %s_%s\n", marked[i], marked[i], output
    for (i = 1; i <= owns && output == "avx2"; i++) printf "#define %s %s_avx2\n", own[i], own[i]
  } else {
    print "typedef void function(void);"
    print "static function *chosen(function *plain, function *avx2) {"
    print "  __builtin_cpu_init();"
    print "  return __builtin_cpu_supports(\"avx2\") ? avx2 : plain;"
    print "}"
    choice = "function NAME_plain, NAME_avx2;\n" \
      "__attribute__((used)) static function *choose_NAME(void) { return chosen(NAME_plain, NAME_avx2); }\n" \
      "function NAME __attribute__((ifunc(\"choose_NAME\"), visibility(\"default\")));"
    for (i = 1; i <= marks; i++) {
      line = choice
      gsub(/NAME/, marked[i], line)
      print line
    }
  }
}
