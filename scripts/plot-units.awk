# Part of the programs of scripts/plot and plot-fit: units and words of the field, the table of pictures, which has
# them.

# --- units ---

function set_units(    i, n, part) {
  # name, the SI unit of its kind, and its size in that; with _ in place of a blank
  n = split("s s 1 ms s .001 min s 60 m m 1 mm m .001 cm m .01 km m 1000 in m .0254 ft m .3048 rad rad 1 deg rad .0174532925199433 " \
            "rad/s rad/s 1 deg/s rad/s .0174532925199433 1/min rad/s .10471975511966 rpm rad/s .10471975511966 rad/s2 rad/s2 1 " \
            "deg/s2 rad/s2 .0174532925199433 m/s m/s 1 km/h m/s .277777777777778 mph m/s .44704 mm/s m/s .001 m/s2 m/s2 1 g m/s2 9.80665 " \
            "N N 1 kN N 1000 lbf N 4.4482216152605 N_m N_m 1 kN_m N_m 1000 N_m_s N_m_s 1 J J 1 kJ J 1000 MJ J 1e6 W W 1 kW W 1000 " \
            "Hz Hz 1 1/m 1/m 1 Pa Pa 1 kPa Pa 1000 bar Pa 1e5 kg kg 1 N/m N/m 1 N/mm N/m 1000 K K 1 1 1 1 % 1 .01",
            part, " ")
  for (i = 1; i < n; i += 3) {
    gsub(/_/, " ", part[i])
    gsub(/_/, " ", part[i + 1])
    units_of[part[i]] = part[i + 1]
    size_of[part[i]] = part[i + 2]
  }
  order_of_units = n / 3
  for (i = 1; i <= order_of_units; i++) unit_name[i] = part[3 * i - 2]
  n = split("s s m m mm mm rad rad deg deg mps m/s mps2 m/s2 kmh km/h radps rad/s radps2 rad/s2 N N Nm N_m Nms N_m_s J J W W Pa Pa " \
            "bar bar kg kg Hz Hz 1pm 1/m Npm N/m Npmm N/mm degps deg/s degps2 deg/s2 g g K K", part, " ")
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
function spoken(name,    base, wheel_of) {
  base = wheel_of = base_of(name)
  if (base in said) return said[base]
  if (!sub(/_(fl|fr|rl|rr)$/, "", base) || !(base in said)) return words(name)
  return said[base] " " substr(wheel_of, length(wheel_of) - 1)
}
# A glob with *, ? and [...] as a regular expression; other characters stand for themselves, and so does a [ that does
# not begin a set.
function pattern(glob,    i, c, re, set) {
  re = "^"
  for (i = 1; i <= length(glob); i++) {
    c = substr(glob, i, 1)
    if (c == "*") re = re ".*"
    else if (c == "?") re = re "."
    else if (c ~ /[A-Za-z0-9_]/) re = re c
    else if (c == "[" && (set = set_of_letters(substr(glob, i + 1))) != "") { re = re set; i += length(set) - 1 }
    else re = re (c ~ /[][\\^]/ ? "\\" c : "[" c "]")
  }
  return re "$"
}
# The set with which the rest of a glob after a [ begins; empty if there is none.
function set_of_letters(rest,    set, i) {
  if (!match(rest, /^[!^]?[A-Za-z0-9_-]+\]/)) return ""
  set = substr(rest, 1, RLENGTH - 1)
  sub(/^!/, "^", set)
  for (i = 2; i < length(set); i++)
    if (substr(set, i, 1) == "-" && substr(set, i - 1, 1) > substr(set, i + 1, 1)) return ""
  return "[" set "]"
}
# The unit in which a channel is shown: that of the user's option, that which is usual in the field, or its own.
function shown_unit(name,    i, own) {
  if (name in shown_memory) return shown_memory[name]
  own = own_unit(name)
  for (i = 1; i <= rules; i++)
    if (name ~ rule_pattern[i] || (i <= own_rules && base_of(name) ~ rule_pattern[i])) {
      if (rule_unit[i] in units_of && units_of[rule_unit[i]] == units_of[own]) {
        rule_used[i] = 1
        return shown_memory[name] = rule_unit[i]
      }
      if (i <= own_rules)
        fail("\047" name "\047 is in " own ", not in \047" rule_unit[i] "\047; it can be shown in " alternatives(own))
    }
  return shown_memory[name] = own
}
function alternatives(own,    i, out) {
  for (i = 1; i <= order_of_units; i++)
    if (units_of[unit_name[i]] == units_of[own]) out = out (out == "" ? "" : ", ") unit_name[i]
  return out == "" ? own : out
}
function read_unit_rules(text,    i, n, part, unit) {
  n = split(text, part, ",")
  for (i = 1; i <= n; i++) {
    if (part[i] == "") continue
    unit = part[i]
    if (!sub(/^[^=]*=/, "", unit)) fail("-u takes CHANNEL=UNIT, not \047" part[i] "\047")
    sub(/²/, "2", unit)
    sub(/=.*/, "", part[i])
    rules++
    rule_pattern[rules] = pattern(part[i])
    rule_text[rules] = part[i]
    rule_unit[rules] = unit
  }
  own_rules = rules
}
function pretty(unit) { sub(/s2$/, "s²", unit); return unit }

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
      picture_scenario[name] = part[6]
    } else {
      picture_lines[name]++
      for (i = 1; i <= 6; i++) item[name, picture_lines[name], i] = part[i]
    }
  }
  close(file)
}
function list_pictures(    i) {
  for (i = 1; i <= pictures; i++)
    printf "%-12s %s\n%-12s   %s, as in scenarios/%s.yaml\n", picture[i], picture_text[picture[i]], "",
      (picture_sets[picture[i]] == "*" ? "any run" : "metrics: {sets: " picture_sets[picture[i]] "}"),
      picture_scenario[picture[i]]
}
function check_picture(name,    i, names) {
  for (i = 1; i <= pictures; i++) if (picture[i] == name) return name
  for (i = 1; i <= pictures; i++) names = names (i == 1 ? "" : i == pictures ? " and " : ", ") picture[i]
  fail("no picture \047" name "\047; there are " names)
}
