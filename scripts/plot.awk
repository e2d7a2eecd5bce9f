# What scripts/plot draws with: reads the table of pictures and the logs, writes $work/d* with the points of every line and
# gnuplot's script. It lays out all text itself, in pixels, with widths of letters that are not too small: none overlaps.
# In the environment: what scripts/plot was told. Arguments: the table, the user's channels, logs.

# --- expressions: a tree of nodes, one a number, a column, a metric or an operation ---

function next_token() {
  sub(/^ +/, "", source)
  if (source == "") { token = kind = ""; return }
  if (match(source, /^[0-9.]+(e[-+]?[0-9]+)?/)) kind = "number"
  else if (match(source, /^[A-Za-z_][A-Za-z0-9_.]*/)) kind = "name"
  else { kind = "sign"; match(source, /^([<>]=|.)/) }
  token = substr(source, 1, RLENGTH)
  source = substr(source, RLENGTH + 1)
}
function node(what, left, right) {
  nodes++
  op[nodes] = what
  first_of[nodes] = left
  second_of[nodes] = right
  return nodes
}
# Operators of one precedence from left to right; the highest level is a sign, a power or a single thing.
function parse(level,    left, what) {
  if (level == 5) {
    if (token == "-") { next_token(); return node("negative", parse(5)) }
    left = parse_one()
    if (token == "^") { next_token(); return node("^", left, parse(5)) }
    return left
  }
  left = parse(level + 1)
  while (kind == "sign" && index(level == 1 ? "&" : level == 2 ? "< > <= >=" : level == 3 ? "+ -" : "* /", token)) {
    what = token
    next_token()
    left = node(what, left, parse(level + 1))
  }
  return left
}
function parse_one(    name, left, rest) {
  name = token
  if (kind == "number") { next_token(); return node("number", name + 0) }
  if (name == "(") {
    next_token()
    left = parse(1)
    next_token()
    return left
  }
  next_token()
  if (token == "(") {
    next_token()
    left = parse(1)
    next_token()
    return node(name, left)
  }
  if (name in macro) {
    rest = token "\n" kind "\n" source
    left = expression(macro[name])
    token = rest; sub(/\n.*/, "", token)
    sub(/^[^\n]*\n/, "", rest)
    kind = rest; sub(/\n.*/, "", kind)
    sub(/^[^\n]*\n/, "", rest)
    source = rest
    return left
  }
  return named(name)
}
function expression(text) {
  source = text
  next_token()
  return parse(1)
}
# A column of the first log, what is derived from its rows, or a number of the run: a metric or a key.
function named(name,    base) {
  base = name
  sub(/\.start$/, "", base)
  if ((1, base) in column) { wanted[base] = 1; return node(base == name ? "column" : "start", base) }
  if (name ~ /^(steady|turn|cycles|end)$/) {
    if (name == "steady" || name == "turn") need_ay = 1
    if (name == "cycles") need_wheel = 1
    return node("derived", name)
  }
  return node("fact", name)
}
# A column as the user names it, without operators.
function column_node(name) { wanted[name] = 1; return node("column", name) }

# The value of a node in row `row` of log `now`; sets `bad` where there is none.
function value(n,    what, a, b) {
  what = op[n]
  if (what == "number") return first_of[n]
  if (what == "column") {
    a = cell[first_of[n], row]
    if (a == "") bad = 1
    return a + 0
  }
  if (what == "fact") {
    if (!((now, first_of[n]) in fact)) { bad = 1; return 0 }
    return fact[now, first_of[n]]
  }
  if (what == "start") {
    if (!(n in at_start)) at_start[n] = cell[first_of[n], row] + 0
    return at_start[n]
  }
  if (what == "derived") {
    if (first_of[n] == "end") return last_time
    if (!((first_of[n], 0) in cell) && !((first_of[n], row) in cell)) { bad = 1; return 0 }
    return ((first_of[n], 0) in cell) ? cell[first_of[n], 0] : cell[first_of[n], row]
  }
  a = value(first_of[n])
  if (what == "negative") return -a
  if (what == "abs") return a < 0 ? -a : a
  if (what == "sqrt") { if (a < 0) bad = 1; return a < 0 ? 0 : sqrt(a) }
  if (what == "sin") return sin(a)
  if (what == "cos") return cos(a)
  if (what == "integral") return integral(n, a)
  if (what == "&" && !a) return 0
  b = value(second_of[n])
  if (what == "+") return a + b
  if (what == "-") return a - b
  if (what == "*") return a * b
  if (what == "/") { if (b == 0) bad = 1; return b == 0 ? 0 : a / b }
  if (what == "^") return a ^ b
  if (what == "<") return a < b
  if (what == ">") return a > b
  if (what == "<=") return a <= b
  if (what == ">=") return a >= b
  if (what == "&") return b != 0
  fail("unknown operation \047" what "\047 in the table of pictures")
}
# Trapezoids over time from the first row on; every row is evaluated once.
function integral(n, a,    t) {
  t = cell["t_s", row]
  if (n in integral_row) integral_sum[n] += 0.5 * (a + integral_last[n]) * (t - integral_time[n])
  else integral_sum[n] = 0
  integral_row[n] = row
  integral_last[n] = a
  integral_time[n] = t
  return integral_sum[n]
}
# An expression outside of the rows: of metrics and keys alone. `bad` if one is missing.
function constant(text, l,    result) {
  bad = 0
  now = l
  row = -1
  result = value(expression(text))
  if (text == "") bad = 1
  return result
}
# A text with the {values} of a run; empty if one is missing.
function filled(text, l,    out, part) {
  while (match(text, /\{[^}]*\}/)) {
    part = substr(text, RSTART + 1, RLENGTH - 2)
    out = out substr(text, 1, RSTART - 1)
    text = substr(text, RSTART + RLENGTH)
    part = constant(part, l)
    if (bad) return ""
    out = out short(part)
  }
  return out text
}
function short(x,    text) {
  text = sprintf("%.3g", x)
  return text ~ /e\+/ ? sprintf("%.0f", x) : text
}

# --- units ---

function set_units(    i, n, part) {
  # name, the SI unit of its kind, and its size in that; with _ in place of a blank
  n = split("s s 1 ms s .001 min s 60 m m 1 mm m .001 cm m .01 km m 1000 in m .0254 ft m .3048 rad rad 1 deg rad .0174532925199433 " \
            "rad/s rad/s 1 deg/s rad/s .0174532925199433 1/min rad/s .10471975511966 rpm rad/s .10471975511966 rad/s2 rad/s2 1 " \
            "deg/s2 rad/s2 .0174532925199433 m/s m/s 1 km/h m/s .277777777777778 mph m/s .44704 mm/s m/s .001 m/s2 m/s2 1 g m/s2 9.80665 " \
            "N N 1 kN N 1000 lbf N 4.4482216152605 N_m N_m 1 kN_m N_m 1000 N_m_s N_m_s 1 J J 1 kJ J 1000 MJ J 1e6 W W 1 kW W 1000 " \
            "Hz Hz 1 1/m 1/m 1 Pa Pa 1 kPa Pa 1000 bar Pa 1e5 kg kg 1 N/m N/m 1 N/mm N/m 1000 K K 1 1 1 1 % 1 .01", part, " ")
  for (i = 1; i < n; i += 3) { gsub(/_/, " ", part[i]); gsub(/_/, " ", part[i + 1]); units_of[part[i]] = part[i + 1]; size_of[part[i]] = part[i + 2] }
  order_of_units = n / 3
  for (i = 1; i <= order_of_units; i++) unit_name[i] = part[3 * i - 2]
  n = split("s s m m mm mm rad rad deg deg mps m/s mps2 m/s2 kmh km/h radps rad/s radps2 rad/s2 N N Nm N_m Nms N_m_s J J W W Pa Pa " \
            "bar bar kg kg Hz Hz 1pm 1/m Npm N/m Npmm N/mm degps deg/s K K", part, " ")
  for (i = 1; i < n; i += 2) { gsub(/_/, " ", part[i + 1]); suffix_unit[part[i]] = part[i + 1] }
}
function suffix_of(name,    part, n) {
  n = split(name, part, "_")
  return n > 1 && part[n] in suffix_unit ? part[n] : ""
}
function own_unit(name) { return suffix_of(name) == "" ? "1" : suffix_unit[suffix_of(name)] }
function base_of(name) {
  if (suffix_of(name) != "") sub(/_[^_]*$/, "", name)
  return name
}
function words(name) { name = base_of(name); gsub(/_/, " ", name); return name }
# A channel in the words of the field. Wheels do not count.
function spoken(name,    base) {
  base = base_of(name)
  if (base in said) return said[base]
  if (match(base, /_(fl|fr|rl|rr)$/) && substr(base, 1, RSTART - 1) in said) return said[substr(base, 1, RSTART - 1)] " " words(substr(base, RSTART + 1))
  return words(name)
}
# A glob with * and ? as a regular expression.
function pattern(glob,    i, c, re) {
  re = "^"
  for (i = 1; i <= length(glob); i++) {
    c = substr(glob, i, 1)
    if (c == "*") re = re ".*"
    else if (c == "?") re = re "."
    else if (c ~ /[A-Za-z0-9_]/) re = re c
    else if (c == "[" || c == "]" || c == "-") re = re c
    else re = re "[" c "]"
  }
  return re "$"
}
# The unit in which a channel is shown: as the user says, by the habits of the field, or its own.
function shown_unit(name,    i, own) {
  if (name in shown_memory) return shown_memory[name]
  own = own_unit(name)
  for (i = 1; i <= rules; i++)
    if (name ~ rule_pattern[i] || (i <= own_rules && base_of(name) ~ rule_pattern[i])) {
      if (units_of[rule_unit[i]] == units_of[own]) { rule_used[i] = 1; return shown_memory[name] = rule_unit[i] }
      if (i <= own_rules) fail("\047" name "\047 is in " own ": it can be shown in " alternatives(own) ", not in " rule_unit[i])
    }
  return shown_memory[name] = own
}
function alternatives(own,    i, out) {
  for (i = 1; i <= order_of_units; i++) if (units_of[unit_name[i]] == units_of[own]) out = out (out == "" ? "" : ", ") unit_name[i]
  return out == "" ? own : out
}
function read_unit_rules(text,    i, n, part, unit) {
  n = split(text, part, ",")
  for (i = 1; i <= n; i++) {
    if (part[i] == "") continue
    unit = part[i]
    if (!sub(/^[^=]*=/, "", unit)) fail("-u takes CHANNEL=UNIT, not \047" part[i] "\047")
    sub(/²/, "2", unit)
    if (!(unit in units_of)) fail("unknown unit \047" unit "\047; for example " alternatives("rad/s") ", " alternatives("m/s2") ", " alternatives("m"))
    sub(/=.*/, "", part[i])
    rules++
    rule_pattern[rules] = pattern(part[i])
    rule_text[rules] = part[i]
    rule_unit[rules] = unit
  }
  own_rules = rules
}
function pretty(unit) { sub(/s2$/, "s²", unit); return unit }

# --- what is beside a log: metrics, resolved scenario, provenance ---

function read_beside(l,    line, n, f, key, indent, depth, path, name, i) {
  while ((getline line <("metrics" l)) > 0) {
    split(line, f, ",")
    if (f[2] ~ /^[-+0-9.]/) fact[l, f[1]] = f[2] + 0
  }
  while ((getline line <("provenance" l)) > 0) {
    sub(/\r$/, "", line)
    if (line !~ /^[a-z0-9_]+:/) continue
    key = line
    sub(/:.*/, "", key)
    sub(/^[^:]*: */, "", line)
    provenance[l, key] = unquoted(line)
  }
  while ((getline line <("resolved" l)) > 0) {
    match(line, /^ */)
    indent = RLENGTH
    key = line
    sub(/^ *(- )?/, "", key)
    if (key !~ /^[A-Za-z0-9_]+:/) continue
    name = key
    sub(/:.*/, "", name)
    sub(/^[^:]*: */, "", key)
    if (substr(line, indent + 1, 2) == "- ") { # a member of a list
      indent += 2
      if (level[1] == "events" && indent == 4) events[l]++
    }
    depth = int(indent / 2) + 1
    level[depth] = name
    sub(/  # .*/, "", key)
    path = level[1]
    for (i = 2; i <= depth; i++) path = path "." level[i]
    if (path ~ /^vehicle\.(front|rear)\.tyre\./) tyre_block[l, level[2]] = tyre_block[l, level[2]] substr(line, 5) "\n"
    if (depth == 3 && level[1] == "events") event[l, events[l], name] = unquoted(key)
    else if (key != "") resolved[l, path] = unquoted(key)
  }
  # numbers that pictures use
  keep_fact(l, "wheelbase", "vehicle.wheelbase")
  keep_fact(l, "steady_window", "metrics.steady_window")
  keep_fact(l, "path_x", "path.x")
  keep_fact(l, "path_y", "path.y")
  keep_fact(l, "path_yaw", "path.yaw")
  find_gates(l)
}
function keep_fact(l, name, path) { if (resolved[l, path] ~ /^[-+0-9.]/) fact[l, name] = resolved[l, path] + 0 }
function unquoted(text) {
  if (text ~ /^".*"$/) { text = substr(text, 2, length(text) - 2); gsub(/\\"/, "\"", text); gsub(/\\\\/, "\\", text) }
  return text
}
# What the files beside a log say of another run counts for nothing: their number of rows differs.
function forget_others(l,    name, part) {
  if (!((l, "t_s") in column) || provenance[l, "rows"] == "" || provenance[l, "rows"] == rows) return
  for (name in fact) { split(name, part, SUBSEP); if (part[1] == l) delete fact[name] }
  for (name in resolved) { split(name, part, SUBSEP); if (part[1] == l) delete resolved[name] }
  for (name in provenance) { split(name, part, SUBSEP); if (part[1] == l) delete provenance[name] }
  events[l] = 0
}
function has_set(l, sets,    i, n, m, k, part, word) {
  if (sets == "*") return 1
  gsub(/[][,]/, " ", resolved[l, "metrics.sets"])
  n = split(resolved[l, "metrics.sets"], part, " ")
  m = split(sets, word, " ")
  for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) if (part[i] == word[k]) return 1
  return 0
}

# --- the table of pictures ---

function trimmed(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
function read_table(file,    line, n, part, i, name) {
  while ((getline line <file) > 0) {
    if (line ~ /^(#|$)/) continue
    n = split(line, part, "|")
    for (i = 1; i <= 6; i++) part[i] = i <= n ? trimmed(part[i]) : ""
    if (part[1] == "habit") {
      if (ENVIRON["SI"] != "" || part[2] ~ /^$/) continue
      rules++
      rule_pattern[rules] = pattern(part[2])
      rule_unit[rules] = part[3]
    } else if (part[1] == "name") said[part[2]] = part[3]
    else if (part[1] == "instant") { instants++; instant_metric[instants] = part[2]; instant_text[instants] = part[3] }
    else if (part[1] == "window") { windows++; for (i = 2; i <= 5; i++) window[windows, i] = part[i] }
    else if (part[1] == "picture") {
      name = part[2]
      picture[++pictures] = name
      picture_sets[name] = part[3]
      picture_columns[name] = part[4]
      picture_text[name] = part[5]
    } else {
      picture_lines[name]++
      for (i = 1; i <= 6; i++) item[name, picture_lines[name], i] = part[i]
    }
  }
  close(file)
}
function list_pictures(    i) {
  for (i = 1; i <= pictures; i++) printf "%-12s %s\n%-12s   %s\n", picture[i], picture_text[picture[i]], "", \
    picture_sets[picture[i]] == "*" ? "any run" : "metrics: {sets: " picture_sets[picture[i]] "}"
}
function check_picture(name,    i, names) {
  for (i = 1; i <= pictures; i++) if (picture[i] == name) return name
  for (i = 1; i <= pictures; i++) names = names (i == 1 ? "" : i == pictures ? " and " : ", ") picture[i]
  fail("no picture \047" name "\047; there are " names)
}

# --- panels and what is in them ---

function new_over(text, name, filter, unit) {
  overs++
  over_text[overs] = text
  over_name[overs] = name
  over_filter[overs] = filter
  over_unit[overs] = unit
  over_factor[overs] = 1
}
function new_panel(title, flags) {
  panels++
  panel_title[panels] = title
  panel_over[panels] = overs
  panel_equal[panels] = flags ~ /(^| )equal( |$)/
  panel_unit[panels] = ""
  panel_factor[panels] = 1
  if (match(flags, /as:[^ ]+/)) { panel_unit[panels] = substr(flags, RSTART + 3, RLENGTH - 3); panel_given[panels] = 1 }
}
# The unit of an expression is that of the first column in it. It is shown as that column is, and its values are times FACTOR.
function unit_of_expression(text,    rest, name) {
  rest = text
  while (match(rest, /[A-Za-z_][A-Za-z0-9_.]*/)) {
    name = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    if (name in macro) return unit_of_expression(macro[name])
    sub(/\.start$/, "", name)
    if ((1, name) in column) return unit_of_column(name)
  }
  factor_found = 1
  return ""
}
function unit_of_column(name,    unit) {
  unit = shown_unit(name)
  factor_found = size_of[own_unit(name)] / size_of[unit]
  return unit
}
function new_series(y_node, x_node, label_text, style) {
  series++
  series_panel[series] = panels
  series_y[series] = y_node
  series_x[series] = x_node
  series_label[series] = label_text
  series_style[series] = style
  series_filter[series] = 0
  return series
}
function new_mark(what, a, b, text) {
  marks++
  mark_panel[marks] = panels
  mark_kind[marks] = what
  mark_a[marks] = a
  mark_b[marks] = b
  mark_text[marks] = text
}
# Whether all names of an expression are known: a part without its column or metric is left out. A metric counts in any run.
function known(text,    rest, name, base, l, found) {
  rest = text
  gsub(/[0-9.]+e[-+]?[0-9]+/, "", rest)
  while (match(rest, /[A-Za-z_][A-Za-z0-9_.]*/)) {
    name = base = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    sub(/\.start$/, "", base)
    if (name in macro) { if (!known(macro[name])) return 0; continue }
    if (name ~ /^(steady|turn|cycles|end|abs|sqrt|sin|cos|integral)$/) continue
    found = 0
    for (l = 1; l <= count; l++) if (((l, base) in column) || ((l, name) in fact)) found = 1
    if (!found) return 0
  }
  return 1
}
function set_over_unit(text) {
  over_unit[overs] = unit_of_expression(text)
  over_factor[overs] = factor_found
}
function set_panel_unit(text) {
  if (panel_unit[panels] != "") return
  panel_unit[panels] = unit_of_expression(text)
  panel_factor[panels] = factor_found
}
function of_wheel(text, w) { gsub(/@/, wheel[w], text); return text }
# One line of the table for each wheel that the expression names, else one.
function add_lines(y, text,    w, x, filter, wheels, s) {
  x = over_text[overs]
  filter = over_filter[overs]
  wheels = (x y filter) ~ /@/ ? 4 : 1
  for (w = 1; w <= wheels; w++) {
    if (text ~ /^[fr][lr] [fr][lr]$/ && !index(text, wheel[w])) continue
    if (!known(of_wheel(y, w)) || !known(of_wheel(x, w)) || !known(of_wheel(filter, w))) continue
    set_panel_unit(of_wheel(y, w))
    if (over_unit[overs] == "") set_over_unit(of_wheel(x, w))
    s = new_series(expression(of_wheel(y, w)), expression(of_wheel(x, w)), wheels > 1 ? wheel_name[w] : text, "line")
    if (filter != "") series_filter[s] = expression(of_wheel(filter, w))
  }
}
# Areas on each other: what is above 0 upwards, what is below downwards.
function add_areas(texts, names,    n, part, name, i, s) {
  n = split(texts, part, " ")
  split(names, name, /, */)
  for (i = 1; i <= n; i++) {
    part[i] = known_part(part[i])
    if (part[i] == "") continue
    set_panel_unit(part[i])
    if (over_unit[overs] == "") set_over_unit(over_text[overs])
    s = new_series(expression(part[i]), expression(over_text[overs]), name[i], "area")
  }
}
# The terms of a sum that the log has.
function known_part(text,    n, part, i, out) {
  if (text ~ /-/) return known(text) ? text : ""
  n = split(text, part, "+")
  for (i = 1; i <= n; i++) if (known(part[i])) out = out (out == "" ? "" : "+") part[i]
  return out
}
function build_picture(name,    i, what) {
  columns = picture_columns[name]
  for (i = 1; i <= picture_lines[name]; i++) if (item[name, i, 1] == "let") macro[item[name, i, 2]] = item[name, i, 3]
  for (i = 1; i <= picture_lines[name]; i++) {
    what = item[name, i, 1]
    if (what == "over") new_over(item[name, i, 2], item[name, i, 3], item[name, i, 4], item[name, i, 5])
    else if (what == "panel") new_panel(item[name, i, 2], item[name, i, 3])
    else if (what == "line") add_lines(item[name, i, 2], item[name, i, 3])
    else if (what == "area") add_areas(item[name, i, 2], item[name, i, 3])
    else if (what == "slope") { new_mark("slope", item[name, i, 2], item[name, i, 3], item[name, i, 5]); mark_c[marks] = item[name, i, 4] }
    else if (what == "band" || what == "mark") new_mark(what, item[name, i, 2], item[name, i, 3], item[name, i, 4])
    else if (what == "level" || what == "at" || what == "circle" || what == "curves") new_mark(what, item[name, i, 2], "", item[name, i, 3])
    else if (what == "course" || what == "cars") new_mark(what, "", "", "")
    else if (what == "say") say = item[name, i, 2]
  }
}

# --- columns that the user names ---

function distance(a, b,    i, j, la, lb, cost, above, left, diagonal, best) { # Levenshtein\047s
  la = length(a); lb = length(b)
  for (j = 0; j <= lb; j++) edit[j] = j
  for (i = 1; i <= la; i++) {
    diagonal = edit[0]
    edit[0] = i
    for (j = 1; j <= lb; j++) {
      above = edit[j]
      cost = diagonal + (substr(a, i, 1) != substr(b, j, 1))
      best = above < edit[j - 1] ? above + 1 : edit[j - 1] + 1
      edit[j] = cost < best ? cost : best
      diagonal = above
    }
  }
  return edit[lb]
}
# The three nearest of the columns of a log, by the whole name or by that without its unit.
function suggestions(l, name,    i, k, d, other, best, near, out) {
  for (i = 1; i <= headers[l]; i++) {
    d = distance(name, header[l, i])
    other = distance(name, base_of(header[l, i])) + 0.5
    if (other < d) d = other
    if (index(header[l, i], name)) d = d < 1.5 ? d : 1.5
    for (k = 3; k >= 1 && (best[k] == "" || d < best[k]); k--) { best[k + 1] = best[k]; near[k + 1] = near[k]; best[k] = d; near[k] = header[l, i] }
  }
  for (k = 1; k <= 3 && near[k] != ""; k++) out = out (k == 1 ? "" : near[k + 1] == "" || k == 3 ? " or " : ", ") near[k]
  return out == "" ? "" : "; did you mean " out "?"
}
# The column of a name, which may lack its unit.
function column_called(name,    i, found, many) {
  if ((1, name) in column) return name
  for (i = 1; i <= headers[1]; i++) if (base_of(header[1, i]) == name) { found = header[1, i]; many++ }
  return many == 1 ? found : name
}
function need(l, name) {
  if (!((l, name) in column)) fail("no column \047" name "\047 in " file[l] suggestions(l, name))
}
function expand(word,    i, re, found) {
  if (word !~ /[*?\[]/ || (1, word) in column) { member[++members] = column_called(word); return }
  re = pattern(word)
  for (i = 1; i <= headers[1]; i++) if (header[1, i] ~ re) { member[++members] = header[1, i]; found = 1 }
  if (!found) fail("no column matches \047" word "\047 in " file[1] suggestions(1, word))
}
# The common part of the names of a panel: "fz" for fz_fl_N and fz_fr_N.
function common_name(    i, n, k, same, part, word, common) {
  if (members == 1) return spoken(member[1])
  n = split(words(member[1]), part, " ")
  same = n
  for (i = 2; i <= members; i++) {
    split(words(member[i]), word, " ")
    for (k = 1; k <= same; k++) if (word[k] != part[k]) break
    same = k - 1
  }
  for (k = 1; k <= same; k++) common = common (k > 1 ? "_" : "") part[k]
  return spoken(common)
}
function build_channels(file_of_channels,    line, n, word, i, l, x, unit, same, s) {
  x = ENVIRON["X"]
  x = x != "" ? column_called(x) : (1, "t_s") in column ? "t_s" : header[1, 1]
  for (l = 1; l <= count; l++) need(l, x)
  new_over("", x == "t_s" ? "time" : spoken(x), "")
  over_unit[1] = unit_of_column(x)
  over_factor[1] = factor_found
  over_column = x
  while ((getline line <file_of_channels) > 0) {
    members = 0
    n = split(line, word, ",")
    for (i = 1; i <= n; i++) if (word[i] != "") expand(word[i])
    if (!members) fail("no channel in \047" line "\047")
    for (i = 1; i <= members; i++) for (l = 1; l <= count; l++) need(l, member[i])
    new_panel(common_name(), ENVIRON["EQUAL"] != "" || (x ~ /^[xyz]_m$/ && member[1] ~ /^[xyz]_m$/) ? "equal" : "")
    # several units in one panel: each value in its own
    unit = unit_of_column(member[1])
    for (i = 2; i <= members; i++) if (unit_of_column(member[i]) != unit) unit = ""
    panel_unit[panels] = unit
    panel_given[panels] = unit == ""
    unit_of_column(member[1])
    panel_factor[panels] = unit == "" ? 1 : factor_found
    for (i = 1; i <= members; i++) {
      s = new_series(column_node(member[i]), column_node(x), members > 1 ? words(member[i]) : "", "line")
      if (unit == "") { unit_of_column(member[i]); series_factor[s] = factor_found }
    }
    if (ENVIRON["DIFFERENCE"] != "" && count > 1) {
      new_panel(common_name() ", less that of " label[1], "")
      panel_unit[panels] = unit
      panel_factor[panels] = panel_factor[panels - 1]
      panel_given[panels] = panel_given[panels - 1]
      for (i = 1; i <= members; i++) {
        s = new_series(column_node(member[i]), column_node(x), members > 1 ? words(member[i]) : "", "difference")
        series_base[s] = s - members
        if (unit == "") { unit_of_column(member[i]); series_factor[s] = factor_found }
      }
    }
  }
  if (x == "t_s" && count == 1 && ENVIRON["PLAIN"] == "") add_instants()
}
# Instants and windows of the run, in every panel, and named in the first.
function add_instants(    i, p, t, had) {
  for (p = 1; p <= panels; p++) {
    for (i = 1; i <= windows; i++)
      if (has_set(1, window[i, 2])) {
        new_mark("band", window[i, 3], window[i, 4], p == 1 ? window[i, 5] : "")
        mark_panel[marks] = p
      }
    for (i = 1; i <= instants; i++)
      if ((1, instant_metric[i]) in fact) {
        new_mark("at", instant_metric[i], "", p == 1 ? instant_text[i] " at {" instant_metric[i] "} s" : "")
        mark_panel[marks] = p
      }
    for (i = 1; i <= events[1]; i++) {
      new_mark("event", i, "", p == 1 ? "event" : "")
      mark_panel[marks] = p
      if (event[1, i, "channel"] != "" && (1, event[1, i, "channel"]) in column) wanted[event[1, i, "channel"]] = 1
      if (event[1, i, "when"] == "distance" && (1, "distance_m") in column) wanted["distance_m"] = 1
    }
  }
}
# The panels of a frequency response: for each output gain, phase and coherence, below each other.
function build_response(    i, k, l, name, outputs, part, input, unit, own, kind, beside_each_other) {
  split("_gain _phase_deg _coherence", part, " ")
  input = resolved[1, "response.input"]
  for (i = 1; i <= headers[1]; i++) {
    name = header[1, i]
    if (sub(/_gain$/, "", name) && (ENVIRON["ONLY"] == "" || ENVIRON["ONLY"] == name)) output_name[++outputs] = name
  }
  if (input != "") say = "over " spoken(input)
  if (!outputs) fail("no output" (ENVIRON["ONLY"] == "" ? "" : " \047" ENVIRON["ONLY"] "\047") " in " file[1])
  # outputs side by side, or one below the other
  columns = outputs
  new_over("", "frequency", "")
  over_unit[1] = "Hz"
  over_factor[1] = 1
  over_log = 1
  over_column = "frequency_Hz"
  beside_each_other = outputs <= most_columns()
  for (i = 0; i < 3 * outputs; i++) {
    kind = beside_each_other ? int(i / outputs) + 1 : i % 3 + 1
    k = beside_each_other ? i % outputs + 1 : int(i / 3) + 1
    name = output_name[k]
    if (kind == 3 && !((1, name part[3]) in column)) continue
    for (l = 1; l <= count; l++) need(l, name part[kind])
    new_panel(kind == 1 ? spoken(name) " gain" : spoken(name) (kind == 2 ? " phase" : " coherence"), "")
    panel_given[panels] = 1
    if (kind == 1 && input != "") {
      unit = unit_of_column(name)
      panel_factor[panels] = factor_found
      own = unit_of_column(input)
      panel_factor[panels] /= factor_found
      if (unit == "g" && own == "deg") { own = "100 deg"; panel_factor[panels] *= 100 }
      panel_unit[panels] = pretty(unit) " per " own
    } else panel_unit[panels] = kind == 2 ? "deg" : kind == 3 ? "1" : ""
    panel_from_zero[panels] = kind != 2
    new_series(column_node(name part[kind]), column_node("frequency_Hz"), "", "line")
  }
}

# --- the rows of a log ---

function read_header(l,    i, n, name) {
  if (!next_line(l)) fail("empty file: " file[l])
  n = split(line_of_log, name, ",")
  for (i = 1; i <= n; i++) {
    gsub(/^[ \t"]+|[ \t"]+$/, "", name[i])
    if (!((l, name[i]) in column)) column[l, name[i]] = i
    header[l, i] = name[i]
  }
  headers[l] = n
}
function read_rows(l,    f, name, n, at, names, i, t, time_at, from, to, windowed) {
  split("", cell)
  rows = kept = 0
  for (name in wanted) if ((l, name) in column) { names++; at[names] = column[l, name]; called[names] = name }
  time_at = (l, "t_s") in column ? column[l, "t_s"] : 0
  windowed = ENVIRON["WINDOW"] != ""
  from = to = ENVIRON["WINDOW"]
  sub(/:.*/, "", from)
  sub(/[^:]*:/, "", to)
  if (windowed && !time_at) fail("-w needs a column t_s, which " file[l] " lacks")
  while (next_line(l)) {
    n = split(line_of_log, f, ",")
    if (n == 0) continue
    rows++
    if (windowed && ((from != "" && f[time_at] < from - 1e-9) || (to != "" && f[time_at] > to + 1e-9))) continue
    kept++
    for (i = 1; i <= names; i++) cell[called[i], kept] = f[at[i]] ~ /^[-+]?[0-9.]/ ? f[at[i]] + 0 : ""
    last_time = time_at ? f[time_at] + 0 : 0
  }
  close("log" l)
  if (!kept) fail(rows ? "no rows between " from " and " to " s in " file[l] : "no rows in " file[l])
  rows_of_log = rows
  rows_now = kept
}
# What is derived from rows: whether they are nearly steady, the side of the turn, whole periods of the steering wheel.
function derive(l,    r, i, k, reach, last, greatest, first, passes) {
  if (need_ay && (1, "ay_mps2") in column && (1, "t_s") in column) {
    cell["turn", 0] = 1
    for (r = 1; r <= rows_now; r++) {
      # ay changes by at most 1 m/s3 over 0.25 s before and after, faster than 1 m/s, as for the metrics of ISO 4138
      i = k = r
      while (i > 1 && cell["t_s", r] - cell["t_s", i] < 0.25 - 1e-9) i--
      while (k < rows_now && cell["t_s", k] - cell["t_s", r] < 0.25 - 1e-9) k++
      cell["steady", r] = cell["t_s", k] - cell["t_s", i] > 0.49 && abs(cell["ay_mps2", r] - cell["ay_mps2", i]) <= 0.25 && \
        abs(cell["ay_mps2", k] - cell["ay_mps2", r]) <= 0.25 && (!((1, "vx_mps") in column) || cell["vx_mps", r] > 1)
      if (cell["steady", r] && abs(cell["ay_mps2", r]) > greatest) {
        greatest = abs(cell["ay_mps2", r])
        cell["turn", 0] = cell["ay_mps2", r] < 0 ? -1 : 1
      }
    }
    leave_out_swing()
  }
  if (need_wheel && (1, "steering_wheel_rad") in column) {
    for (r = 2; r <= rows_now; r++)
      if (cell["steering_wheel_rad", r - 1] < 0 && cell["steering_wheel_rad", r] >= 0) { if (!first) first = r; last = r; passes++ }
    for (r = 1; r <= rows_now; r++) cell["cycles", r] = passes > 1 ? r >= first && r <= last : 1
  }
}
# The entry into the turn: what counts begins behind the last row of the first half in which ay is not nearly steady; and, in
# a run whose ay grows, in which it falls, since the car still oscillates there.
function leave_out_swing(    r, i, last, middle, grows) {
  middle = int(rows_now / 2)
  grows = abs(cell["ay_mps2", middle]) > abs(cell["ay_mps2", int(middle / 2) + 1])
  for (r = i = 1; r <= middle; r++) {
    while (cell["t_s", r] - cell["t_s", i] > 0.25) i++
    if (cell["t_s", r] - cell["t_s", 1] > 0.26 && (!cell["steady", r] || (grows && abs(cell["ay_mps2", r]) < abs(cell["ay_mps2", i])))) last = r
  }
  for (r = 1; r <= last; r++) cell["steady", r] = 0
}
function larger(a, b) { return a > b ? a : b }
function abs(x) { return x < 0 ? -x : x }

# --- the points of a log ---

function include(p, x, y) {
  if (!(p in low_y)) { low_x[p] = high_x[p] = x; low_y[p] = high_y[p] = y; return }
  if (x < low_x[p]) low_x[p] = x
  if (x > high_x[p]) high_x[p] = x
  if (y < low_y[p]) low_y[p] = y
  if (y > high_y[p]) high_y[p] = y
}
function write_points(l,    s) {
  now = l
  split("", at_start)
  split("", integral_row)
  for (s = 1; s <= series; s++) {
    if (series_style[s] == "area" && l > 1) continue
    if (series_style[s] == "difference") { if (l > 1) write_difference(l, s); continue }
    write_series(l, s)
  }
}
function write_series(l, s,    name, x, y, n, gap, p, fx, fy, last_y, area) {
  name = "d" s "_" l
  p = series_panel[s]
  fx = over_factor[panel_over[p]]
  fy = s in series_factor ? series_factor[s] : panel_factor[p]
  area = series_style[s] == "area"
  printf "" >name
  for (row = 1; row <= rows_now; row++) {
    bad = 0
    if (series_filter[s] && !value(series_filter[s])) bad = 1
    if (!bad) x = value(series_x[s]) * fx
    if (!bad) y = value(series_y[s]) * fy
    if (bad) { if (!area) gap = n > 0; else { x = value(series_x[s]) * fx; y = 0; bad = 0 } }
    if (bad) continue
    if (gap) print "" >name
    gap = 0
    n++
    if (!n || n == 1) first_y = y
    else if (abs(y - first_y) > 1e-9 * (abs(y) + abs(first_y)) + 1e-12) moves[s, l] = 1
    if (area) { put_area(name, p, x, y, row, s); continue }
    if (keep_points) { point_x[s, row] = x; point_y[s, row] = y; points_of[s] = row }
    if (has_marks[p]) { drawn_x[s, l, n] = x; drawn_y[s, l, n] = y }
    printf "%.9g %.9g\n", x, y >name
    include(p, x, y)
  }
  close(name)
  drawn[s, l] = n
  if (n) any_in[p] = 1
  if (moves[s, l] || (n && count > 1 && !area)) moves_in[p] = 1
}
function put_area(name, p, x, y, r, s,    from) {
  from = y >= 0 ? stack_up[p, r] : stack_down[p, r]
  printf "%.9g %.9g %.9g\n", x, from + 0, from + y >name
  if (y >= 0) stack_up[p, r] += y
  else stack_down[p, r] += y
  if (abs(y) > area_peak[s]) area_peak[s] = abs(y)
  include(p, x, from + y)
  include(p, x, 0)
}
function has_area(s) { return area_peak[s] * 500 >= high_y[series_panel[s]] - low_y[series_panel[s]] && area_peak[s] > 0 }
# A run less the first one, interpolated at its own rows.
function write_difference(l, s,    name, base, i, x, y, n, k, p, share, fy, fx) {
  name = "d" s "_" l
  p = series_panel[s]
  base = series_base[s]
  fx = over_factor[panel_over[p]]
  fy = s in series_factor ? series_factor[s] : panel_factor[p]
  printf "" >name
  i = 1
  for (row = 1; row <= rows_now; row++) {
    bad = 0
    x = value(series_x[s]) * fx
    y = value(series_y[s]) * fy
    if (bad) continue
    while (i < points_of[base] && point_x[base, i + 1] < x) i++
    if (!((base, i) in point_x) || x < point_x[base, 1] - 1e-12 || x > point_x[base, points_of[base]] + 1e-12) continue
    k = i < points_of[base] ? i + 1 : i
    share = point_x[base, k] > point_x[base, i] ? (x - point_x[base, i]) / (point_x[base, k] - point_x[base, i]) : 0
    y -= point_y[base, i] + share * (point_y[base, k] - point_y[base, i])
    printf "%.9g %.9g\n", x, y >name
    n++
    include(p, x, y)
  }
  close(name)
  drawn[s, l] = n
  if (n) any_in[p] = moves_in[p] = 1
}

# --- the course of a lane change, the car, curves of tyres ---

# Gates along the course as lib/course/path_build.c places them: lengths of ISO 3888-1 and -2, widths from the metrics.
function find_gates(l,    n, length_of, i, x, type, w1, w2, shift) {
  type = resolved[l, "path.type"]
  if (type !~ /^iso3888_[12]$/ || !((l, "gate_1_width_m") in fact)) return
  n = split(type == "iso3888_2" ? "12 -13.5 11 -12.5 12" : "15 -30 25 -25 15 15", length_of, " ")
  w1 = fact[l, "gate_1_width_m"]
  w2 = fact[l, "gate_2_width_m"]
  shift = fact[l, "lane_offset_m"]
  if (type == "iso3888_2") shift += (w1 + w2) / 2
  else if (resolved[l, "path.offset_between"] == "edges") shift += (w2 - w1) / 2
  x = fact[l, "course_from"] = resolved[l, "path.approach"] + 0
  for (i = 1; i <= n; i++) {
    if (length_of[i] > 0) {
      gates[l]++
      gate[l, gates[l], "from"] = x
      gate[l, gates[l], "to"] = x + length_of[i]
      gate[l, gates[l], "centre"] = gates[l] == 2 ? shift : 0
      gate[l, gates[l], "width"] = fact[l, "gate_" gates[l] "_width_m"]
    }
    x += length_of[i] > 0 ? length_of[i] : -length_of[i]
  }
  fact[l, "course_to"] = x
}
function put_cones(l,    i, k, spaces, side, n, radius) {
  radius = resolved[l, "path.cone_radius"] + 0
  for (i = 1; i <= gates[l]; i++) {
    spaces = (gate[l, i, "to"] - gate[l, i, "from"]) / resolved[l, "path.cone_spacing"] - 1e-9
    spaces = spaces > int(spaces) ? int(spaces) + 1 : int(spaces)
    if (spaces < 1) spaces = 1
    for (k = i > 1 && gate[l, i - 1, "to"] == gate[l, i, "from"]; k <= spaces; k++)
      for (side = -1; side <= 1; side += 2) {
        cones++
        cone_x[cones] = gate[l, i, "from"] + (gate[l, i, "to"] - gate[l, i, "from"]) * k / spaces
        cone_y[cones] = gate[l, i, "centre"] + side * (gate[l, i, "width"] / 2 + radius)
        cone_hit[cones] = 0
      }
  }
}
# The body as a rectangle about the centre of gravity, and its place in row r in the axes of the course, or of the world.
function size_of_body(l) {
  if (resolved[l, "vehicle.wheelbase"] == "" || resolved[l, "vehicle.overhang_front"] !~ /^[0-9]/ || resolved[l, "vehicle.width"] !~ /^[0-9]/) return 0
  ahead = resolved[l, "vehicle.cg_to_front"] + resolved[l, "vehicle.overhang_front"]
  behind = resolved[l, "vehicle.wheelbase"] - resolved[l, "vehicle.cg_to_front"] + resolved[l, "vehicle.overhang_rear"]
  beside = resolved[l, "vehicle.width"] / 2
  return 1
}
function place(l, r, of_course,    c, s) {
  here_x = cell["x_m", r]
  here_y = cell["y_m", r]
  here_yaw = cell["yaw_rad", r]
  if (!of_course) return
  c = cos(fact[l, "path_yaw"])
  s = sin(fact[l, "path_yaw"])
  here_x = c * (cell["x_m", r] - fact[l, "path_x"]) + s * (cell["y_m", r] - fact[l, "path_y"])
  here_y = c * (cell["y_m", r] - fact[l, "path_y"]) - s * (cell["x_m", r] - fact[l, "path_x"])
  here_yaw -= fact[l, "path_yaw"]
}
# Cones that the rectangle overlaps on its way, looked at every 2 cm.
function hit_cones(l,    r, i, k, n, x, y, yaw, dx, dy, ux, uy, radius) {
  radius = resolved[l, "path.cone_radius"] + 0
  for (r = 2; r <= rows_now; r++) {
    place(l, r - 1, 1)
    x = here_x; y = here_y; yaw = here_yaw
    place(l, r, 1)
    n = int(sqrt((here_x - x) ^ 2 + (here_y - y) ^ 2) / 0.02) + 1
    for (i = 1; i <= cones; i++) {
      if (cone_hit[i] || abs(cone_x[i] - here_x) > ahead + behind + 1 || abs(cone_y[i] - here_y) > ahead + behind + 1) continue
      for (k = 1; k <= n; k++) {
        dx = cone_x[i] - x - (here_x - x) * k / n
        dy = cone_y[i] - y - (here_y - y) * k / n
        ux = cos(yaw + (here_yaw - yaw) * k / n) * dx + sin(yaw + (here_yaw - yaw) * k / n) * dy
        uy = cos(yaw + (here_yaw - yaw) * k / n) * dy - sin(yaw + (here_yaw - yaw) * k / n) * dx
        dx = ux > ahead ? ux - ahead : ux < -behind ? -behind - ux : 0
        dy = abs(uy) > beside ? abs(uy) - beside : 0
        if (dx * dx + dy * dy <= radius * radius) { cone_hit[i] = 1; break }
      }
    }
  }
}
# Outlines of the car at even distances within x from FROM to TO, with a nose.
function put_cars(l, p, of_course, from, to, number, name,    r, i, k, way, step, x, y, part) {
  split(ahead " " beside " " (-behind) " " beside " " (-behind) " " (-beside) " " ahead " " (-beside) " " ahead " " beside " " \
        (ahead - 0.6) " 0 " ahead " " (-beside), part, " ")
  for (r = 2; r <= rows_now; r++) way += sqrt((cell["x_m", r] - cell["x_m", r - 1]) ^ 2 + (cell["y_m", r] - cell["y_m", r - 1]) ^ 2)
  step = of_course ? (to - from) / number : way / number
  if (step < 1.2 * (ahead + behind)) step = 1.2 * (ahead + behind)
  way = step
  printf "" >name
  for (r = 1; r <= rows_now; r++) {
    place(l, r, of_course)
    if (of_course && (here_x - behind < from || here_x + ahead > to)) continue
    if (r > 1) way += sqrt((cell["x_m", r] - cell["x_m", r - 1]) ^ 2 + (cell["y_m", r] - cell["y_m", r - 1]) ^ 2)
    if (way < step) continue
    way -= step
    for (i = 1; i <= 14; i += 2) {
      x = here_x + cos(here_yaw) * part[i] - sin(here_yaw) * part[i + 1]
      y = here_y + sin(here_yaw) * part[i] + cos(here_yaw) * part[i + 1]
      printf "%.9g %.9g\n", x, y >name
      include(p, x, y)
    }
    print "" >name
  }
  close(name)
}
# The side force over the slip angle of an axle\047s tyre at the least and the greatest load of the run, by vdsim-run.
function put_curves(l, p, axle, name,    r, low, high, k, load, limit, line, f, n, words_of, at) {
  if (ENVIRON["VDSIM_RUN"] == "" || tyre_block[l, axle] == "") return 0
  for (r = 1; r <= rows_now; r++)
    for (k = 1; k <= 2; k++) {
      load = cell["fz_" wheel[axle == "front" ? k : k + 2] "_N", r]
      if (load <= 100) continue
      if (low == "" || load < low) low = load
      if (load > high) high = load
      load = abs(cell["alpha_" wheel[axle == "front" ? k : k + 2] "_rad", r])
      if (load > limit) limit = load
    }
  if (low == "" || !(limit > 0)) return 0
  printf "kind: tyre_rig\ntyre:\n%sload: [%.9g, %.9g]\nslip_angles: {from: %.9g, to: %.9g, points: 81}\n", tyre_block[l, axle], low, high, \
    -1.05 * limit, 1.05 * limit >(name ".yaml")
  close(name ".yaml")
  if (system("\"$VDSIM_RUN\" -q -o " name ".csv " name ".yaml >" name ".words 2>&1") != 0) return 0
  printf "" >name
  while ((getline line <(name ".csv")) > 0) {
    n = split(line, f, ",")
    if (f[1] == "fz_N") { for (k = 1; k <= n; k++) at[f[k]] = k; continue }
    if (words_of != "" && f[1] != words_of) print "" >name
    words_of = f[1]
    printf "%.9g %.9g\n", f[at["alpha_rad"]] * over_factor[panel_over[p]], f[at["fy_N"]] * panel_factor[p] >name
    include(p, f[at["alpha_rad"]] * over_factor[panel_over[p]], f[at["fy_N"]] * panel_factor[p])
  }
  close(name)
  curve_text[p] = "tyre at " short(low / 1000) " and " short(high / 1000) " kN"
  return 1
}

# --- marks ---

# Lines and points beside those of the log, in the units of the picture; what they are called is shown in the key.
function evaluate_marks(l,    k, p, fx, fy, a, b, c, text, what) {
  for (k = 1; k <= marks; k++) {
    p = mark_panel[k]
    if (!any_in[p] && mark_kind[k] != "cars") continue
    what = mark_kind[k]
    fx = over_factor[panel_over[p]]
    fy = panel_factor[p]
    if (what == "course" || what == "cars" || what == "curves") { if (l == 1) add_special(k, p, what); continue }
    text = mark_text[k]
    if (count == 1) text = filled(text, l)
    else if (l > 1) text = ""
    else sub(/,? *(at|:)? *\{.*/, "", text)
    a = what == "event" ? instant_of(l, mark_a[k]) : constant(mark_a[k], l)
    if (bad) continue
    if (what == "event") text = text == "" ? "" : text " at " short(a) " s"
    if (what == "level") place_mark(p, "level", 0, a * fy, text, l)
    else if (what == "at" || what == "event") place_mark(p, "at", a * fx, 0, text, l)
    else if (what == "circle") {
      place_mark(p, "circle", a * fx, 0, text, l)
      include(p, a * fx, a * fx)
      include(p, -a * fx, -a * fx)
    }
    else if (what == "band") {
      b = constant(mark_b[k], l)
      if (!bad && l == 1) { place_mark(p, "band", a * fx, 0, text, l); put_to[puts] = b * fx }
    } else if (what == "mark") {
      b = mark_b[k] == "" ? on_line(p, l, a * fx) : constant(mark_b[k], l) * fy
      if (!bad) place_mark(p, "mark", a * fx, b, text, l)
    } else if (what == "slope") {
      b = constant(mark_b[k], l) * fx
      if (bad) continue
      c = constant(mark_c[k], l) * fx
      if (!bad) place_slope(p, l, a * fy / fx, b, c, text)
    }
  }
}
function place_mark(p, what, x, y, text, l) {
  puts++
  put_panel[puts] = p
  put_kind[puts] = what
  put_x[puts] = x
  put_y[puts] = y
  put_text[puts] = text
  put_log[puts] = l
  if (what == "level") include(p, low_x[p], y)
  if (what == "mark") include(p, x, y)
}
# The y of the first line of a panel at x, where x grows.
function on_line(p, l, x,    s, i) {
  for (s = 1; s <= series && series_panel[s] != p; s++) ;
  for (i = 1; i < drawn[s, l]; i++)
    if (drawn_x[s, l, i] <= x && drawn_x[s, l, i + 1] >= x)
      return drawn_y[s, l, i] + (drawn_x[s, l, i + 1] > drawn_x[s, l, i] ? (x - drawn_x[s, l, i]) / (drawn_x[s, l, i + 1] - drawn_x[s, l, i]) : 0) * \
        (drawn_y[s, l, i + 1] - drawn_y[s, l, i])
  bad = 1
  return 0
}
# A line of least squares goes through the mean of its points.
function place_slope(p, l, slope, from, to, text,    s, i, n, mx, my, name) {
  for (s = 1; s <= series && series_panel[s] != p; s++) ;
  for (i = 1; i <= drawn[s, l]; i++)
    if (drawn_x[s, l, i] >= from && drawn_x[s, l, i] <= to) { n++; mx += drawn_x[s, l, i]; my += drawn_y[s, l, i] }
  if (!n) return
  mx /= n
  my /= n
  if (text != "") text = text " " short(slope) " " panel_unit[p] "/" over_unit[panel_over[p]]
  place_mark(p, "slope", 0, 0, text, l)
  name = "m" puts
  # half as long again to either side, where it departs from a curve
  i = (to - from) / 2
  from -= i
  to += i
  printf "%.9g %.9g\n%.9g %.9g\n", from, my + slope * (from - mx), to, my + slope * (to - mx) >name
  close(name)
}
# When an event comes: at its time, or where its channel passes the level, in the rows of the log.
function instant_of(l, i,    r, a, b, channel, limit) {
  bad = 1
  if (event[l, i, "in_turn"] == "true") return 0
  if (event[l, i, "when"] == "time") { bad = 0; return event[l, i, "time"] + 0 }
  channel = event[l, i, "when"] == "distance" ? "distance_m" : event[l, i, "channel"]
  limit = event[l, i, "when"] == "distance" ? event[l, i, "distance"] + 0 : event[l, i, "level"] + 0
  for (r = 2; r <= rows_now; r++) {
    a = cell[channel, r - 1]
    b = cell[channel, r]
    if (a == "" || b == "") return 0
    if (event[l, i, "when"] == "below" ? a >= limit && b < limit : a < limit && b >= limit) {
      bad = 0
      return cell["t_s", r - 1] + (limit - a) / (b - a) * (cell["t_s", r] - cell["t_s", r - 1])
    }
  }
  return 0
}
function add_special(k, p, what,    i) {
  if (what == "curves") {
    if (put_curves(1, p, mark_a[k], "m" puts + 1)) place_mark(p, "curves", 0, 0, curve_text[p], 1)
    return
  }
  if (!size_of_body(1)) return
  if (what == "course") {
    put_cones(1)
    hit_cones(1)
    printf "" >"cones"
    printf "" >"hits"
    for (i = 1; i <= cones; i++) {
      printf "%.9g %.9g\n", cone_x[i], cone_y[i] >(cone_hit[i] ? "hits" : "cones")
      if (cone_hit[i]) hits++
      include(p, cone_x[i], cone_y[i])
    }
    close("cones")
    close("hits")
    put_cars(1, p, 1, fact[1, "course_from"] - 10, fact[1, "course_to"] + 10, 10, "cars")
    place_mark(p, "cars", 0, 0, "car", 1)
    if (cones > hits) place_mark(p, "cones", 0, 0, "cones", 1)
    if (hits) place_mark(p, "hits", 0, 0, "cones hit", 1)
    return
  }
  put_cars(1, p, 0, 0, 0, 12, "cars")
  place_mark(p, "cars", 0, 0, "car", 1)
}

# --- words in pixels ---

# Width in em of a text in DejaVu Sans, rather too large; bytes behind the first of a letter count nothing.
function width_of(text,    i, c, sum) {
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c >= "\200" && c < "\300") continue
    sum += c in letter ? letter[c] : 0.66
  }
  return sum
}
function set_letters(    i, text) {
  text = "ijlI.,:;|\047! "
  for (i = 1; i <= length(text); i++) letter[substr(text, i, 1)] = 0.36
  text = "ftr()[]/-"
  for (i = 1; i <= length(text); i++) letter[substr(text, i, 1)] = 0.44
  text = "mwMWQ%@#+<>=~&OGDHNU"
  for (i = 1; i <= length(text); i++) letter[substr(text, i, 1)] = 1.02
  text = "ABCEFKLPRSTVXYZ"
  for (i = 1; i <= length(text); i++) letter[substr(text, i, 1)] = 0.74
}
# The text, shortened with dots to a width in em.
function cut(text, limit) {
  if (width_of(text) <= limit) return text
  while (text != "" && width_of(text) > limit - 1.05) sub(/([\300-\377][\200-\277]*|.)$/, "", text)
  return text "…"
}
# Breaks a text into wrapped[1..n] of a width in em; returns n.
function wrap(text, limit,    n, part, i, lines) {
  split("", wrapped)
  n = split(text, part, / +/)
  for (i = 1; i <= n; i++) {
    if (lines && width_of(wrapped[lines] " " part[i]) <= limit) wrapped[lines] = wrapped[lines] " " part[i]
    else wrapped[++lines] = cut(part[i], limit)
  }
  return lines
}

# --- the layout ---

function even_step(span, most,    raw, power) {
  raw = span / (most < 1 ? 1 : most)
  power = 10 ^ int(log(raw) / log(10) - (raw < 1 ? 1 : 0))
  while (power * 10 <= raw) power *= 10
  return power >= raw ? power : 2 * power >= raw ? 2 * power : 2.5 * power >= raw ? 2.5 * power : 5 * power >= raw ? 5 * power : 10 * power
}
# Tics of an axis into tic_at[1..n], tic_text[1..n]; returns n.
function tics(low, high, most,    step, from, i, n, v, places, largest, format) {
  step = even_step(high - low, most)
  largest = abs(low) > abs(high) ? abs(low) : abs(high)
  places = 0
  while (places < 8 && abs(step * 10 ^ places - int(step * 10 ^ places + 0.5)) > 1e-6) places++
  format = largest >= 1e6 || step < 1e-5 ? "%.3g" : "%." places "f"
  from = int(low / step)
  while (from * step < low - 1e-9 * step) from++
  while ((from - 1) * step >= low - 1e-9 * step) from--
  for (i = from; i * step <= high + 1e-9 * step && n < 50; i++) {
    v = i == 0 ? 0 : i * step
    tic_at[++n] = v
    tic_text[n] = sprintf(format, v)
  }
  return n
}
# Tics of a frequency axis; between 1, 2 and 5 of the decades where there is room for them.
function log_tics(low, high, width,    i, k, n, v, part, parts) {
  parts = split(width / (log(high / low) / log(10)) > 8 * em ? "1 2 5" : "1", part, " ")
  for (i = -4; i <= 6; i++)
    for (k = 1; k <= parts; k++) {
      v = part[k] * 10 ^ i
      if (v < low * 0.999 || v > high * 1.001) continue
      tic_at[++n] = v
      tic_text[n] = sprintf("%g", v)
    }
  return n
}
function tics_command(axis, n, with_text,    i, out) {
  for (i = 1; i <= n; i++) out = out (i > 1 ? ", " : "") quote(with_text ? tic_text[i] : "") sprintf(" %.10g", tic_at[i])
  return "set " axis "tics (" out ")"
}
function rows_of_tics(height) { return height / (1.8 * em) < 8 ? height / (1.8 * em) : 8 }
function at_screen(x, y) { return sprintf("screen %.6f, screen %.6f", x / wide, 1 - y / high) }
function print_text(text, x, y, align, style) {
  print "set label " quote(text) " at " at_screen(x, y) " " align " front noenhanced " style
}
function limits_of(option, low, high,    from, to) {
  from = to = option
  sub(/:.*/, "", from)
  sub(/[^:]*:/, "", to)
  limit_low = from == "" ? low : from + 0
  limit_high = to == "" ? high : to + 0
}
function set_ranges(    p, o, pad) {
  for (p = 1; p <= panels; p++) {
    if (!shown[p]) continue
    o = panel_over[p]
    if (!(o in x_low) || low_x[p] < x_low[o]) x_low[o] = low_x[p]
    if (!(o in x_high) || high_x[p] > x_high[o]) x_high[o] = high_x[p]
  }
  for (o = 1; o <= overs; o++) {
    if (!(o in x_low)) continue
    pad = over_name[o] ~ /^(time|frequency|distance$|along)/ ? 0 : 0.03 * (x_high[o] - x_low[o])
    if (x_high[o] - x_low[o] <= 1e-12 * abs(x_high[o])) pad = x_high[o] == 0 ? 1 : 0.05 * abs(x_high[o])
    limits_of(ENVIRON["XLIM"], x_low[o] - pad, x_high[o] + pad)
    x_low[o] = limit_low
    x_high[o] = limit_high
  }
  for (p = 1; p <= panels; p++) {
    if (!shown[p]) continue
    if (panel_from_zero[p] && low_y[p] > 0) low_y[p] = 0
    pad = 0.06 * (high_y[p] - low_y[p])
    if (high_y[p] - low_y[p] <= 1e-9 * (abs(high_y[p]) + abs(low_y[p]))) pad = high_y[p] == 0 ? 1 : 0.1 * abs(high_y[p])
    limits_of(ENVIRON["YLIM"], low_y[p] - (panel_from_zero[p] && low_y[p] == 0 ? 0 : pad), high_y[p] + pad)
    y_low[p] = limit_low
    y_high[p] = limit_high
    p_x_low[p] = x_low[panel_over[p]]
    p_x_high[p] = x_high[panel_over[p]]
  }
}
# One scale for both axes: what is too small of the two ranges grows. Returns the height of the panel.
function equal_scales(p, width,    height, scale, middle) {
  scale = width / (p_x_high[p] - p_x_low[p])
  height = scale * (y_high[p] - y_low[p])
  if (height < 7 * em) height = 7 * em
  if (height > 0.75 * width + 60) height = 0.75 * width + 60
  if (height / (y_high[p] - y_low[p]) < scale) scale = height / (y_high[p] - y_low[p])
  middle = (p_x_low[p] + p_x_high[p]) / 2
  p_x_low[p] = middle - width / scale / 2
  p_x_high[p] = middle + width / scale / 2
  middle = (y_low[p] + y_high[p]) / 2
  y_low[p] = middle - height / scale / 2
  y_high[p] = middle + height / scale / 2
  return height
}

# --- the key of a panel: its title and entries, one behind the other in as many lines as they need ---

function key_entry(p, what, text, style) {
  entries[p]++
  entry[p, entries[p], "kind"] = what
  entry[p, entries[p], "text"] = text
  entry[p, entries[p], "style"] = style
}
function line_style(hue, dash) {
  return "linewidth 2 dashtype " dashes[1 + (dash - 1) % 5] " linecolor rgb \047" colour[1 + (hue - 1) % colours] "\047"
}
function style_of(s, l) {
  if (members_of[series_panel[s]] == 1) return line_style(l, l)
  return line_style(member_of[s], count > 1 ? l : member_of[s])
}
function mark_style(k) {
  return count > 1 ? "linecolor rgb \047" colour[1 + (put_log[k] - 1) % colours] "\047" : "linecolor rgb \047#202020\047"
}
function set_keys(    s, p, l, k, n, texts) {
  for (s = 1; s <= series; s++) { p = series_panel[s]; if (drawn[s, 1] || drawn[s, 2] || drawn[s, count]) member_of[s] = ++members_of[p] }
  for (s = 1; s <= series; s++) {
    p = series_panel[s]
    if (!shown[p] || !(s in member_of)) continue
    if (series_style[s] == "area") { if (has_area(s)) key_entry(p, "area", series_label[s], "fillcolor rgb \047" area_colour(s) "\047"); continue }
    if (members_of[p] > 1) key_entry(p, "line", series_label[s], line_style(member_of[s], count > 1 ? 1 : member_of[s]))
    else if (count == 1 && series_label[s] != "" && marked(p)) key_entry(p, "line", series_label[s], style_of(s, 1))
  }
  for (p = 1; p <= panels && !shown[p]; p++) ;
  if (count > 1) # the first panel says which run is which
    for (l = 1; l <= count; l++) key_entry(p, "line", label[l], members_of[p] == 1 ? line_style(l, l) : "linewidth 2 dashtype " dashes[1 + (l - 1) % 5] " linecolor rgb \047#202020\047")
  for (k = 1; k <= puts; k++) if (put_text[k] != "") key_entry(put_panel[k], put_kind[k] == "at" ? "at" : put_kind[k], put_text[k], k)
}
function marked(p,    k) { for (k = 1; k <= puts; k++) if (put_panel[k] == p) return 1; return 0 }
function heading_of(p,    unit) {
  unit = panel_unit[p]
  return (panel_title[p] ~ /^[a-z]( |$)/ ? panel_title[p] : toupper(substr(panel_title[p], 1, 1)) substr(panel_title[p], 2)) (unit == "" || unit == "1" ? "" : " [" pretty(unit) "]")
}
# Places title and entries between LEFT and RIGHT; returns the lines. With y they are printed, below it.
function flow(p, left, right, y, printing,    x, lines, i, text, size) {
  lines = wrap(heading_of(p), (right - left) / em / 1.12)
  if (printing)
    for (i = 1; i <= lines; i++)
      print_text(wrapped[i], left, y + (0.7 + 1.5 * (i - 1)) * em, "left", "font \047DejaVu Sans:Bold," font "\047 textcolor rgb \047#202020\047")
  x = left + (width_of(wrapped[lines]) * 1.12 + 1.2) * em
  for (i = 1; i <= entries[p]; i++) {
    text = cut(entry[p, i, "text"], (right - left) / em - 4.4)
    size = (4.4 + width_of(text)) * em
    if (x + size > right && x > left) { x = left; lines++ }
    if (printing) put_sample(p, i, x, y + 0.7 * em + (lines - 1) * 1.5 * em)
    if (printing) print_text(text, x + 3.2 * em, y + 0.7 * em + (lines - 1) * 1.5 * em, "left", "textcolor rgb \047#404040\047")
    x += size
  }
  return lines
}
function put_sample(p, i, x, y,    what, k, style) {
  what = entry[p, i, "kind"]
  k = entry[p, i, "style"]
  if (what == "line") print "set arrow from " at_screen(x, y) " to " at_screen(x + 2.8 * em, y) " nohead front " k
  else if (what == "area") print "set object rectangle from " at_screen(x + 0.9 * em, y - 0.45 * em) " to " at_screen(x + 2.4 * em, y + 0.45 * em) " front fillstyle solid border linecolor rgb \047#404040\047 " k
  else if (what == "band") print "set object rectangle from " at_screen(x + 0.9 * em, y - 0.45 * em) " to " at_screen(x + 2.4 * em, y + 0.45 * em) " front fillstyle solid noborder fillcolor rgb \047#dde6ee\047"
  else if (what == "at") print "set arrow from " at_screen(x + 1.6 * em, y - 0.6 * em) " to " at_screen(x + 1.6 * em, y + 0.6 * em) " nohead front " at_style(k)
  else if (what ~ /^(mark|cones|hits)$/) print "set label \047\047 at " at_screen(x + 1.6 * em, y) " front point " point_style(k)
  else print "set arrow from " at_screen(x, y) " to " at_screen(x + 2.8 * em, y) " nohead front " plain_style(k)
}
function at_style(k,    i, n) {
  for (i = 1; i <= k; i++) n += put_kind[i] == "at" && put_panel[i] == put_panel[k]
  return "linewidth 1.5 dashtype " dashes[2 + (n - 1) % 4] " linecolor rgb \047#606060\047"
}
function point_style(k,    i, n) {
  if (put_kind[k] == "cones") return "pointtype 7 pointsize 0.45 linecolor rgb \047#404040\047"
  if (put_kind[k] == "hits") return "pointtype 2 pointsize 1.1 linewidth 2 linecolor rgb \047#D55E00\047"
  for (i = 1; i <= k; i++) n += put_kind[i] == "mark" && put_panel[i] == put_panel[k] && put_log[i] == put_log[k]
  return "pointtype " (n % 3 == 1 ? 7 : n % 3 == 2 ? 5 : 9) " pointsize 1 " mark_style(k)
}
function plain_style(k) {
  if (put_kind[k] == "slope") return "linewidth 1.5 dashtype " dashes[2] " " mark_style(k)
  if (put_kind[k] == "cars") return "linewidth 1 linecolor rgb \047#707070\047"
  if (put_kind[k] == "curves") return "linewidth 1.5 dashtype 1 linecolor rgb \047#909090\047"
  return "linewidth 1.5 dashtype " dashes[3] " " (count > 1 ? mark_style(k) : "linecolor rgb \047#606060\047")
}
function area_colour(s,    i, n) {
  for (i = 1; i <= s; i++) n += series_panel[i] == series_panel[s]
  return area_hue[1 + (n - 1) % area_hues]
}

# --- the whole picture ---

# Size of a letter in pixels, and of the picture. Programs print points of a PNG at 96 dots an inch.
function set_size() {
  font = ENVIRON["FONT"]
  em = ENVIRON["terminal"] ~ /^png/ ? font * 4 / 3 : ENVIRON["terminal"] ~ /^svg/ ? font + 1 : font + 0
  if (ENVIRON["terminal"] ~ /^svg/) font++
  split(ENVIRON["SIZE"], size_given, "x")
  wide = size_given[1] ? size_given[1] : 1100
}
function most_columns() { return wide < 48 * em ? 1 : int(wide / (24 * em)) }

function place_panels(    p, i, n, row_of, c) {
  for (p = 1; p <= panels; p++) if (any_in[p] && (moves_in[p] || ENVIRON["PICTURE"] == "")) { shown[p] = 1; shown_panel[++visible] = p }
  if (!visible) fail("nothing to draw: the run has none of the columns of this picture, or nothing changes in them")
  if (columns < 1) columns = 1
  if (columns > most_columns()) columns = over_log ? 1 : most_columns()
  if (columns > visible) columns = visible
  set_ranges()
  set_keys()
  # left margins for the widest tic of a column of panels
  for (i = 1; i <= visible; i++) {
    c = (i - 1) % columns
    n = tics(y_low[shown_panel[i]], y_high[shown_panel[i]], 8)
    while (n > 0) { if (margin[c] < width_of(tic_text[n]) * em) margin[c] = width_of(tic_text[n]) * em; n-- }
  }
}
function column_left(c) { return c * wide / columns + margin[c] + 1.4 * em }
function column_right(c) { return (c + 1) * wide / columns - 1.6 * em }
# Whether the panel shows numbers and name of x: none below it does.
function has_foot(i) {
  return i + columns > visible || panel_over[shown_panel[i + columns]] != panel_over[shown_panel[i]] || panel_equal[shown_panel[i]] || panel_equal[shown_panel[i + columns]]
}
function measure_rows(top,    i, c, p, lines, rows_of_panels, free, fixed, r) {
  rows_of_panels = int((visible + columns - 1) / columns)
  for (i = 1; i <= visible; i++) {
    p = shown_panel[i]
    r = int((i - 1) / columns)
    c = (i - 1) % columns
    lines = flow(p, column_left(c), column_right(c), 0, 0) * 1.5 * em + 0.3 * em
    if (lines > head[r]) head[r] = lines
    if (panel_equal[p]) { tall[i] = equal_scales(p, column_right(c) - column_left(c)); fixed_row[r] = tall[i] > fixed_row[r] ? tall[i] : fixed_row[r] }
    if (has_foot(i)) foot[r] = 4.2 * em
    if (foot[r] < 0.9 * em) foot[r] = 0.9 * em
  }
  for (r = 0; r < rows_of_panels; r++) { fixed += head[r] + foot[r] + fixed_row[r]; free += !fixed_row[r] }
  for (r = 0; r < rows_of_panels; r++) {
    body[r] = fixed_row[r] ? fixed_row[r] : size_given[2] ? (size_given[2] - top - fixed) / free : rows_of_panels == 1 ? 24 * em : rows_of_panels == 2 ? 17 * em : rows_of_panels == 3 ? 13 * em : 10.5 * em
    if (body[r] < 3 * em) fail("-s " ENVIRON["SIZE"] " has no room for " visible " panels; leave the height away")
  }
  high = top
  for (r = 0; r < rows_of_panels; r++) { row_top[r] = high; high += head[r] + body[r] + foot[r] }
  if (size_given[2]) high = size_given[2]
  high = int(high + 0.5)
}
function put_panel_here(i,    p, c, r, left, right, y, n, width, most, height) {
  p = shown_panel[i]
  c = (i - 1) % columns
  r = int((i - 1) / columns)
  left = column_left(c)
  right = column_right(c)
  y = row_top[r] + head[r]
  height = panel_equal[p] ? tall[i] : body[r]
  flow(p, left, right, row_top[r], 1)
  printf "set lmargin at screen %.6f\nset rmargin at screen %.6f\nset tmargin at screen %.6f\nset bmargin at screen %.6f\n", left / wide, right / wide, \
    1 - y / high, 1 - (y + height) / high
  printf "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", p_x_low[p], p_x_high[p], y_low[p], y_high[p]
  print tics_command("y", tics(y_low[p], y_high[p], rows_of_tics(height)), 1)
  if (over_log) n = log_tics(p_x_low[p], p_x_high[p], right - left)
  else
    for (most = 12; most >= 1; most--) {
      split("", tic_text)
      n = tics(p_x_low[p], p_x_high[p], most)
      width = n ? width_of(tic_text[n]) > width_of(tic_text[1]) ? width_of(tic_text[n]) : width_of(tic_text[1]) : 0
      if (n * (width + 1) * em < right - left) break
    }
  print tics_command("x", n, has_foot(i))
  if (has_foot(i)) print_text(cut(over_name[panel_over[p]] unit_text(over_unit[panel_over[p]]), (right - left) / em), (left + right) / 2, y + height + 3.1 * em, "center", "textcolor rgb \047#202020\047")
  put_marks(p)
  print plot_command(p)
  print "unset label\nunset arrow\nunset object"
}
function unit_text(unit) { return unit == "" || unit == "1" ? "" : " [" pretty(unit) "]" }
function put_marks(p,    k) {
  for (k = 1; k <= puts; k++) {
    if (put_panel[k] != p) continue
    if (put_kind[k] == "at" && put_x[k] >= p_x_low[p] && put_x[k] <= p_x_high[p])
      printf "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back %s\n", put_x[k], put_x[k], at_style(k)
    if (put_kind[k] == "level") printf "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead back %s\n", put_y[k], put_y[k], plain_style(k)
    if (put_kind[k] == "band" && put_to[k] > p_x_low[p] && put_x[k] < p_x_high[p])
      printf "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind fillstyle solid noborder fillcolor rgb \047#dde6ee\047\n", \
        larger(put_x[k], p_x_low[p]), -larger(-put_to[k], -p_x_high[p])
  }
}
function plot_command(p,    s, l, k, line, i, name) {
  for (k = 1; k <= puts; k++) {
    if (put_panel[k] != p) continue
    if (put_kind[k] == "circle") {
      name = "m" k
      printf "" >name
      for (i = 0; i <= 180; i++) printf "%.9g %.9g\n", put_x[k] * cos(i * 0.0349065850398866), put_x[k] * sin(i * 0.0349065850398866) >name
      close(name)
      line = line ", \047" name "\047 using 1:2 with lines " plain_style(k) " notitle"
    }
    if (put_kind[k] == "cars") line = line ", \047cars\047 using 1:2 with lines " plain_style(k) " notitle"
    if (put_kind[k] == "curves") line = line ", \047m" k "\047 using 1:2 with lines " plain_style(k) " notitle"
  }
  for (s = 1; s <= series; s++) {
    if (series_panel[s] != p) continue
    if (series_style[s] == "area") {
      if (has_area(s)) line = line ", \047d" s "_1\047 using 1:2:3 with filledcurves fillcolor rgb \047" area_colour(s) "\047 fillstyle solid border linecolor rgb \047#404040\047 notitle"
      continue
    }
    for (l = 1; l <= count; l++) if (drawn[s, l]) line = line ", \047d" s "_" l "\047 using 1:2 with lines " style_of(s, l) " notitle"
  }
  for (k = 1; k <= puts; k++) {
    if (put_panel[k] != p) continue
    if (put_kind[k] == "slope") line = line ", \047m" k "\047 using 1:2 with lines " plain_style(k) " notitle"
    if (put_kind[k] == "cones" || put_kind[k] == "hits") line = line ", \047" put_kind[k] "\047 using 1:2 with points " point_style(k) " notitle"
    if (put_kind[k] == "mark") {
      name = "m" k
      printf "%.9g %.9g\n", put_x[k], put_y[k] >name
      close(name)
      line = line ", \047" name "\047 using 1:2 with points " point_style(k) " notitle"
    }
  }
  return line == "" ? "plot 1/0 notitle" : "plot " substr(line, 3)
}
# What all runs have in common of manoeuvre, car and level; for one run without such files its name.
function set_heading(    l, same, title, under, car, stage) {
  title = run_title(1)
  car = resolved[1, "vehicle.name"]
  stage = resolved[1, "run.level"] != "" ? resolved[1, "run.level"] : provenance[1, "level"]
  for (l = 2; l <= count; l++) {
    if (run_title(l) != title) title = ""
    if (resolved[l, "vehicle.name"] != car) car = ""
    if ((resolved[l, "run.level"] != "" ? resolved[l, "run.level"] : provenance[l, "level"]) != stage) stage = ""
  }
  if (count == 1 && title == "") title = label[1]
  under = car (car != "" && stage != "" ? ", " : "") stage
  if (ENVIRON["TITLE"] != "") { title = ENVIRON["TITLE"]; under = "" }
  if (count == 1 && say != "") { say = filled(say, 1); if (say != "") under = under (under == "" ? "" : ": ") say }
  heading = title
  below = under
}
function run_title(l,    text) {
  text = resolved[l, "title"]
  if (text == "" && provenance[l, "scenario"] != "") { text = provenance[l, "scenario"]; sub(/.*\//, "", text); sub(/\.yaml$/, "", text); gsub(/_/, " ", text) }
  return text
}
function put_heading(printing,    n, i, y, style) {
  gsub(/[\001-\037\177]+/, " ", heading)
  y = 0.6 * em
  if (heading != "") {
    n = wrap(heading, wide / em / 1.35 - 2)
    for (i = 1; i <= n; i++) {
      y += 1.75 * em
      if (printing) print_text(wrapped[i], wide / 2, y - 0.85 * em, "center", "font \047DejaVu Sans," int(font * 1.27 + 0.5) "\047")
    }
  }
  if (below != "") {
    n = wrap(below, wide / em - 2)
    for (i = 1; i <= n; i++) {
      y += 1.5 * em
      if (printing) print_text(wrapped[i], wide / 2, y - 0.75 * em, "center", "textcolor rgb \047#505050\047")
    }
  }
  return y + 0.5 * em
}
function put_script(    i) {
  set_heading()
  place_panels()
  measure_rows(put_heading(0))
  put_head(wide, high)
  print "set grid linetype 1 linecolor rgb \047#e0e0e0\047 linewidth 1"
  print "set key off\nset multiplot"
  print over_log ? "set logscale x" : "unset logscale"
  put_heading(1)
  for (i = 1; i <= visible; i++) put_panel_here(i)
  print "unset multiplot"
}
BEGIN {
  set_units()
  set_letters()
  split("fl fr rl rr", wheel, " ")
  split("front left,front right,rear left,rear right", wheel_name, ",")
  # Okabe and Ito, for colour-blind readers too; without the yellow, which is faint on white
  colours = split("#0072B2 #D55E00 #009E73 #CC79A7 #56B4E9 #E69F00 #000000", colour, " ")
  split("solid (14,7) (3,4) (20,5,4,5) (8,4,3,4)", dashes, " ")
  # areas side by side also differ in grey
  area_hues = split("#0072B2 #E69F00 #009E73 #F0E442 #D55E00 #56B4E9 #000000 #CC79A7 #999999", area_hue, " ")
  set_size()
  read_unit_rules(ENVIRON["UNITS"])
  read_table(ARGV[1])
  if (ENVIRON["PICTURE"] == "list") { list_pictures(); exit }
  panels_file = ARGV[2]
  read_names(3)
  labels = split(ENVIRON["LABELS"], given, ",")
  for (i = 1; i <= labels && i <= count; i++) if (given[i] != "") label[i] = given[i]
  for (l = 1; l <= count; l++) { read_header(l); read_beside(l) }
  if (ENVIRON["PICTURE"] == "response") build_response()
  else if (ENVIRON["PICTURE"] != "") build_picture(check_picture(ENVIRON["PICTURE"]))
  else build_channels(panels_file)
  for (i = 1; i <= own_rules; i++) if (!(i in rule_used)) fail("-u " rule_text[i] "=" rule_unit[i] ": no such channel is drawn")
  keep_points = ENVIRON["DIFFERENCE"] != ""
  for (i = 1; i <= marks; i++) {
    has_marks[mark_panel[i]] = 1
    if (mark_kind[i] ~ /^(course|cars)$/) wanted["x_m"] = wanted["y_m"] = wanted["yaw_rad"] = 1
  }
  if (need_ay) wanted["ay_mps2"] = wanted["vx_mps"] = wanted["t_s"] = 1
  if (need_wheel) wanted["steering_wheel_rad"] = 1
  wanted["t_s"] = 1
  for (l = 1; l <= count; l++) {
    if (l > 1 && keep_points) keep_points = 0
    close("log" l)
    next_line(l)
    read_rows(l)
    forget_others(l)
    derive(l)
    write_points(l)
    evaluate_marks(l)
  }
  put_script()
  exit
}
