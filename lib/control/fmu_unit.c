/* Reads the description of a unit, modelDescription.xml. */
#include "control/fmu_unit.h"

#include "base/base.h"
#include "base/num.h"
#include "base/system.h"
#include "input/archive.h"
#include "input/file.h"
#include "input/xml.h"

#include <stdlib.h>
#include <string.h>

const char *const vd_fmu_type_names[VD_FMU_TYPES + 1] = {"Real",    "Integer", "Boolean", "Enumeration", "Float64",
                                                         "Float32", "Int8",    "UInt8",   "Int16",       "UInt16",
                                                         "Int32",   "UInt32",  "Int64",   "UInt64",      NULL};

enum { LARGEST = 1 << 26, LARGEST_ARCHIVE = 1 << 30, MOST_NAMES = 20000 };

static const char description_name[] = "modelDescription.xml";

/* Attributes of all variables, for messages and searches by name. */
typedef struct listed {
  const char *name, *causality, *type;
  uint32_t reference;
  bool array;
} listed;

typedef struct reading {
  const vd_controller_context *ctx;
  vd_place at; /* place of the key `file' */
  vd_fmu_unit *unit;
  vd_buf bytes; /* bytes of the archive */
  vd_archive *archive;
  listed *variable;
  size_t variables;
} reading;

/* ---- files of the unit ---- */

/* True if the unit has this file or, if it ends in '/', this folder. */
static bool has(const reading *r, const char *name) {
  struct stat info;
  const size_t length = strlen(name);
  if (!r->archive)
    return stat(vd_arena_printf(r->ctx->arena, "%s/%s", r->unit->file, name), &info) == 0;
  for (size_t i = 0; i < vd_archive_count(r->archive); i++)
    if (strncmp(vd_archive_name(r->archive, i), name, length) == 0 &&
        (name[length - 1] == '/' || vd_archive_name(r->archive, i)[length] == '\0'))
      return true;
  return false;
}

static bool read_file(const reading *r, const char *path, size_t most, vd_buf *out) {
  vd_file file;
  int error = vd_file_open(path, VD_FILE_REGULAR, r->ctx->d, &file);
  if (error == 0)
    error = vd_file_read(&file, most, out);
  return error == 0 || vd_error(r->ctx->d, r->at, "'%s' cannot be read: %s", path, vd_file_why(error));
}

/* Opens the unit, and reads its description. */
static bool open_unit(reading *r, vd_buf *text) {
  struct stat info;
  const char *file = r->unit->file;
  vd_buf why = {0};
  r->unit->archive = !(stat(file, &info) == 0 && S_ISDIR(info.st_mode));
  if (!r->unit->archive)
    return read_file(r, vd_arena_printf(r->ctx->arena, "%s/%s", file, description_name), LARGEST, text);
  if (!read_file(r, file, LARGEST_ARCHIVE, &r->bytes))
    return false;
  r->archive = vd_archive_open(r->bytes.text, r->bytes.length, &why);
  if (!r->archive)
    vd_error(r->ctx->d, r->at, "'%s' is neither a folder nor an archive of a unit: %s", file, why.text);
  vd_buf_finish(&why);
  for (size_t i = 0; r->archive && i < vd_archive_count(r->archive); i++)
    if (strcmp(vd_archive_name(r->archive, i), description_name) == 0)
      return vd_archive_read(r->archive, i, LARGEST, text) ||
             vd_error(r->ctx->d, r->at, "'%s': %s cannot be unpacked", file, description_name);
  return r->archive && vd_error(r->ctx->d, r->at, "'%s' is no unit: it has no %s", file, description_name);
}

/* ---- description ---- */

static bool is_true(const char *text) {
  return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static bool read_head(reading *r, const vd_xml *x) {
  vd_arena *arena = r->ctx->arena;
  vd_fmu_unit *u = r->unit;
  const char *version = vd_xml_attribute(x, "fmiVersion", arena);
  if (!vd_xml_is(x, "fmiModelDescription") || !version)
    return vd_error(r->ctx->d, r->at, "'%s': %s does not begin with fmiModelDescription and an fmiVersion", u->file,
                    description_name);
  if (strncmp(version, "2.", 2) != 0 && strncmp(version, "3.", 2) != 0)
    return vd_error(r->ctx->d, r->at, "'%s' is a unit of FMI %s; 2.0 and 3.0 are known", u->file, version);
  u->version = *version - '0';
  u->token = vd_xml_attribute(x, u->version == 2 ? "guid" : "instantiationToken", arena);
  return u->token || vd_error(r->ctx->d, r->at, "'%s': %s has no %s", u->file, description_name,
                              u->version == 2 ? "guid" : "instantiationToken");
}

static bool read_simulation(reading *r, const vd_xml *x) {
  vd_arena *arena = r->ctx->arena;
  vd_fmu_unit *u = r->unit;
  const char *get = u->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState";
  const char *bytes = u->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState";
  u->identifier = vd_xml_attribute(x, "modelIdentifier", arena);
  u->saves = is_true(vd_xml_attribute(x, get, arena)) && is_true(vd_xml_attribute(x, bytes, arena));
  if (is_true(vd_xml_attribute(x, "needsExecutionTool", arena)))
    return vd_error(r->ctx->d, r->at, "'%s' needs the program that made it (needsExecutionTool)", u->file);
  return u->identifier || vd_error(r->ctx->d, r->at, "'%s': CoSimulation has no modelIdentifier", u->file);
}

static bool read_variable(reading *r, const vd_xml *x) {
  vd_arena *arena = r->ctx->arena;
  const char *reference = vd_xml_attribute(x, "valueReference", arena), *name = vd_xml_attribute(x, "name", arena);
  const char *causality = vd_xml_attribute(x, "causality", arena);
  char *end;
  unsigned long number = reference ? strtoul(reference, &end, 10) : 0;
  if (!name || !reference || end == reference || *end != '\0' || number > UINT32_MAX || *reference == '-')
    return vd_error(r->ctx->d, r->at, "'%s': %s, line %d: a variable needs a name and a valueReference", r->unit->file,
                    description_name, vd_xml_line(x));
  if (r->variables % 256 == 0) {
    listed *more = vd_arena_alloc(arena, (r->variables + 256) * sizeof *more);
    if (r->variables > 0)
      memcpy(more, r->variable, r->variables * sizeof *more);
    r->variable = more;
  }
  r->variable[r->variables++] = (listed){.name = name,
                                         .causality = causality ? causality : "local",
                                         .type = vd_arena_copy(arena, x->text + x->name, x->name_length),
                                         .reference = (uint32_t)number};
  return true;
}

/* Reads an element within the list of variables: a variable, its type (FMI 2.0), or its dimension (FMI 3.0). */
static bool read_within(reading *r, const vd_xml *x) {
  listed *last = r->variables > 0 ? &r->variable[r->variables - 1] : NULL;
  if (x->depth == 3)
    return read_variable(r, x);
  if (last && x->depth == 4 && r->unit->version == 2 && strcmp(last->type, "ScalarVariable") == 0)
    last->type = vd_arena_copy(r->ctx->arena, x->text + x->name, x->name_length);
  if (last && vd_xml_is(x, "Dimension"))
    last->array = true;
  return true;
}

static bool read_description(reading *r, const vd_buf *text) {
  vd_xml x = {.text = text->text, .length = text->length};
  bool good = true, first = true, variables = false;
  enum vd_xml_tag tag;
  while (good && (tag = vd_xml_next(&x)) != VD_XML_DONE) {
    if (tag == VD_XML_BAD)
      return vd_error(r->ctx->d, r->at, "'%s': %s, line %d: %s", r->unit->file, description_name, vd_xml_line(&x),
                      x.error);
    if (tag == VD_XML_END) {
      variables &= x.depth >= 2;
      continue;
    }
    if (first)
      good = read_head(r, &x);
    else if (x.depth == 2 && vd_xml_is(&x, "CoSimulation"))
      good = read_simulation(r, &x);
    else if (variables)
      good = read_within(r, &x);
    variables |= x.depth == 2 && vd_xml_is(&x, "ModelVariables");
    first = false;
  }
  if (good && first)
    return vd_error(r->ctx->d, r->at, "'%s': %s is empty", r->unit->file, description_name);
  return good &&
         (r->unit->identifier || vd_error(r->ctx->d, r->at, "'%s' is no unit for co-simulation", r->unit->file));
}

/* ---- variables that the def names ---- */

static enum vd_fmu_type type_of(const listed *v) {
  int i = 0;
  while (i < VD_FMU_TYPES && strcmp(vd_fmu_type_names[i], v->type) != 0)
    i++;
  return v->array ? VD_FMU_TYPES : (enum vd_fmu_type)i;
}

/* Finds a variable by its name; the variable must have one of two causalities. */
static bool find(const reading *r, const char *name, const char *const *causality, vd_place at, vd_fmu_variable *out) {
  const listed *found = NULL;
  const char *near[MOST_NAMES];
  size_t count = 0;
  for (size_t i = 0; i < r->variables && !found; i++) {
    bool fits =
        strcmp(r->variable[i].causality, causality[0]) == 0 || strcmp(r->variable[i].causality, causality[1]) == 0;
    if (fits && count < VD_COUNT(near))
      near[count++] = r->variable[i].name;
    if (strcmp(r->variable[i].name, name) == 0)
      found = &r->variable[i];
  }
  if (!found)
    return vd_error(r->ctx->d, at, "'%s' has no variable '%s'%s", r->unit->file, name,
                    vd_did_you_mean(r->ctx->arena, vd_suggest(name, near, count)));
  if (strcmp(found->causality, causality[0]) != 0 && strcmp(found->causality, causality[1]) != 0)
    return vd_error(r->ctx->d, at, "'%s' of '%s' is of causality %s, not %s", name, r->unit->file, found->causality,
                    causality[0]);
  *out = (vd_fmu_variable){.reference = found->reference, .type = type_of(found)};
  return out->type < VD_FMU_TYPES || vd_error(r->ctx->d, at, "'%s' of '%s' is %s, which is no number", name,
                                              r->unit->file, found->array ? "an array" : found->type);
}

/* Finds the variable of a setting "name=value" of the key `set'. */
static bool find_setting(const reading *r, const char *text, vd_place at, vd_fmu_variable *out) {
  static const char *const causality[] = {"parameter", "input"};
  const char *equals = strrchr(text, '=');
  const size_t length = equals ? strlen(equals + 1) : 0;
  size_t used = 0;
  double value;
  if (!equals || equals == text || !vd_num_parse(equals + 1, length, &value, &used) || used != length)
    return vd_error(r->ctx->d, at, "a parameter is set by NAME=NUMBER, not by '%s'", text);
  const char *name = vd_arena_copy(r->ctx->arena, text, (size_t)(equals - text));
  bool found = find(r, name, causality, at, out);
  out->value = value;
  return found;
}

static bool find_all(const reading *r, const vd_controller_def *def) {
  static const char *const read[] = {"input", "input"}, *const written[] = {"output", "local"};
  vd_fmu_unit *u = r->unit;
  const vd_sensor_def *sensor = def->sensors.item;
  const vd_request_def *request = def->requests.item;
  const vd_controller_context *ctx = r->ctx;
  bool good = true;
  u->sensors = def->sensors.count;
  u->requests = def->requests.count;
  u->sets = def->as.fmu.set.count;
  u->sensor = vd_arena_alloc(ctx->arena, (u->sensors + 1) * sizeof *u->sensor);
  u->request = vd_arena_alloc(ctx->arena, (u->requests + 1) * sizeof *u->request);
  u->set = vd_arena_alloc(ctx->arena, (u->sets + 1) * sizeof *u->set);
  for (size_t i = 0; i < u->sensors; i++)
    good &= find(r, vd_sensor_name(&sensor[i]), read, vd_controller_item_place(ctx, "sensors", i), &u->sensor[i]);
  for (size_t i = 0; i < u->requests; i++)
    good &=
        find(r, vd_request_name(&request[i]), written, vd_controller_item_place(ctx, "requests", i), &u->request[i]);
  for (size_t i = 0; i < u->sets; i++)
    good &= find_setting(r, def->as.fmu.set.name[i], vd_controller_item_place(ctx, "set", i), &u->set[i]);
  return good;
}

/* ---- binaries ---- */

/* Systems by their names in FMI 3.0 and FMI 2.0. */
static const struct {
  const char *three, *two;
} systems[] = {{"x86_64-linux", "linux64"},         {"x86-linux", "linux32"}, {"aarch64-linux", "aarch64-linux"},
               {"x86_64-windows", "win64"},         {"x86-windows", "win32"}, {"x86_64-darwin", "darwin64"},
               {"aarch64-darwin", "aarch64-darwin"}};

static bool find_binary(const reading *r) {
  vd_fmu_unit *u = r->unit;
  vd_arena *arena = r->ctx->arena;
  vd_buf others = {0};
  for (size_t i = 0; i < VD_COUNT(systems); i++) {
    const char *folder = u->version == 2 ? systems[i].two : systems[i].three;
    if (strcmp(systems[i].three, vd_system_name) == 0)
      u->binary = vd_arena_printf(arena, "binaries/%s/%s.%s", folder, u->identifier, vd_system_library_ending);
    else if (has(r, vd_arena_printf(arena, "binaries/%s/", folder)))
      vd_buf_printf(&others, "%s%s", others.length ? ", " : "; it has one for ", folder);
  }
  bool found = u->binary && has(r, u->binary);
  if (!found)
    vd_error(r->ctx->d, r->at, "'%s' has no binary for this system, %s%s", u->file,
             u->binary ? u->binary : vd_system_name, others.text ? others.text : "");
  vd_buf_finish(&others);
  return found;
}

const vd_fmu_unit *vd_fmu_unit_read(const vd_controller_context *ctx, const vd_controller_def *def) {
  vd_fmu_unit *unit = vd_arena_alloc(ctx->arena, sizeof *unit);
  reading r = {.ctx = ctx, .at = vd_controller_place(ctx, "file"), .unit = unit};
  vd_buf text = {0};
  unit->file = def->as.fmu.file;
  bool good = open_unit(&r, &text) && read_description(&r, &text);
  if (good) {
    bool named = find_all(&r, def);
    good = find_binary(&r) && named;
  }
  vd_archive_close(r.archive);
  vd_buf_finish(&r.bytes);
  vd_buf_finish(&text);
  return good ? unit : NULL;
}
