# Second part of the program of scripts/plot: rows of the logs, points of every line in files d*, cones and cars, marks.

# --- the rows of a log ---

function read_header(l,    i, n, name, other) {
  if (!next_line(l)) fail("empty file: " file[l])
  sub(/^[ \t]*#[# \t]*/, "", line_of_log) # names behind a mark, as numpy.savetxt writes them
  n = split(line_of_log, name, ",")
  if (n == 1 && match(line_of_log, /[;\t]/))
    fail("the columns of " file[l] " have " (substr(line_of_log, RSTART, 1) == ";" ? "\047;\047" : "a tab") \
        " between them, not \047,\047")
  for (i = 1; i <= n; i++) {
    gsub(/^[ \t"]+|[ \t"]+$/, "", name[i])
    if (!((l, name[i]) in column)) column[l, name[i]] = i
    header[l, i] = name[i]
  }
  # log.units says whether a log is in SI; it is read by both names
  for (i = 1; i <= n; i++)
    if ((other = other_name(name[i])) != "" && !((l, other) in column)) {
      column[l, other] = i
      size_of_column[l, other] = other_size
    }
  headers[l] = n
}
function read_rows(l,    f, name, n, at, names, i, t, time_at, from, to, windowed, size) {
  split("", cell)
  rows = kept = 0
  for (name in wanted) if ((l, name) in column) {
    at[++names] = column[l, name]
    called[names] = name
    size[names] = (l, name) in size_of_column ? size_of_column[l, name] : 1
  }
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
    last_time = time_at ? f[time_at] + 0 : 0
    if (windowed && ((from != "" && f[time_at] < from - 1e-9) || (to != "" && f[time_at] > to + 1e-9))) continue
    kept++
    for (i = 1; i <= names; i++)
      cell[called[i], kept] = f[at[i]] ~ /^[-+]?[0-9.]/ && finite(f[at[i]] + 0) ? f[at[i]] * size[i] : ""
  }
  close("log" l)
  if (!kept) fail(rows ? "no rows between " from " and " to " s in " file[l] : "no rows in " file[l])
  rows_of_log = rows
  rows_now = kept
}
# What is derived from rows: whether they are nearly steady, the side of the turn, whole periods of the steering wheel,
# the instant from which the brake pedal is used, that at which an acceleration begins.
function derive(l,    r, i, k, reach, last, greatest, first, passes) {
  if (need_ay && (1, "ay_mps2") in column && (1, "t_s") in column) {
    cell["turn", 0] = 1
    for (r = 1; r <= rows_now; r++) {
      # ay changes by at most 1 m/s3 over 0.25 s before and after, faster than 1 m/s, as for the metrics of ISO 4138
      i = k = r
      while (i > 1 && cell["t_s", r] - cell["t_s", i] < 0.25 - 1e-9) i--
      while (k < rows_now && cell["t_s", k] - cell["t_s", r] < 0.25 - 1e-9) k++
      cell["steady", r] = cell["t_s", k] - cell["t_s", i] > 0.49 &&
          abs(cell["ay_mps2", r] - cell["ay_mps2", i]) <= 0.25 && \
        abs(cell["ay_mps2", k] - cell["ay_mps2", r]) <= 0.25 && (!((1, "vx_mps") in column) || cell["vx_mps", r] > 1)
      if (cell["steady", r] && abs(cell["ay_mps2", r]) > greatest) {
        greatest = abs(cell["ay_mps2", r])
        cell["turn", 0] = cell["ay_mps2", r] < 0 ? -1 : 1
      }
    }
    leave_out_swing()
  }
  for (r = 1; "brake" in wanted && r <= rows_now && !(("braked", 0) in cell); r++)
    if (cell["brake", r] > 0) cell["braked", 0] = cell["t_s", r > 1 ? r - 1 : r]
  if ("vx_mps" in wanted && (l, "to_speed") in fact) begin(fact[l, "from_speed"] + 0, fact[l, "to_speed"])
  if (need_wheel && (1, "steering_wheel_rad") in column) {
    for (r = 2; r <= rows_now; r++)
      if (cell["steering_wheel_rad", r - 1] < 0 && cell["steering_wheel_rad", r] >= 0) {
        if (!first) first = r
        last = r
        passes++
      }
    for (r = 1; r <= rows_now; r++) cell["cycles", r] = passes > 1 ? r >= first && r <= last : 1
    for (first = 1; first < rows_now && abs(cell["steering_wheel_rad", first]) <= 1e-6; first++) ;
    for (last = first; last < rows_now &&
        abs(cell["steering_wheel_rad", last + 1]) > abs(cell["steering_wheel_rad", last]); last++) ;
    for (r = 1; r <= rows_now; r++) cell["turning", r] = r >= first && r <= last
  }
}
# The instant at which the speed is last at FROM before it is first at TO, to 1e-6 m/s; of a car that is faster at once,
# that of the first row.
function begin(from, to,    r, last) {
  last = rows_now + 1
  for (r = 1; r <= rows_now && last > rows_now; r++) if (cell["vx_mps", r] >= to) last = r
  for (r = last - 1; r > 1 && cell["vx_mps", r] > from + 1e-6; r--) ;
  cell["begun", 0] = cell["t_s", 1]
  if (last <= 1 || r < 1 || cell["vx_mps", r] > from + 1e-6) return
  cell["begun", 0] = cell["t_s", r] + (r < rows_now ? share(cell["vx_mps", r], cell["vx_mps", r + 1], from) * \
      (cell["t_s", r + 1] - cell["t_s", r]) : 0)
}
# The entry into the turn is left out: rows count from half a second after the last row of the first half in which ay is
# not nearly steady or, in a run whose ay grows, in which it falls, since the car still oscillates there.
function leave_out_swing(    r, i, last, middle, grows, falls) {
  middle = int(rows_now / 2)
  grows = abs(cell["ay_mps2", middle]) > abs(cell["ay_mps2", int(middle / 2) + 1])
  for (r = i = 1; r <= middle; r++) {
    while (cell["t_s", r] - cell["t_s", i] > 0.25) i++
    falls = grows && abs(cell["ay_mps2", r]) < abs(cell["ay_mps2", i])
    if (cell["t_s", r] - cell["t_s", 1] > 0.26 && (!cell["steady", r] || falls)) last = r
  }
  for (r = 1; r <= rows_now && last && cell["t_s", r] <= cell["t_s", last] + 0.5; r++) cell["steady", r] = 0
}
function share(from, to, x) { return to > from ? (x - from) / (to - from) : 0 }
function larger(a, b) { return a > b ? a : b }
# False for NaN, for which implementations of awk differ in the results of < and >.
function finite(x) { return x > -huge && x < huge }
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
function factor_of(s) { return s in series_factor ? series_factor[s] : panel_factor[series_panel[s]] }
function first_series(p,    s) { for (s = 1; s <= series && series_panel[s] != p; s++) ; return s }
function write_series(l, s,    name, x, y, n, gap, p, fx, fy, last_y, area) {
  name = "d" s "_" l
  p = series_panel[s]
  fx = over_factor[panel_over[p]]
  fy = factor_of(s)
  area = series_style[s] == "area"
  printf "" >name
  for (row = 1; row <= rows_now; row++) {
    bad = 0
    if (series_filter[s] && !value(series_filter[s])) bad = 1
    if (!bad) x = value(series_x[s]) * fx
    if (!bad) y = value(series_y[s]) * fy
    if (!bad && !(finite(x) && finite(y))) bad = 1
    if (bad) { if (!area) gap = n > 0; else { x = value(series_x[s]) * fx; y = 0; bad = !finite(x) } }
    if (bad) continue
    if (gap) print "" >name
    gap = 0
    n++
    if (!n || n == 1) first_y = y
    else if (abs(y - first_y) > 1e-9 * (abs(y) + abs(first_y)) + 1e-12) moves[s, l] = 1
    if (area) { put_area(name, p, x, y, row, s); continue }
    if (keep_points) { point_x[s, row] = x; point_y[s, row] = y; points_of[s] = row }
    if (has_marks[p]) { drawn_x[s, l, n] = x; drawn_y[s, l, n] = y }
    printf "%.15g %.15g\n", x, y >name
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
function has_area(s) {
  return area_peak[s] * 500 >= high_y[series_panel[s]] - low_y[series_panel[s]] && area_peak[s] > 0
}
# The difference of a run from the first one, which is interpolated at the rows of the run.
function write_difference(l, s,    name, base, i, x, y, n, k, p, fy, fx) {
  name = "d" s "_" l
  p = series_panel[s]
  base = series_base[s]
  fx = over_factor[panel_over[p]]
  fy = factor_of(s)
  printf "" >name
  i = 1
  for (row = 1; row <= rows_now; row++) {
    bad = 0
    x = value(series_x[s]) * fx
    y = value(series_y[s]) * fy
    if (bad || !finite(x) || !finite(y)) continue
    while (i < points_of[base] && point_x[base, i + 1] < x) i++
    if (!((base, i) in point_x) || x < point_x[base, 1] - 1e-12 || x > point_x[base, points_of[base]] + 1e-12) continue
    k = i < points_of[base] ? i + 1 : i
    y -= point_y[base, i] + share(point_x[base, i], point_x[base, k], x) * (point_y[base, k] - point_y[base, i])
    printf "%.15g %.15g\n", x, y >name
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
# The body as a rectangle about the centre of gravity, and its place in row r in the axes of the course, or of the
# world.
function size_of_body(l) {
  if ((resolved[l, "vehicle.wheelbase"] resolved[l, "vehicle.overhang_front"]) !~ /[0-9]/ ||
      resolved[l, "vehicle.width"] !~ /^[0-9]/) return 0
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
# Cones that the rectangle overlaps on its path, which is examined every 2 cm.
function hit_cones(l,    r, i, k, n, x, y, yaw, dx, dy, ux, uy, radius) {
  radius = resolved[l, "path.cone_radius"] + 0
  for (r = 2; r <= rows_now; r++) {
    place(l, r - 1, 1)
    x = here_x; y = here_y; yaw = here_yaw
    place(l, r, 1)
    n = int(sqrt((here_x - x) ^ 2 + (here_y - y) ^ 2) / 0.02) + 1
    for (i = 1; i <= cones; i++) {
      if (cone_hit[i] || abs(cone_x[i] - here_x) > ahead + behind + 1 ||
          abs(cone_y[i] - here_y) > ahead + behind + 1) continue
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
function moved(r) { return sqrt((cell["x_m", r] - cell["x_m", r - 1]) ^ 2 + (cell["y_m", r] - cell["y_m", r - 1]) ^ 2) }
# Outlines of the car at even distances within x from FROM to TO, with a nose.
function put_cars(l, p, of_course, from, to, number, name,    r, i, k, way, step, x, y, part) {
  split(ahead " " beside " " (-behind) " " beside " " (-behind) " " (-beside) " " ahead " " (-beside) " " \
    ahead " " beside " " \
        (ahead - 0.6) " 0 " ahead " " (-beside), part, " ")
  for (r = 2; r <= rows_now; r++) way += moved(r)
  step = of_course ? (to - from) / number : way / number
  if (step < 1.2 * (ahead + behind)) step = 1.2 * (ahead + behind)
  way = step
  printf "" >name
  for (r = 1; r <= rows_now; r++) {
    place(l, r, of_course)
    if (of_course && (here_x - behind < from || here_x + ahead > to)) continue
    if (r > 1) way += moved(r)
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
  printf "kind: tyre_rig\ntyre:\n%sload: [%.9g, %.9g]\nslip_angles: {from: %.9g, to: %.9g, points: 81}\n",
      tyre_block[l, axle], low, high, \
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
    if (what ~ /^(course|cars|curves)$/) { if (l == 1) add_special(k, p, what); continue }
    if (ENVIRON["PLAIN"] != "" && what != "circle") continue
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
  s = first_series(p)
  for (i = 1; i < drawn[s, l]; i++)
    if (drawn_x[s, l, i] <= x && drawn_x[s, l, i + 1] >= x)
      return drawn_y[s, l, i] + share(drawn_x[s, l, i], drawn_x[s, l, i + 1], x) * \
          (drawn_y[s, l, i + 1] - drawn_y[s, l, i])
  bad = 1
  return 0
}
# A line of least squares goes through the mean of its points.
function place_slope(p, l, slope, from, to, text,    s, i, n, mx, my, name) {
  s = first_series(p)
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
# The time of an event: the given one, or that at which its channel passes the level, from the rows of the log.
function instant_of(l, i,    r, a, b, channel, limit) {
  bad = 1
  if (event[l, i, "in_turn"] == "true") return 0
  if (event[l, i, "when"] ~ /^rate_/) return 0
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
    for (i = 1; i <= gates[1]; i++) {
      place_mark(p, "gate", gate[1, i, "from"], gate[1, i, "centre"] - gate[1, i, "width"] / 2,
          i == 1 ? "gates" : "", 1)
      put_to[puts] = gate[1, i, "to"]
      put_top[puts] = gate[1, i, "centre"] + gate[1, i, "width"] / 2
    }
    put_cars(1, p, 1, fact[1, "course_from"] - 10, fact[1, "course_to"] + 10, 10, "cars")
    place_mark(p, "cars", 0, 0, "car", 1)
    if (cones > hits) place_mark(p, "cones", 0, 0, "cones", 1)
    if (hits) place_mark(p, "hits", 0, 0, "cones hit", 1)
    return
  }
  put_cars(1, p, 0, 0, 0, 12, "cars")
  place_mark(p, "cars", 0, 0, "car", 1)
}
