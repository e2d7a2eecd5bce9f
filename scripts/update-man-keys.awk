# Writes the keys of one part of a manual page in mdoc, for scripts/update-man. Standard input: lines of --list-keys.
# Variables: block: name or path whose keys are shown, "-": all; without: paths whose keys are not shown, with commas
# between, "-": none; part: name of the part; self: name of the page; blocks: file with a line "BLOCK PAGE" for each
# block that another part shows. The functions of update-man precede this file.

# Whether a key is below one of the paths of `without`, which commas separate.
function is_elsewhere(path,    k, n, other) {
  n = split(without, other, ",")
  for (k = 1; k <= n; k++)
    if (other[k] != "-" && path != other[k] && is_below(path, other[k])) return 1
  return 0
}

function is_below(path, key) {
  return path == key || index(path, key ".") == 1 || index(path, key "[") == 1
}
function parent(path) {
  return sub(/\.[^.]*$/, "", path) ? path : ""
}
function last(path) {
  sub(/^.*\./, "", path)
  return path
}
function range(text,   word, n, i, out) {
  n = split(text, word, " ")
  for (i = 1; i <= n; i++) out = out (i > 1 ? " " : "") number(word[i])
  gsub(/\|/, ", ", out)
  return out
}
# Returns the name of the block in a type such as "list of TYRE or file"; empty: there is none.
function refers(type) {
  return match(type, /[A-Z][A-Z_0-9]+/) ? substr(type, RSTART, RLENGTH) : ""
}
function quoted(text) {
  text = roff(text)
  gsub(/"/, "\\(dq", text)
  return "\"" text "\""
}

# --- one entry

function value_of(i,   line) {
  line = type[i] (unit[i] != "" && unit[i] != "1" ? " in " unit[i] : "")
  if (limits[i] != "") line = line (type[i] == "choice" ? ": " : ", ") range(limits[i])
  if (fallback[i] == "required") return line "; required"
  if (fallback[i] ~ /^(""|\[\]|\{\}|\{type: none\})$/) return line "; default: none"
  return line "; default: " roff(fallback[i])
}
function open_list() {
  if (!listing) print ".Bl -tag -width Ds -compact"
  listing = 1
}
function close_list() {
  if (listing) print ".El"
  listing = 0
}
function entry(i, prefix, variants, others,   line) {
  if (is_format(i) && block != "POINTS") {
    if (last(path[i]) == "separator") format_entry(i, prefix)
    return
  }
  open_list()
  line = value_of(i)
  if (variants && when[i] != "") line = line "; only where " tag_of(when[i]) " is " listed(when[i])
  printf ".It Cm %s : No %s\n%s.\n%s\n", substr(path[i], length(prefix) + 1) others, quoted(example[i]),
    toupper(substr(line, 1, 1)) substr(line, 2), sentence(help[i])
  shown[last(path[i]) SUBSEP help[i]] = 1
  if (refers(type[i]) != "" && !(refers(type[i]) in wanted)) {
    wanted[refers(type[i])] = 1
    order[++orders] = refers(type[i])
  }
}
function tag_of(text) {
  sub(/=.*/, "", text)
  return text
}
function listed(text) {
  sub(/^[^=]*=/, "", text)
  gsub(/\|/, " or ", text)
  return text
}
# Returns the number of lines from i on whose keys differ only in their names, and sets `alike` to further names.
function count_alike(i,   n) {
  alike = ""
  for (n = 1; i + n <= lines && parent(path[i + n]) == parent(path[i]) && text_of[i + n] == text_of[i]; n++)
    alike = alike " , " last(path[i + n])
  return n
}
function is_shown(from, i) {
  if (refers(type[from]) == "" || refers(type[i]) != refers(type[from]) ||
      parent(path[i]) != parent(path[from])) return 0
  return (last(path[i]) SUBSEP help[i]) in shown
}
# Returns the number of lines from i on whose keys refer to one block and were explained before, 0 if there are few;
# sets `alike` to their names.
function count_shown(i,   n) {
  alike = ""
  for (n = 0; i + n <= lines && is_shown(i, i + n); n++) alike = alike (n ? " , " : "") last(path[i + n])
  return n < 4 ? 0 : n
}
# Shows the key of line i, and the keys after it that share its entry; returns their number.
function entries(i, prefix, variants,   n, k) {
  n = count_shown(i)
  for (k = i; k < i + (n ? n : count_alike(i)); k++) told[k] = 1
  if (n) {
    open_list()
    printf ".It Cm %s.* : No %s\n%s.\n", substr(parent(path[i]), length(prefix) + 1), quoted(example[i]), type[i]
    printf "One for each of\n.Cm %s ,\nwith the meanings above.\n", alike
    return n
  }
  n = count_alike(i)
  entry(i, prefix, variants, alike)
  return n
}

# Keys of the form of text files, which all mappings with a file have. vdsim-tyre(5) describes them.
function is_format(i) {
  return last(path[i]) ~ /^(separator|decimal|missing|skip|comment)$/
}
function format_entry(i, prefix) {
  open_list()
  printf ".It Cm %s", substr(parent(path[i]), length(prefix) + 1) (parent(path[i]) "." == prefix ? "" : ".")
  print "separator , decimal , missing , skip , comment"
  print "How the file is written, as explained for points in\n" \
    (self == "vdsim-tyre.5" ? ".Sx Points ." : ".Xr vdsim-tyre 5 .")
}

# --- mappings

# Whether the keys of a mapping differ so much by its tag that each variant has a section.
function has_sections(top) {
  return own[top] > 12
}
# Returns the nearest mapping with sections above a key, or `top`.
function section_of(key, top,   at) {
  for (at = parent(key); at != "" && at != top; at = parent(at))
    if (has_sections(at)) return at
  return top
}
# Returns the line of the key of mapping `top` to which line i belongs: the line itself, or the line of a key above it.
function key_of(i, top,   at) {
  at = path[i]
  while (parent(at) != top) at = parent(at)
  sub(/\[\]$/, "", at)
  return at
}
function variants_of(i, top,   at) {
  for (at = i; at >= 1; at--)
    if (path[at] == key_of(i, top)) return when[at]
  return ""
}
function heading(text) {
  close_list()
  print ".Ss " text
}
function show(top, name,   i, n, at, choice, tag, any, prefix) {
  prefix = top == "" ? "" : top "."
  for (i = 1; i <= lines; i++) {
    if (!is_mine(i, top) || (has_sections(top) && variants_of(i, top) != "")) continue
    i += entries(i, prefix, 1) - 1
  }
  if (has_sections(top)) {
    for (i = 1; i <= lines; i++)
      if (parent(path[i]) == top && when[i] != "") tag = tag_of(when[i])
    for (i = 1; i <= lines; i++)
      if (path[i] == prefix tag) n = split(limits[i], choice, "|")
    for (i = 1; i <= lines; i++)
      if (is_mine(i, top) && variants_of(i, top) ~ /\|/) {
        if (!any++) heading(name " of several " tag "s")
        i += entries(i, prefix, 1) - 1
      }
    for (i = 1; i <= n; i++) show_variant(top, prefix, name " of " tag " " choice[i], choice[i])
  }
  close_list()
  for (i = 1; i <= lines; i++)
    if (is_mine(i, top)) {
      at = path[i] (type[i] ~ /^list/ ? "[]" : "")
      if (at in begun || !has_sections(at)) continue
      begun[at] = 1
      heading("Keys of " substr(at, length(prefix) + 1))
      show(at, at)
    }
}
function is_inside(key, top) {
  return top == "" || is_below(key, top)
}
function is_mine(i, top) {
  return path[i] != top && is_inside(path[i], top) && section_of(path[i], top) == top
}
function has(text, choice) {
  sub(/^[^=]*=/, "", text)
  return index("|" text "|", "|" choice "|") > 0
}
function show_variant(top, prefix, title, choice,   i, needs, may, own_keys) {
  for (i = 1; i <= lines; i++) {
    if (parent(path[i]) != top || path[i] == top || !has(when[i], choice)) continue
    if (fallback[i] == "required") needs = needs (needs == "" ? "" : " , ") last(path[i])
    else may = may (may == "" ? "" : " , ") last(path[i])
    own_keys += when[i] !~ /\|/
  }
  if (needs may == "") return
  heading(title)
  if (needs != "") print "It needs\n.Cm " needs (may == "" ? " ." : " ;")
  if (may != "") print (needs == "" ? "It" : "it") " may have\n.Cm " may " ."
  for (i = 1; i <= lines; i++)
    if (is_mine(i, top) && variants_of(i, top) !~ /\|/ && has(variants_of(i, top), choice))
      i += entries(i, prefix, 0) - 1
  close_list()
}

BEGIN {
  FS = "\t"
  while ((getline <blocks) > 0) {
    split($0, pair, " ")
    page[pair[1]] = pair[2]
  }
}
NF != 8 { print "update-man: a line of --list-keys has " NF " fields: " $1 >"/dev/stderr"; bad = 1 }
{ all[++count] = $0 }
function load(name, top,   i, field) {
  lines = 0
  split("", own)
  split("", told)
  for (i = 1; i <= count; i++) {
    split(all[i], field, "\t")
    if (name == "-" ? field[1] ~ /^[A-Z]/ : !is_below(field[1], top)) continue
    if (is_elsewhere(field[1])) continue
    path[++lines] = field[1]; type[lines] = field[2]; unit[lines] = field[3]; limits[lines] = field[4]
    fallback[lines] = field[5]; help[lines] = field[6]; when[lines] = field[7]; example[lines] = field[8]
    text_of[lines] = type[lines] FS unit[lines] FS limits[lines] FS fallback[lines] FS help[lines] FS when[lines]
    if (index("," without ",", "," field[1] ",")) limits[lines] = "" # its keys are elsewhere
    if (when[lines] != "") own[parent(path[lines])]++
  }
}
# Checks that every key of the part is on the page.
function check_told(top,   i) {
  for (i = 1; i <= lines; i++)
    if (path[i] != top && !told[i]) {
      print "update-man: the key " path[i] " is not shown" >"/dev/stderr"
      bad = 1
    }
}
END {
  if (bad) exit 1
  top = block == "-" ? "" : block
  load(block, top)
  if (block ~ /^[A-Z]/) print "The keys of\n.Cm " block " :"
  show(top, part)
  check_told(top)
  for (o = 1; o <= orders; o++) {
    if (order[o] == block || order[o] in page) continue
    heading("Keys of " order[o])
    load(order[o], order[o])
    show(order[o], order[o])
    check_told(order[o])
  }
  for (o = 1; o <= orders; o++)
    if (order[o] in page && page[order[o]] != self) {
      close_list()
      xr = page[order[o]]
      section = xr
      sub(/^.*\./, "", section)
      sub(/\.[0-9]$/, "", xr)
      print ".Pp\nThe keys of\n.Cm " order[o] "\nare in\n.Xr " xr " " section " ."
    }
  exit bad
}
