#include "fmi/description.h"

#include "base/memory.h"
#include "base/num.h"
#include "fmi/lone_controller.h"
#include "input/schema.h"
#include "input/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outputs come first. REQUEST and SENSOR are variables of a controller without its car. */
enum kind { OUTPUT, REQUEST, INPUT, SENSOR, PARAMETER };

typedef struct variable {
  enum kind kind;
  const char *key; /* name of the channel, the input or the key in the library */
  const char *unit, *help;
  char name[128]; /* name that importers see */
  double start, lowest, highest;
  bool whole;
} variable;

typedef struct description {
  const vd_fmu *fmu;
  variable *variable;
  size_t count;
  const char *unit[64]; /* units that are used, each once */
  size_t units;
  char token[33];
  vd_buf *out;
} description;

/* ---- variables ---- */

/* Returns the wheel whose name is this part of a name; VD_WHEELS: it is not the name of a wheel. */
static int wheel_of(const char *part, size_t length) {
  for (int i = 0; i < VD_WHEELS; i++)
    if (strlen(vd_wheel_names[i]) == length && strncmp(part, vd_wheel_names[i], length) == 0)
      return i;
  return VD_WHEELS;
}

/* Makes a structured name from the name of a channel or an input: wheel_fl.fz from fz_fl_N, yaw_rate from
 * yaw_rate_radps. The last part of the name is the unit, unless the quantity has none. */
static void name_it(variable *v, const char *prefix, bool has_unit) {
  const char *end = v->key + strlen(v->key), *last = strrchr(v->key, '_');
  if (has_unit && last)
    end = last;
  int wheel = VD_WHEELS;
  vd_buf rest = {0};
  for (const char *part = v->key; part < end;) {
    const char *stop = memchr(part, '_', (size_t)(end - part));
    size_t length = (size_t)((stop ? stop : end) - part);
    int found = wheel_of(part, length);
    if (found < VD_WHEELS)
      wheel = found;
    else if (part != v->key || strncmp(part, "wheel_", 6) != 0) /* wheel_x_fl_m: wheel_fl.x */
      vd_buf_printf(&rest, "%s%.*s", rest.length > 0 ? "_" : "", (int)length, part);
    part += length + 1;
  }
  if (wheel < VD_WHEELS)
    snprintf(v->name, sizeof v->name, "%swheel_%s.%s", prefix, vd_wheel_names[wheel], rest.text);
  else
    snprintf(v->name, sizeof v->name, "%s%.*s", prefix, (int)(end - v->key), v->key);
  vd_buf_finish(&rest);
}

static void add_outputs(description *m) {
  vd_case *c = m->fmu->of;
  for (size_t i = 1; i < vd_channel_count(c); i++) { /* 0 is the time */
    if (!vd_channel_logged(c, i))
      continue;
    variable *v = &m->variable[m->count++];
    const char *unit = vd_channel_unit(c, i);
    *v = (variable){.kind = OUTPUT, .key = vd_channel_name(c, i), .unit = unit, .help = vd_channel_meaning(c, i)};
    name_it(v, "", strcmp(unit, "1") != 0);
  }
}

/* Returns the value of an input at the start of the scenario. If the scenario does not command the input, the value is
 * 0, or 1 for a factor. */
static double command_at_start(const vd_case *c, size_t input) {
  const vd_profile *p = &c->def->inputs.input[input].profile;
  double value = input >= VD_IN_FRICTION_FL && input <= VD_IN_FRICTION ? 1.0 : 0.0, rate;
  if (vd_profile_is_given(p))
    vd_profile_at(p, 0.0, 0.0, &value, &rate);
  return value;
}

/* Adds the inputs that a run accepts after its start, which a trial run shows. */
static bool add_inputs(description *m) {
  vd_run *run;
  if (vd_build(m->fmu->of, 0, &run) != VD_OK)
    return false;
  vd_advance(run, vd_step_size(m->fmu->of));
  for (size_t i = 0; i < vd_input_count(); i++) {
    variable v = {.kind = INPUT, .key = vd_input_name(i), .help = vd_input_meaning(i)};
    v.unit = *vd_input_unit(i) ? vd_input_unit(i) : "1";
    vd_input_range(m->fmu->of, i, &v.lowest, &v.highest);
    bool column = i != VD_IN_STEERING_TORQUE || m->fmu->of->def->vehicle.steering.column.count > 0;
    if (!column || vd_set(run, i, v.highest) != VD_OK)
      continue;
    v.start = command_at_start(m->fmu->of, i);
    v.whole = i == VD_IN_GEAR;
    name_it(&v, "input.", false);
    m->variable[m->count++] = v;
  }
  vd_run_free(run);
  return true;
}

static void add_sensor(description *m, vd_run *run, const char *channel) {
  vd_case *c = m->fmu->of;
  const size_t i = vd_channel_find(c, channel);
  variable *v = &m->variable[m->count++];
  *v = (variable){.kind = SENSOR, .key = channel, .unit = vd_channel_unit(c, i), .help = vd_channel_meaning(c, i)};
  v->lowest = -INFINITY;
  v->highest = INFINITY;
  v->start = vd_value(run, i);
  name_it(v, "", strcmp(v->unit, "1") != 0);
}

static void add_request(description *m, const char *input) {
  const size_t i = vd_input_find(input);
  variable *v = &m->variable[m->count++];
  *v = (variable){.kind = REQUEST, .key = input, .unit = vd_input_unit(i), .help = vd_input_meaning(i)};
  v->unit = *v->unit ? v->unit : "1";
  name_it(v, "input.", false);
}

/* Adds requests and sensors of a controller. They have the names of the same inputs and channels in the unit of a car.
 * A sensor starts with the value of its channel at the start of the scenario. */
static bool add_controller(description *m, vd_buf *problem) {
  const size_t i = vd_lone_find(m->fmu->of, m->fmu->controller);
  const vd_controller_def *def = i != VD_NONE ? vd_lone_def(m->fmu->of, i) : NULL;
  vd_run *run = NULL;
  if (!def) {
    vd_buf_printf(problem, "the scenario has no controller '%s' that is built in", m->fmu->controller);
    return false;
  }
  bool good = vd_build(m->fmu->of, 0, &run) == VD_OK;
  for (size_t j = 0; j < def->requests.count; j++)
    add_request(m, ((const vd_request_def *)def->requests.item)[j].input);
  for (size_t s = 0; s < def->sensors.count && good; s++)
    add_sensor(m, run, ((const vd_sensor_def *)def->sensors.item)[s].channel);
  if (!good)
    vd_buf_printf(problem, "%s",
                  run && *vd_run_failure(run) ? vd_run_failure(run) : "the car cannot be placed at rest");
  vd_run_free(run);
  return good;
}

/* True if there is a parameter with this key. */
static bool has_key(const description *m, const char *key) {
  for (size_t i = 0; i < m->count; i++)
    if (m->variable[i].kind == PARAMETER && strcmp(m->variable[i].key, key) == 0)
      return true;
  return false;
}

/* Makes a structured name from a key: events[0].time from events.0.time. */
static void name_parameter(variable *v) {
  size_t n = 0;
  for (const char *p = v->key; *p && n + 4 < sizeof v->name; p++) {
    size_t digits = *p == '.' ? strspn(p + 1, "0123456789") : 0;
    if (digits == 0 || (p[digits + 1] != '.' && p[digits + 1] != '\0')) {
      v->name[n++] = *p;
    } else {
      n += (size_t)snprintf(v->name + n, sizeof v->name - n, "[%.*s]", (int)vd_min((double)digits, 9.0), p + 1);
      p += digits;
    }
    n = n < sizeof v->name ? n : sizeof v->name - 1;
  }
  v->name[n] = '\0';
}

static bool add_parameters(description *m, vd_buf *problem) {
  for (size_t i = 0; i < m->fmu->parameters; i++) {
    const char *key = m->fmu->parameter[i];
    if (has_key(m, key))
      continue; /* the command line gives the key twice */
    const vd_field *row;
    const double *number = vd_schema_number_at(&vd_scenario_schema, m->fmu->of->def, key, &row);
    if (!number)
      vd_buf_printf(problem, "parameter '%s': the scenario has no such key, or its value is not a number", key);
    if (!number)
      return false;
    variable *v = &m->variable[m->count++];
    *v = (variable){.kind = PARAMETER, .key = key, .unit = row->unit, .help = row->help, .start = *number};
    v->lowest = row->lo;
    v->highest = row->hi;
    name_parameter(v);
  }
  return true;
}

/* Notes a unit that is used. */
static void use_unit(description *m, const char *unit) {
  for (size_t i = 0; i < m->units; i++)
    if (strcmp(m->unit[i], unit) == 0)
      return;
  if (strcmp(unit, "1") != 0 && m->units < VD_COUNT(m->unit))
    m->unit[m->units++] = unit;
}

/* ---- XML ---- */

static void add_text(vd_buf *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '<': vd_buf_puts(out, "&lt;"); break;
    case '>': vd_buf_puts(out, "&gt;"); break;
    case '&': vd_buf_puts(out, "&amp;"); break;
    case '"': vd_buf_puts(out, "&quot;"); break;
    case '\n':
    case '\t': vd_buf_puts(out, " "); break;
    default: /* XML has no other control characters */ vd_buf_add(out, (unsigned char)*text < ' ' ? " " : text, 1);
    }
}

static void add_attribute(vd_buf *out, const char *name, const char *text) {
  vd_buf_printf(out, " %s=\"", name);
  add_text(out, text);
  vd_buf_puts(out, "\"");
}

static void add_number(vd_buf *out, const char *name, double value) {
  char text[VD_NUM_MAX];
  vd_num_print_shortest(value, text);
  add_attribute(out, name, text);
}

/* Adds the unit in which importers display the values, such as deg or km/h. */
static void add_display_unit(vd_buf *out, const char *unit) {
  const vd_unit_name *row = vd_unit_field(unit);
  if (!row)
    return;
  vd_buf_puts(out, "<DisplayUnit");
  add_attribute(out, "name", row->field);
  add_number(out, "factor", vd_unit_to_field(row, 1.0));
  vd_buf_puts(out, "/>");
}

static void add_units(const description *m) {
  vd_buf *out = m->out;
  vd_buf_puts(out, "  <UnitDefinitions>\n");
  for (size_t i = 0; i < m->units; i++) {
    vd_unit unit = {0};
    vd_unit_parse(m->unit[i], strlen(m->unit[i]), &unit, NULL, NULL);
    const vd_dimension *dim = &unit.dimension;
    const struct {
      const char *name;
      int power;
    } power[] = {{"kg", dim->kg}, {"m", dim->m}, {"s", dim->s}, {"A", dim->A}, {"K", dim->K}, {"rad", dim->rad}};
    vd_buf_puts(out, "    <Unit");
    add_attribute(out, "name", m->unit[i]);
    vd_buf_puts(out, "><BaseUnit");
    for (size_t k = 0; k < VD_COUNT(power); k++)
      if (power[k].power)
        vd_buf_printf(out, " %s=\"%d\"", power[k].name, power[k].power);
    if (unit.numerator != unit.denominator)
      add_number(out, "factor", unit.numerator / unit.denominator);
    vd_buf_puts(out, "/>");
    add_display_unit(out, m->unit[i]);
    vd_buf_puts(out, "</Unit>\n");
  }
  vd_buf_puts(out, "  </UnitDefinitions>\n");
}

static void add_categories(const description *m) {
  static const char *const category[][2] = {{"logEvents", "actions that succeeded"},
                                            {"logStatusWarning", "actions that succeeded with doubtful results"},
                                            {"logStatusDiscard", "the run has ended"},
                                            {"logStatusError", "actions that failed"}};
  vd_buf_puts(m->out, "  <LogCategories>\n");
  for (size_t i = 0; i < VD_COUNT(category); i++) {
    vd_buf_puts(m->out, "    <Category");
    add_attribute(m->out, "name", category[i][0]);
    add_attribute(m->out, "description", category[i][1]);
    vd_buf_puts(m->out, "/>\n");
  }
  vd_buf_puts(m->out, "  </LogCategories>\n");
}

static bool is_output(const variable *v) {
  return v->kind == OUTPUT || v->kind == REQUEST;
}

/* Adds range, unit and start value, which FMI 2.0 has in the element of the type. */
static void add_type_attributes(const description *m, const variable *v) {
  if (!is_output(v) && v->highest < INFINITY && v->lowest > -INFINITY) {
    add_number(m->out, "min", v->lowest);
    add_number(m->out, "max", v->highest);
  }
  if (!v->whole && strcmp(v->unit, "1") != 0)
    add_attribute(m->out, "unit", v->unit);
  if (!is_output(v))
    add_number(m->out, "start", v->start);
}

static void add_variable(const description *m, const variable *v, size_t reference) {
  static const char *const causality[] = {
      [OUTPUT] = "output", [REQUEST] = "output", [INPUT] = "input", [SENSOR] = "input", [PARAMETER] = "parameter"};
  const char *type = m->fmu->version == 2 ? v->whole ? "Integer" : "Real" : v->whole ? "Int32" : "Float64";
  vd_buf *out = m->out;
  vd_buf_printf(out, "    <%s", m->fmu->version == 2 ? "ScalarVariable" : type);
  add_attribute(out, "name", v->name);
  vd_buf_printf(out, " valueReference=\"%zu\"", reference);
  if (v->help)
    add_attribute(out, "description", v->help);
  add_attribute(out, "causality", causality[v->kind]);
  add_attribute(out, "variability", v->kind == PARAMETER ? "fixed" : v->whole ? "discrete" : "continuous");
  if (m->fmu->version == 2)
    vd_buf_printf(out, "><%s", type);
  add_type_attributes(m, v);
  vd_buf_puts(out, m->fmu->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

static void add_variables(const description *m) {
  vd_buf_puts(m->out, "  <ModelVariables>\n");
  vd_buf_puts(m->out, m->fmu->version == 2
                          ? "    <ScalarVariable name=\"time\" valueReference=\"0\" causality=\"independent\" "
                            "variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>\n"
                          : "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
                            "variability=\"continuous\" unit=\"s\"/>\n");
  for (size_t i = 0; i < m->count; i++)
    add_variable(m, &m->variable[i], i + 1);
  vd_buf_puts(m->out, "  </ModelVariables>\n");
}

/* Lists the outputs, and the variables that are computed at the start. Both lists contain the same variables. */
static void add_structure(const description *m) {
  static const char *const element[2][2] = {{"Outputs", "InitialUnknowns"}, {"Output", "InitialUnknown"}};
  bool two = m->fmu->version == 2;
  vd_buf_puts(m->out, "  <ModelStructure>\n");
  bool any = m->count > 0 && is_output(&m->variable[0]); /* outputs come first */
  for (int list = 0; list < 2 && any; list++) {          /* FMI 2.0 has no empty lists */
    if (two)
      vd_buf_printf(m->out, "    <%s>\n", element[0][list]);
    for (size_t i = 0; i < m->count; i++)
      if (is_output(&m->variable[i]) && two)
        vd_buf_printf(m->out, "      <Unknown index=\"%zu\"/>\n",
                      i + 2); /* counted from 1, and the time is the first */
      else if (is_output(&m->variable[i]))
        vd_buf_printf(m->out, "    <%s valueReference=\"%zu\"/>\n", element[1][list], i + 1);
    if (two)
      vd_buf_printf(m->out, "    </%s>\n", element[0][list]);
  }
  vd_buf_puts(m->out, "  </ModelStructure>\n");
}

static void add_head(const description *m) {
  bool two = m->fmu->version == 2;
  vd_buf *out = m->out;
  vd_buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
                m->fmu->version);
  add_attribute(out, "modelName", m->fmu->model);
  add_attribute(out, two ? "guid" : "instantiationToken", m->token);
  add_attribute(out, "description", vd_title(m->fmu->of));
  add_attribute(out, "license", "Apache-2.0; it contains libyaml (MIT) and libcsv (LGPL-2.1-or-later)");
  add_attribute(out, "generationTool", "VDSim " VDSIM_VERSION);
  add_attribute(out, "variableNamingConvention", "structured");
  vd_buf_printf(out, "%s>\n  <CoSimulation", two ? " numberOfEventIndicators=\"0\"" : "");
  add_attribute(out, "modelIdentifier", m->fmu->model);
  add_attribute(out, "canHandleVariableCommunicationStepSize", "true");
  add_attribute(out, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
  add_attribute(out, two ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
  if (two)
    add_attribute(out, "canNotUseMemoryManagementFunctions", "true");
  vd_buf_puts(out, "/>\n");
}

/* Returns the step size, s: the interval of the log's rows, or the period of the controller. */
static double step_size(const vd_fmu *fmu) {
  return fmu->controller ? vd_lone_def(fmu->of, vd_lone_find(fmu->of, fmu->controller))->period
                         : vd_log_interval(fmu->of);
}

static void write_xml(const description *m) {
  add_head(m);
  add_units(m);
  add_categories(m);
  vd_buf_puts(m->out, "  <DefaultExperiment startTime=\"0\"");
  add_number(m->out, "stopTime", vd_duration(m->fmu->of));
  add_number(m->out, "stepSize", step_size(m->fmu));
  vd_buf_puts(m->out, "/>\n");
  add_variables(m);
  add_structure(m);
  vd_buf_puts(m->out, "</fmiModelDescription>\n");
}

/* ---- both files ---- */

static void write_variables(description *m, vd_buf *out) {
  static const char *const word[] = {
      [OUTPUT] = "output", [REQUEST] = "request", [INPUT] = "input", [SENSOR] = "sensor", [PARAMETER] = "parameter"};
  vd_buf lines = {0};
  for (size_t i = 0; i < m->count; i++) {
    const variable *v = &m->variable[i];
    char start[VD_NUM_MAX];
    vd_num_print_shortest(v->start, start);
    vd_buf_printf(&lines, "%s %s %s\n", word[v->kind], v->key, start);
  }
  const char *resolved = vd_resolved_text(m->fmu->of);
  uint64_t first = vd_text_hash(VD_HASH_START, VDSIM_VERSION, strlen(VDSIM_VERSION));
  first = vd_text_hash(first, resolved, strlen(resolved));
  uint64_t second = vd_text_hash(first, lines.text, lines.length);
  snprintf(m->token, sizeof m->token, "%016llx%016llx", (unsigned long long)first, (unsigned long long)second);
  vd_buf_printf(out, "token %s", m->token);
  if (m->fmu->controller)
    vd_buf_printf(out, " %s", m->fmu->controller);
  vd_buf_printf(out, "\n%s", lines.text ? lines.text : "");
  vd_buf_finish(&lines);
}

/* True if a controller of the scenario is itself a unit, whose files cannot be put into another unit. */
static bool has_outside_controllers(const vd_scenario_def *def) {
  const vd_controller_def *controller = def->all_controllers.item;
  for (size_t i = 0; i < def->all_controllers.count; i++)
    if (vd_controller_is_outside(&controller[i]))
      return true;
  return false;
}

static bool add_car(description *m, vd_buf *problem) {
  add_outputs(m);
  bool outside = has_outside_controllers(m->fmu->of->def), good = !outside && add_inputs(m);
  if (outside)
    vd_buf_puts(
        problem,
        "a unit cannot contain another unit (controllers[].kind: fmu); remove 'controllers', and let the importer "
        "connect both units");
  else if (!good)
    vd_buf_puts(problem, "the car cannot be placed at rest on the ground");
  return good;
}

bool vd_fmu_describe(const vd_fmu *fmu, vd_buf *problem, vd_buf *xml, vd_buf *variables) {
  size_t room = vd_channel_count(fmu->of) + vd_input_count() + fmu->parameters;
  description m = {.fmu = fmu, .variable = vd_allocate(room + 1, sizeof *m.variable), .out = xml};
  bool good = fmu->controller ? add_controller(&m, problem) : add_car(&m, problem);
  good = good && add_parameters(&m, problem);
  use_unit(&m, "s");
  for (size_t i = 0; i < m.count; i++)
    use_unit(&m, m.variable[i].unit);
  if (good) {
    write_variables(&m, variables);
    write_xml(&m);
  }
  free(m.variable);
  return good;
}

void vd_fmu_wiring(const vd_fmu *fmu, const char *file, vd_buf *out) {
  const vd_controller_def *def = vd_lone_def(fmu->of, vd_lone_find(fmu->of, fmu->controller));
  const vd_request_def *request = def->requests.item;
  const vd_sensor_def *sensor = def->sensors.item;
  char period[VD_NUM_MAX];
  vd_num_print_shortest(def->period, period);
  vd_buf_printf(out, "controllers:\n  - kind: fmu\n    name: %s\n    file: %s\n    period: %s s\n    sensors:\n",
                fmu->controller, file, period);
  for (size_t s = 0; s < def->sensors.count; s++) {
    variable v = {.key = sensor[s].channel};
    name_it(&v, "", strcmp(vd_channel_unit(fmu->of, vd_channel_find(fmu->of, v.key)), "1") != 0);
    vd_buf_printf(out, "      - {channel: %s, as: %s}\n", v.key, v.name);
  }
  vd_buf_puts(out, "    requests:\n");
  for (size_t j = 0; j < def->requests.count; j++) {
    variable v = {.key = request[j].input};
    name_it(&v, "input.", false);
    vd_buf_printf(out, "      - {input: %s, from: %s%s}\n", v.key, v.name,
                  request[j].course == VD_REQUEST_LINEAR ? ", course: linear" : "");
  }
}
