# First part of the program of scripts/plot: expressions, the files beside a log, columns by name.

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
  if (name ~ /^(steady|turn|cycles|turning|end|braked|begun)$/) {
    if (name == "steady" || name == "turn") need_ay = 1
    if (name ~ /^(cycles|turning)$/) need_wheel = 1
    if (name == "braked") wanted["brake"] = 1
    if (name == "begun") wanted["vx_mps"] = 1
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

# --- the files beside a log: metrics, resolved scenario, provenance ---

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
  keep_fact(l, "from_speed", "metrics.from_speed")
  keep_fact(l, "to_speed", "metrics.to_speed")
  keep_fact(l, "fit_from", "metrics.fit_from")
  keep_fact(l, "fit_to", "metrics.fit_to")
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
# Files beside a log that belong to another run are not used: their number of rows differs.
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
# The names of an expression into list[1..n]; returns n.
function names_in(text, list,    n) {
  gsub(/[0-9.]+e[-+]?[0-9]+/, "", text)
  for (; match(text, /[A-Za-z_][A-Za-z0-9_.]*/); text = substr(text, RSTART + RLENGTH))
    list[++n] = substr(text, RSTART, RLENGTH)
  return n + 0
}
# The unit of an expression is that of the first column in it. It is shown as that column is, and its values are times
# FACTOR.
function unit_of_expression(text,    list, n, i, name) {
  n = names_in(text, list)
  for (i = 1; i <= n; i++) {
    name = list[i]
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
# Whether all names of an expression are known: a part without its column or metric is left out. A metric counts in any
# run.
function known(text,    list, n, i, name, base, l, found) {
  n = names_in(text, list)
  for (i = 1; i <= n; i++) {
    name = base = list[i]
    sub(/\.start$/, "", base)
    if (name in macro) { if (!known(macro[name])) return 0; continue }
    if (name ~ /^(steady|turn|cycles|turning|end|braked|begun|abs|sqrt|sin|cos|integral)$/) continue
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
# Stacked areas: values above 0 are stacked upwards, values below 0 downwards.
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
    else if (what == "slope") { new_mark("slope", item[name, i, 2], item[name, i, 3], item[name, i, 5]);
      mark_c[marks] = item[name, i, 4] }
    else if (what ~ /^(band|mark)$/) new_mark(what, item[name, i, 2], item[name, i, 3], item[name, i, 4])
    else if (what ~ /^(level|at|circle|curves)$/) new_mark(what, item[name, i, 2], "", item[name, i, 3])
    else if (what ~ /^(course|cars)$/) new_mark(what, "", "", "")
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
    if (index(header[l, i], name) == 1) d = d < 1 ? d : 1
    for (k = 3; k >= 1 && (best[k] == "" || d < best[k]); k--) {
      best[k + 1] = best[k]
      near[k + 1] = near[k]
      best[k] = d
      near[k] = header[l, i]
    }
  }
  for (k = 1; k <= 3 && near[k] != ""; k++)
    out = out (k == 1 ? "" : near[k + 1] == "" || k == 3 ? " or " : ", ") cut(near[k], 30)
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
  if (!((1, "frequency_Hz") in column))
    fail("no column \047frequency_Hz\047 in " file[1] ": is it a frequency response?")
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
