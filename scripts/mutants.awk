# Draws errors for scripts/mutate: reads sources, prints lines "| file | sed expression | what is broken".
# Variables: wanted, how many; seed, a number. The same seed and sources draw the same errors with every awk.
# An error is one of a kind: a sign, a number that is a tenth larger, an index, a term that is dropped, two members or functions
# that are exchanged. Each kind is drawn equally often, whatever its places are.

BEGIN {
  kinds = split("sign number index term member", kind, " ")
  pairs = split("x y|y z|z x|fx fy|fy fz|mx my|my mz|vx vy|ax ay|front rear|roll pitch|kappa alpha|sine cosine|stiffness damping|ahead left", pair, "|")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], two, " ")
    if (!(two[1] in other)) other[two[1]] = two[2]
    if (!(two[2] in other)) other[two[2]] = two[1]
  }
  other["VD_FRONT"] = "VD_REAR"; other["VD_REAR"] = "VD_FRONT"
  other["vd_sin"] = "vd_cos"; other["vd_cos"] = "vd_sin"
  other["vd_least"] = "vd_most"; other["vd_most"] = "vd_least"
}

function escaped(text) {
  gsub(/[][\\.*^$\/]/, "\\\\&", text)
  return text
}

function put(which, at, old, new) { # at: characters before it
  if (old ~ /\|/ || new ~ /\|/ || substr(line, 1, at) ~ /"/) return
  n = ++count[which]
  gsub(/[\\&\/]/, "\\\\&", new)
  edit[which, n] = FNR "s/^\\(.\\{" at "\\}\\)" escaped(old) "/\\1" new "/"
  file[which, n] = FILENAME
  shown[which, n] = line
}

# The length of the term that begins at a place: up to what ends it on its own level of brackets.
function term_length(text, at,    depth, c, i) {
  depth = 0
  for (i = at; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c ~ /[([{]/) depth++
    else if (c ~ /[])}]/ && --depth < 0) return i - at
    else if (substr(text, i, 2) == "->") i++
    else if (depth == 0 && (c ~ /[;,?:<>=|]/ || substr(text, i, 2) == "&&" || (i > at && substr(text, i, 3) ~ /^ [-+] /))) return i - at
  }
  return 0 # goes on in the next line
}

function find_places(    rest, at, word, c, length_of) {
  rest = line; at = 0
  while (match(rest, / [-+] /)) {
    at += RSTART - 1
    c = substr(line, at + 2, 1)
    put("sign", at + 1, c, c == "+" ? "-" : "+")
    length_of = term_length(line, at + 4)
    if (length_of > 0) put("term", at, substr(line, at + 1, 3 + length_of), "")
    rest = substr(line, at + 3); at += 2
  }
  rest = line; at = 0
  while (match(rest, /[0-9]+\.[0-9]+(e[-+]?[0-9]+)?/)) {
    at += RSTART - 1
    word = substr(rest, RSTART, RLENGTH)
    if (word + 0 != 0) put("number", at, word, "(1.1 * " word ")")
    at += RLENGTH
    rest = substr(line, at + 1)
  }
  rest = line; at = 0
  while (match(rest, /\[[0-2]\]/)) {
    at += RSTART - 1
    c = substr(line, at + 2, 1)
    put("index", at + 1, c, (c + 1) % 3)
    at += 3
    rest = substr(line, at + 1)
  }
  rest = line; at = 0
  while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
    at += RSTART - 1
    word = substr(rest, RSTART, RLENGTH)
    c = at > 0 ? substr(line, at, 1) : " "
    if (word in other && (c == "." || c == ">" || word ~ /^(VD|vd)_/)) put(word ~ /^VD_/ ? "index" : "member", at, word, other[word])
    at += RLENGTH
    rest = substr(line, at + 1)
  }
}

{
  line = $0
  if (inside) {
    if (index(line, "*/")) inside = 0
    next
  }
  if (match(line, /\/\*/)) {
    if (!index(substr(line, RSTART), "*/")) inside = 1
    line = substr(line, 1, RSTART - 1)
  }
  if (line ~ /^[ \t]*(#|static_assert|assert|return false|case |enum )/ || line ~ /assert\(|for \(|"/) next
  if (line ~ /size_t|alloc|memcpy|memmove/) next # sizes and places in memory: they crash, or nothing happens
  if (line ~ /^ *(const |static |struct |enum )*(double|int|bool|unsigned|vd_[a-z_0-9]*) [^=()]*;/) next # declarations
  if (line ~ /^[a-z]/ && line !~ /=/) next
  find_places()
}

function draw(below) { # 0 to below - 1, by Lewis, Goodman and Miller's generator
  state = (state * 16807) % 2147483647
  return int(state / 2147483647 * below)
}

END {
  state = seed % 2147483646 + 1
  draw(1); draw(1)
  while (given < wanted) {
    which = kind[given % kinds + 1]
    if (count[which] == 0 || tries++ > 100 * wanted) { print "mutants.awk: too few places" >"/dev/stderr"; exit 1 }
    n = draw(count[which]) + 1
    if ((which, n) in drawn) continue
    drawn[which, n]
    given++
    name = file[which, n]
    sub(/^lib\//, "", name)
    text = shown[which, n]
    gsub(/^ +| +$/, "", text)
    gsub(/\|/, "/", text)
    print "|" name "|" edit[which, n] "|" which ", line " edit[which, n] + 0 ": " text
  }
}
