# Third part of the program of scripts/plot: lays out all text itself, in pixels, with upper estimates of the widths of
# letters, so that no texts overlap, and prints gnuplot's script. The environment has the options of scripts/plot.
# Arguments: the table of pictures, a file of the user's channels, logs.

# --- words in pixels ---

# An upper estimate of the width in em of a text in DejaVu Sans; only the first byte of a letter counts.
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

function even_step(span, most,    raw, power, i) {
  raw = span / (most < 1 ? 1 : most)
  if (!finite(raw)) return huge
  if (!(raw > 1 / huge)) return 1 / huge
  power = 10 ^ int(log(raw) / log(10) - (raw < 1 ? 1 : 0))
  for (i = 0; i < 3 && power * 10 <= raw; i++) power *= 10
  return power * (power >= raw ? 1 : 2 * power >= raw ? 2 : 2.5 * power >= raw ? 2.5 : 5 * power >= raw ? 5 : 10)
}
# Tics of an axis into tic_at[1..n], tic_text[1..n]; returns n.
function tics(low, high, most,    step, from, i, n, v, places, largest, format) {
  step = even_step(high - low, most)
  largest = abs(low) > abs(high) ? abs(low) : abs(high)
  places = 0
  while (places < 8 && abs(step * 10 ^ places - int(step * 10 ^ places + 0.5)) > 1e-6) places++
  format = largest >= 1e6 || step < 1e-5 ? "%." digits_of(largest, step) "g" : "%." places "f"
  # int() rounds towards 0
  from = int(low / step) - 1
  for (i = 0; i < 3 && from * step < low - 1e-9 * step; i++) from++
  for (i = 0; i < 50 && (from + i) * step <= high + 1e-9 * step; i++) {
    v = from + i == 0 ? 0 : (from + i) * step
    tic_at[++n] = v
    tic_text[n] = sprintf(format, v)
  }
  return n
}
# Digits in which neighbouring multiples of a step differ, up to the largest; a step of 2.5 has two.
function digits_of(largest, step,    n) {
  n = decade(largest) - decade(step) + 1 + (sprintf("%.1e", step) !~ /^.\.0/)
  return n < 3 ? 3 : n > 15 ? 15 : n
}
function decade(x) { x = sprintf("%.9e", x); sub(/.*e/, "", x); return x + 0 }
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
  for (i = 1; i <= n; i++)
    out = out (i > 1 ? ", " : "") quote(with_text ? tic_text[i] : "") sprintf(" %.15g", tic_at[i])
  return "set " axis "tics (" out ")"
}
function rows_of_tics(height) { return height / (1.8 * em) < 8 ? height / (1.8 * em) : 8 }
function at_screen(x, y) { return sprintf("screen %.6f, screen %.6f", x / wide, 1 - y / high) }
function print_text(text, x, y, align, style) {
  print "set label " quote(text) " at " at_screen(x, y) " " align " front noenhanced " style
}
# FROM:TO, either of them or both without a number.
function limits_of(what, option, low, high,    from, to) {
  from = to = option
  sub(/:.*/, "", from)
  sub(/[^:]*:/, "", to)
  limit_low = from == "" ? low : from + 0
  limit_high = to == "" ? high : to + 0
  if (option != "" && !apart(limit_low, limit_high))
    fail(what "=" option " leaves nothing between " limit_low " and " limit_high)
}
# Whether an axis can reach from one to the other.
function apart(low, high) { return high - low > 1e-9 * larger(abs(low), abs(high)) }
function set_ranges(    p, o, pad, i, y_limits) {
  split(ENVIRON["YLIM"], y_limits, ",")
  for (p = 1; p <= panels; p++) {
    if (!shown[p]) continue
    o = panel_over[p]
    if (!(o in x_low) || low_x[p] < x_low[o]) x_low[o] = low_x[p]
    if (!(o in x_high) || high_x[p] > x_high[o]) x_high[o] = high_x[p]
  }
  for (o = 1; o <= overs; o++) {
    if (!(o in x_low)) continue
    pad = over_name[o] ~ /^(time|frequency|distance$|along)/ ? 0 : 0.03 * (x_high[o] - x_low[o])
    if (!apart(x_low[o], x_high[o])) pad = x_high[o] == 0 ? 1 : 0.05 * abs(x_high[o])
    limits_of("--xlim", ENVIRON["XLIM"], x_low[o] - pad, x_high[o] + pad)
    if (over_log && ENVIRON["XLIM"] != "" && limit_low <= 0)
      fail("--xlim=" ENVIRON["XLIM"] ": an axis of frequencies begins above 0")
    x_low[o] = limit_low
    x_high[o] = limit_high
  }
  for (p = 1; p <= panels; p++) {
    if (!shown[p]) continue
    if (panel_from_zero[p] && low_y[p] > 0) low_y[p] = 0
    pad = 0.06 * (high_y[p] - low_y[p])
    if (high_y[p] - low_y[p] <= 1e-9 * (abs(high_y[p]) + abs(low_y[p]))) pad = high_y[p] == 0 ? 1 : 0.1 * abs(high_y[p])
    limits_of("--ylim", y_limits[++i], low_y[p] - (panel_from_zero[p] && low_y[p] == 0 ? 0 : pad), high_y[p] + pad)
    y_low[p] = limit_low
    y_high[p] = limit_high
    p_x_low[p] = x_low[panel_over[p]]
    p_x_high[p] = x_high[panel_over[p]]
  }
}
# One scale for both axes: the range that is too small for it grows. Returns the height of the panel.
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
function rgb(code) { return "rgb \047" code "\047" }
function line_style(hue, dash) {
  return "linewidth 2 dashtype " dashes[1 + (dash - 1) % 5] " linecolor " rgb(colour[1 + (hue - 1) % colours])
}
function style_of(s, l) {
  if (members_of[series_panel[s]] == 1) return line_style(l, l)
  return line_style(member_of[s], count > 1 ? l : member_of[s])
}
function mark_style(k, in_key) {
  return " linecolor " (count > 1 && !in_key ? rgb(colour[1 + (put_log[k] - 1) % colours]) : rgb("#202020"))
}
function set_keys(    s, p, l, k, several, named_in) {
  for (s = 1; s <= series; s++)
    for (l = 1; l <= count; l++) if (drawn[s, l] && !(s in member_of)) member_of[s] = ++members_of[series_panel[s]]
  for (s = 1; s <= series; s++) {
    p = series_panel[s]
    if (!shown[p] || !(s in member_of)) continue
    if (series_style[s] == "area") {
      if (has_area(s)) key_entry(p, "area", series_label[s], "fillcolor " rgb(area_colour(s)))
    } else if (members_of[p] > 1)
      key_entry(p, "line", series_label[s], line_style(member_of[s], count > 1 ? 1 : member_of[s]))
    else if (count == 1 && series_label[s] != "" && marked(p)) key_entry(p, "line", series_label[s], style_of(s, 1))
  }
  # runs differ by colour if each has one line, by dashes if each has several
  for (p = 1; p <= panels && count > 1; p++) {
    several = members_of[p] > 1
    if (!shown[p] || named_in[several]++) continue
    for (l = 1; l <= count; l++)
      key_entry(p, "line", label[l], several ? "linewidth 2 dashtype " dashes[1 + (l - 1) % 5] \
          " linecolor " rgb("#202020") : line_style(l, l))
  }
  for (k = 1; k <= puts; k++) if (put_text[k] != "") key_entry(put_panel[k], put_kind[k], put_text[k], k)
}
function marked(p,    k) { for (k = 1; k <= puts; k++) if (put_panel[k] == p) return 1; return 0 }
function heading_of(p,    title) {
  title = panel_title[p]
  if (title !~ /^[a-z]( |$)/) title = toupper(substr(title, 1, 1)) substr(title, 2)
  return title unit_text(panel_unit[p])
}
# Places title and entries between LEFT and RIGHT; returns the lines. With y they are printed, below it.
function flow(p, left, right, y, printing,    x, lines, i, text, size) {
  lines = wrap(heading_of(p), (right - left) / em / 1.12)
  if (printing)
    for (i = 1; i <= lines; i++)
      print_text(wrapped[i], left, y + (0.7 + 1.5 * (i - 1)) * em, "left", "font \047DejaVu Sans:Bold," font \
          "\047 textcolor " rgb("#202020"))
  x = left + (lines ? (width_of(wrapped[lines]) * 1.12 + 1.2) * em : 0)
  if (!lines) lines = 1 # channels that have no common name
  for (i = 1; i <= entries[p]; i++) {
    text = cut(entry[p, i, "text"], (right - left) / em - 4.4)
    size = (4.4 + width_of(text)) * em
    if (x + size > right && x > left) { x = left; lines++ }
    if (printing) put_sample(p, i, x, y + 0.7 * em + (lines - 1) * 1.5 * em)
    if (printing)
      print_text(text, x + 3.2 * em, y + 0.7 * em + (lines - 1) * 1.5 * em, "left", "textcolor " rgb("#404040"))
    x += size
  }
  return lines
}
function put_sample(p, i, x, y,    what, k, box) {
  what = entry[p, i, "kind"]
  k = entry[p, i, "style"]
  box = "set object rectangle from " at_screen(x + 0.9 * em, y - 0.45 * em) \
      " to " at_screen(x + 2.4 * em, y + 0.45 * em) " front fillstyle solid "
  if (what == "line") print "set arrow from " at_screen(x, y) " to " at_screen(x + 2.8 * em, y) " nohead front " k
  else if (what == "area") print box "border linecolor " rgb("#404040") " " k
  else if (what ~ /^(band|gate)$/) print box "noborder fillcolor " rgb("#dde6ee")
  else if (what == "at")
    print "set arrow from " at_screen(x + 1.6 * em, y - 0.6 * em) " to " at_screen(x + 1.6 * em, y + 0.6 * em) \
        " nohead front " at_style(k)
  else if (what ~ /^(mark|cones|hits)$/)
    print "set label \047\047 at " at_screen(x + 1.6 * em, y) " front point " point_style(k, 1)
  else print "set arrow from " at_screen(x, y) " to " at_screen(x + 2.8 * em, y) " nohead front " plain_style(k, 1)
}
function at_style(k,    i, n) {
  for (i = 1; i <= k; i++) n += put_kind[i] == "at" && put_panel[i] == put_panel[k]
  return "linewidth 1.5 dashtype " dashes[2 + (n - 1) % 4] " linecolor " rgb("#606060")
}
function point_style(k, in_key,    i, n) {
  if (put_kind[k] == "cones") return "pointtype 7 pointsize 0.45 linecolor " rgb("#404040")
  if (put_kind[k] == "hits") return "pointtype 2 pointsize 1.1 linewidth 2 linecolor " rgb("#D55E00")
  for (i = 1; i <= k; i++) n += put_kind[i] == "mark" && put_panel[i] == put_panel[k] && put_log[i] == put_log[k]
  return "pointtype " (n % 3 == 1 ? 7 : n % 3 == 2 ? 5 : 9) " pointsize 1 " mark_style(k, in_key)
}
function plain_style(k, in_key) {
  if (put_kind[k] == "slope") return "linewidth 1.5 dashtype " dashes[2] " " mark_style(k, in_key)
  if (put_kind[k] == "cars") return "linewidth 1 linecolor " rgb("#707070")
  if (put_kind[k] == "curves") return "linewidth 1.5 dashtype 1 linecolor " rgb("#909090")
  return "linewidth 1.5 dashtype " dashes[3] " " (count > 1 && !in_key ? mark_style(k) : "linecolor " rgb("#606060"))
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

function place_panels(    p) {
  for (p = 1; p <= panels; p++)
    if (any_in[p] && (moves_in[p] || ENVIRON["PICTURE"] == "")) {
      shown[p] = 1
      shown_panel[++visible] = p
    }
  if (!visible) fail("nothing to draw: the run has none of the columns of this picture, or nothing changes in them")
  if (columns < 1) columns = 1
  if (columns > most_columns()) columns = over_log ? 1 : most_columns()
  if (columns > visible) columns = visible
  set_ranges()
  set_keys()
}
# Left margins for the widest number of each column of panels; returns whether one grew.
function set_margins(    i, n, c, most, grew) {
  for (i = 1; i <= visible; i++) {
    c = (i - 1) % columns
    for (most = 1; most <= 8; most++)
      for (n = tics(y_low[shown_panel[i]], y_high[shown_panel[i]], most); n > 0; n--)
        if (margin[c] < width_of(tic_text[n]) * em) { margin[c] = width_of(tic_text[n]) * em; grew = 1 }
  }
  return grew
}
function column_left(c) { return c * wide / columns + margin[c] + 1.8 * em }
function column_right(c) { return (c + 1) * wide / columns - 1.6 * em }
# Whether the panel shows numbers and name of x: none below it does.
function has_foot(i,    p, below) {
  p = shown_panel[i]
  below = shown_panel[i + columns]
  return i + columns > visible || panel_over[below] != panel_over[p] || panel_equal[p] || panel_equal[below]
}
function measure_rows(top,    i, c, p, lines, rows_of_panels, free, fixed, r) {
  split("", head)
  split("", foot)
  split("", fixed_row)
  rows_of_panels = int((visible + columns - 1) / columns)
  for (i = 1; i <= visible; i++) {
    p = shown_panel[i]
    r = int((i - 1) / columns)
    c = (i - 1) % columns
    lines = flow(p, column_left(c), column_right(c), 0, 0) * 1.5 * em + 0.3 * em
    if (lines > head[r]) head[r] = lines
    if (panel_equal[p]) {
      tall[i] = equal_scales(p, column_right(c) - column_left(c))
      fixed_row[r] = larger(tall[i], fixed_row[r])
    }
    if (has_foot(i)) foot[r] = 16 + 3.7 * em
    if (foot[r] < 0.9 * em) foot[r] = 0.9 * em
  }
  for (r = 0; r < rows_of_panels; r++) { fixed += head[r] + foot[r] + fixed_row[r]; free += !fixed_row[r] }
  for (r = 0; r < rows_of_panels; r++) {
    if (fixed_row[r]) body[r] = fixed_row[r]
    else if (size_given[2]) body[r] = (size_given[2] - top - fixed) / free
    else body[r] = em * (rows_of_panels == 1 ? 24 : rows_of_panels == 2 ? 17 : rows_of_panels == 3 ? 13 : 10.5)
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
  printf "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", left / wide, right / wide
  printf "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1 - y / high, 1 - (y + height) / high
  printf "set xrange [%.15g:%.15g]\nset yrange [%.15g:%.15g]\n", p_x_low[p], p_x_high[p], y_low[p], y_high[p]
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
  if (has_foot(i))
    print_text(cut(over_name[panel_over[p]] unit_text(over_unit[panel_over[p]]), (right - left) / em), \
      (left + right) / 2, \
      y + height + 16 + 2.2 * em, "center", "textcolor " rgb("#202020"))
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
    if (put_kind[k] == "level")
      printf "set arrow from graph 0, first %.10g to graph 1, first %.10g nohead back %s\n", put_y[k],
          put_y[k], plain_style(k)
    if (put_kind[k] == "gate")
      printf "set object rectangle from %.10g, %.10g to %.10g, %.10g behind fillstyle solid noborder fillcolor %s\n", \
        put_x[k], put_y[k], put_to[k], put_top[k], rgb("#dde6ee")
    if (put_kind[k] == "band" && put_to[k] > p_x_low[p] && put_x[k] < p_x_high[p])
      printf "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind fillstyle solid noborder fillcolor %s\n", \
        larger(put_x[k], p_x_low[p]), -larger(-put_to[k], -p_x_high[p]), rgb("#dde6ee")
  }
}
function plot_command(p,    s, l, k, line, i, name) {
  for (k = 1; k <= puts; k++) {
    if (put_panel[k] != p) continue
    if (put_kind[k] == "circle") {
      name = "m" k
      printf "" >name
      for (i = 0; i <= 180; i++)
        printf "%.9g %.9g\n", put_x[k] * cos(i * atan2(0, -1) / 90), put_x[k] * sin(i * atan2(0, -1) / 90) >name
      close(name)
      line = line ", \047" name "\047 using 1:2 with lines " plain_style(k) " notitle"
    }
    if (put_kind[k] == "cars") line = line ", \047cars\047 using 1:2 with lines " plain_style(k) " notitle"
    if (put_kind[k] == "curves") line = line ", \047m" k "\047 using 1:2 with lines " plain_style(k) " notitle"
  }
  for (s = 1; s <= series; s++) {
    if (series_panel[s] != p) continue
    if (series_style[s] == "area") {
      if (has_area(s))
        line = line ", \047d" s "_1\047 using 1:2:3 with filledcurves fillcolor " rgb(area_colour(s)) \
            " fillstyle solid border linecolor " \
          rgb("#404040") " notitle"
      continue
    }
    for (l = 1; l <= count; l++) if (drawn[s, l])
      line = line ", \047d" s "_" l "\047 using 1:2 with lines " style_of(s, l) " notitle"
  }
  for (k = 1; k <= puts; k++) {
    if (put_panel[k] != p) continue
    if (put_kind[k] == "slope") line = line ", \047m" k "\047 using 1:2 with lines " plain_style(k) " notitle"
    if (put_kind[k] ~ /^(cones|hits)$/)
      line = line ", \047" put_kind[k] "\047 using 1:2 with points " point_style(k) " notitle"
    if (put_kind[k] == "mark") {
      name = "m" k
      printf "%.9g %.9g\n", put_x[k], put_y[k] >name
      close(name)
      line = line ", \047" name "\047 using 1:2 with points " point_style(k) " notitle"
    }
  }
  return line == "" ? "plot 1/0 notitle" : "plot " substr(line, 3)
}
# Manoeuvre, car and level, as far as all runs have them in common; for one run without such files its name.
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
  heading = title == "" ? under : title
  below = title == "" ? "" : under
}
function run_title(l,    text) {
  text = resolved[l, "title"]
  if (text != "") return text
  text = provenance[l, "scenario"]
  sub(/.*\//, "", text)
  sub(/\.yaml$/, "", text)
  gsub(/_/, " ", text)
  return text
}
function put_heading(printing,    n, i, y, style) {
  gsub(/[\001-\037\177]+/, " ", heading)
  y = 0.6 * em
  if (heading != "") {
    n = wrap(heading, wide / em / 1.35 - 2)
    for (i = 1; i <= n; i++) {
      y += 1.75 * em
      if (printing)
        print_text(wrapped[i], wide / 2, y - 0.85 * em, "center", "font \047DejaVu Sans," int(font * 1.27 + 0.5) "\047")
    }
  }
  if (below != "") {
    n = wrap(below, wide / em - 2)
    for (i = 1; i <= n; i++) {
      y += 1.5 * em
      if (printing) print_text(wrapped[i], wide / 2, y - 0.75 * em, "center", "textcolor " rgb("#505050"))
    }
  }
  return y + 0.5 * em
}
function put_script(    i) {
  set_heading()
  place_panels()
  # equal scales widen the range of y, and with it perhaps its numbers
  while (set_margins()) measure_rows(put_heading(0))
  put_head(wide, high)
  print "set grid linetype 1 linecolor rgb \047#e0e0e0\047 linewidth 1"
  print "set key off\nset multiplot"
  print over_log ? "set logscale x" : "unset logscale"
  put_heading(1)
  for (i = 1; i <= visible; i++) put_panel_here(i)
  print "unset multiplot"
}

BEGIN {
  huge = 1e290 # limit of values, so that sums and conversions of units do not overflow
  set_units()
  set_letters()
  split("fl fr rl rr", wheel, " ")
  split("front left,front right,rear left,rear right", wheel_name, ",")
  # Okabe and Ito, for colour-blind readers too; without the yellow, which is faint on white
  colours = split("#0072B2 #D55E00 #009E73 #CC79A7 #56B4E9 #E69F00 #000000", colour, " ")
  split("solid (14,7) (3,4) (20,5,4,5) (8,4,3,4)", dashes, " ")
  # areas side by side also differ in grey
  area_hues = split("#0072B2 #E69F00 #009E73 #F0E442 #D55E00 #56B4E9 #000000 #CC79A7 #404040", area_hue, " ")
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
  for (i = 1; i <= own_rules; i++) if (!(i in rule_used))
    fail("-u " rule_text[i] "=" rule_unit[i] ": no such channel is drawn")
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
