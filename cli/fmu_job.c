#include "fmu_job.h"

#include "tool.h"

#include "base/memory.h"
#include "base/system.h"
#include "fmi/description.h"
#include "input/data_folder.h"
#include "input/file.h"
#include "input/schema.h"
#include "input/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#ifndef VDSIM_SYSTEM /* name of the system in FMI 3.0, set by the build; without it only the data folder has binaries */
#define VDSIM_SYSTEM ""
#endif

/* The parts of the archive while it is made. */
typedef struct unit {
  const vd_settings *settings;
  const char *scenario;
  vd_arena *arena;
  zip_t *archive;
  char model[64];      /* name of the binary */
  vd_buf text;         /* the scenario that goes into the resources */
  vd_buf wiring;       /* block `controllers' that connects a controller without its car */
  const vd_diag *read; /* the files that were read, the scenario among them */
  int source;          /* index of the scenario in `read' */
} unit;

/* ---- the archive ---- */

static bool failed(const unit *u, const char *what) {
  return vd_tool_error("'%s': %s: %s", u->settings->fmu, what, zip_strerror(u->archive));
}

/* Adds a file to the archive. The time of the file is always the same, so that equal units have equal bytes. Level 5 of
 * deflate takes a fifth of the time of libzip's default 9, and makes the binary 2 % larger. */
static bool add_source(unit *u, const char *name, zip_source_t *source) {
  zip_int64_t at = source ? zip_file_add(u->archive, name, source, ZIP_FL_ENC_UTF_8) : -1;
  if (at < 0 && source)
    zip_source_free(source);
  return (at >= 0 && zip_file_set_mtime(u->archive, (zip_uint64_t)at, 946684800, 0) == 0 &&
          zip_set_file_compression(u->archive, (zip_uint64_t)at, ZIP_CM_DEFLATE, 5) == 0) ||
         failed(u, name);
}

/* Adds a text, which must last until the archive is closed. */
static bool add_text(unit *u, const char *name, const vd_buf *text) {
  return add_source(u, name, zip_source_buffer(u->archive, text->text, text->length, 0));
}

static bool add_file(unit *u, const char *name, const char *path) {
  return add_source(u, name, zip_source_file(u->archive, path, 0, -1));
}

/* ---- resources ---- */

/* Returns the path of the file that a scalar of the scenario names; NULL: it names none of the files that were read. */
static const char *file_of(const unit *u, const vd_diag *d, const vd_node *node) {
  const char *folder = vd_file_folder(u->arena, vd_diag_source_name(d, node->place.source));
  const char *path[] = {vd_arena_printf(u->arena, "%s%s", vd_path_is_absolute(node->text) ? "" : folder, node->text),
                        node->text};
  for (size_t i = 0; i < VD_COUNT(path); i++) {
    struct stat info;
    if (*node->text && stat(path[i], &info) == 0 && S_ISREG(info.st_mode) &&
        vd_diag_find_file(u->read, (vd_file_id){(unsigned long long)info.st_dev, (unsigned long long)info.st_ino}))
      return path[i];
  }
  return NULL;
}

/* Puts the files that a scenario names into the resources, and replaces their names in the scenario by those in the
 * resources. */
static bool move_files(unit *u, const vd_diag *d, vd_node *node, size_t *count) {
  bool good = true;
  for (vd_node *child = node->kind == VD_NODE_SCALAR ? NULL : node->child; child && good; child = child->next)
    good = move_files(u, d, child, count);
  const char *path = node->kind == VD_NODE_SCALAR ? file_of(u, d, node) : NULL;
  if (!path)
    return good;
  const char *slash = strrchr(path, '/');
  node->text = vd_arena_printf(u->arena, "%zu_%s", ++*count, slash ? slash + 1 : path);
  return add_file(u, vd_arena_printf(u->arena, "resources/%s", node->text), path);
}

/* Adds the scenario with the contents of its bases and settings, but without defaults, so that values that are computed
 * from others change with the parameters. Numbers that rules of `auto` have found by runs stay as they are. */
static bool add_resources(unit *u, const vd_buf *resolved, const vd_buf *variables) {
  vd_diag *d = vd_diag_create();
  const char *text, *name = vd_diag_source_name(u->read, u->source);
  size_t length = vd_diag_source_text(u->read, u->source, &text), files = 0;
  int source = vd_diag_add_source(d, name, text, length);
  vd_scenario_def *def = vd_arena_alloc(u->arena, sizeof *def);
  vd_node *root;
  bool good = vd_schema_read_source(&vd_scenario_schema, source, u->settings->set, u->settings->set_count, u->arena, d,
                                    def, &root);
  if (good && vd_tree_get(root, "auto")) {
    source = vd_diag_add_source(d, name, resolved->text, resolved->length);
    def = vd_arena_alloc(u->arena, sizeof *def);
    good = vd_schema_read_source(&vd_scenario_schema, source, NULL, 0, u->arena, d, def, &root);
    vd_tree_get(root, "auto")->child = NULL;
  }
  good = good && move_files(u, d, root, &files);
  if (good)
    vd_tree_write(root, &u->text);
  vd_diag_destroy(d);
  return good && add_text(u, "resources/scenario.yaml", &u->text) && add_text(u, "resources/variables.txt", variables);
}

/* ---- binaries ---- */

/* The systems for which the data folder may hold a binary, by their names in FMI 3.0 and FMI 2.0. */
static const struct {
  const char *three, *two, *ending;
} systems[] = {
    {"x86_64-linux", "linux64", "so"}, {"aarch64-linux", "aarch64-linux", "so"}, {"x86_64-windows", "win64", "dll"}};

/* Finds the binary of a system in the data folder or, for this system, in the build folder of this program; NULL: there
 * is none. */
static const char *find_binary(unit *u, size_t i) {
  const char *data = vd_data_folder(u->arena), *ending = systems[i].ending;
  const char *path = vd_arena_printf(u->arena, "%s/fmu/%s/vdsim_fmu.%s", data ? data : "", systems[i].three, ending);
  char self[4096];
  if (access(path, R_OK) == 0)
    return path;
  vd_program_path(self, sizeof self);
  const char *slash = strrchr(self, '/');
  if (!slash || strcmp(systems[i].three, VDSIM_SYSTEM) != 0)
    return NULL;
  path = vd_arena_printf(u->arena, "%.*s/../lib/vdsim_fmu.%s", (int)(slash - self), self, ending);
  return access(path, R_OK) == 0 ? path : NULL;
}

static bool add_binaries(unit *u) {
  char name[256];
  size_t count = 0;
  for (size_t i = 0; i < VD_COUNT(systems); i++) {
    const char *path = find_binary(u, i);
    snprintf(name, sizeof name, "binaries/%s/%s.%s", u->settings->fmi == 2 ? systems[i].two : systems[i].three,
             u->model, systems[i].ending);
    if (path && !add_file(u, name, path))
      return false;
    count += path != NULL;
  }
  return count > 0 || vd_tool_error("--fmu: the library for units, fmu/*/vdsim_fmu.so, is neither in the data folder "
                                    "nor beside this program; it is part of the build");
}

/* ---- the unit ---- */

/* Whether a file is a unit that these programs have written. */
static bool is_ours(const char *path) {
  char head[512] = "";
  int error;
  zip_t *archive = zip_open(path, ZIP_RDONLY, &error);
  zip_file_t *file = archive ? zip_fopen(archive, "modelDescription.xml", 0) : NULL;
  if (file) {
    zip_fread(file, head, sizeof head - 1);
    zip_fclose(file);
  }
  if (archive)
    zip_discard(archive);
  return strstr(head, "generationTool=\"VDSim ") != NULL;
}

/* Makes the name of the binary from the name of the unit's file: letters, digits and underscores. */
static void name_model(unit *u) {
  const char *slash = strrchr(u->settings->fmu, '/'), *name = slash ? slash + 1 : u->settings->fmu;
  size_t length = strlen(name) - strlen(".fmu"), n = 0;
  if (!isalpha((unsigned char)*name))
    u->model[n++] = '_';
  for (size_t i = 0; i < length && n + 1 < sizeof u->model; i++)
    u->model[n++] = isalnum((unsigned char)name[i]) ? name[i] : '_';
  u->model[n] = '\0';
}

/* Adds the block `controllers' that connects a controller without its car to a car. */
static bool add_wiring(unit *u, const vd_fmu *fmu) {
  const char *slash = strrchr(u->settings->fmu, '/');
  if (!fmu->controller)
    return true;
  vd_fmu_wiring(fmu, slash ? slash + 1 : u->settings->fmu, &u->wiring);
  return add_text(u, "documentation/controllers.yaml", &u->wiring);
}

/* Writes the archive under a temporary name and renames it when it is complete. */
static int write_archive(unit *u, const vd_fmu *fmu, const vd_buf *resolved, const vd_buf *xml,
                         const vd_buf *variables) {
  static const char page[] =
      "<!DOCTYPE html>\n<title>Vehicle model</title>\n"
      "<p>A vehicle of VDSim. Its scenario, with all parameters, is resources/scenario.yaml; "
      "modelDescription.xml describes its variables. An input replaces the command of the scenario "
      "from the first value that differs from its start value. "
      "A unit of a controller alone has sensors of the car as inputs, and requests, which are added to the driver's "
      "commands, as outputs; documentation/controllers.yaml is how a scenario of VDSim connects it to a car. "
      "Units are SI and radians, axes are those of ISO 8855.\n"
      "<p>The binaries are under the Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0). They contain "
      "libyaml (MIT licence, https://pyyaml.org/wiki/LibYAML) and libcsv (GNU Lesser General Public License 2.1 or "
      "later, https://sourceforge.net/projects/libcsv), and no code under the GNU General Public License: GSL, with "
      "which the programs of VDSim compute fits, is not in them. Who passes the unit on gives its recipients the means "
      "to exchange libcsv; the source of VDSim, which is free, is such a means.\n";
  /* the cast is safe: the archive only reads the text */
  const vd_buf documentation = {.text = (char *)(uintptr_t)page, .length = sizeof page - 1};
  const char *temporary = vd_arena_printf(u->arena, "%s.vdsim-%ld.tmp", u->settings->fmu, (long)getpid());
  int error = 0;
  u->archive = zip_open(temporary, ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (!u->archive) {
    vd_tool_error("'%s' cannot be written: %s", u->settings->fmu, strerror(errno));
    return VD_EXIT_TROUBLE;
  }
  bool good = add_text(u, "modelDescription.xml", xml) && add_binaries(u) && add_resources(u, resolved, variables) &&
              add_text(u, "documentation/index.html", &documentation) && add_wiring(u, fmu);
  if (!good) {
    zip_discard(u->archive);
    return VD_EXIT_TROUBLE;
  }
  if (zip_close(u->archive) != 0) {
    failed(u, "cannot be written");
    zip_discard(u->archive);
    return VD_EXIT_TROUBLE;
  }
  if (rename(temporary, u->settings->fmu) == 0)
    return VD_EXIT_YES;
  vd_tool_error("'%s' cannot be written: %s", u->settings->fmu, strerror(errno));
  remove(temporary);
  return VD_EXIT_TROUBLE;
}

int vd_fmu_job(const vd_settings *s, const char *scenario, const vd_buf *resolved, const vd_diag *read, int source) {
  vd_case *of;
  vd_buf problem = {0}, xml = {0}, variables = {0};
  int status = VD_EXIT_TROUBLE;
  unit u = {.settings = s, .scenario = scenario, .arena = vd_arena_create(), .read = read, .source = source};
  name_model(&u);
  vd_status loaded = vd_load_text(resolved->text, resolved->length, scenario, NULL, 0, &of);
  const vd_fmu fmu = {.model = u.model,
                      .version = s->fmi,
                      .of = of,
                      .controller = s->controller,
                      .parameter = s->parameter,
                      .parameters = s->parameters};
  if (loaded != VD_OK)
    vd_tool_error("%s: %s", scenario, of ? vd_messages_text(of) : vd_status_text(loaded));
  else if (!vd_fmu_describe(&fmu, &problem, &xml, &variables))
    vd_tool_error("%s: %s", scenario, problem.text);
  else if (vd_tool_may_replace(s->fmu, is_ours(s->fmu)))
    status = write_archive(&u, &fmu, resolved, &xml, &variables);
  vd_case_free(of);
  vd_buf_finish(&problem);
  vd_buf_finish(&xml);
  vd_buf_finish(&variables);
  vd_buf_finish(&u.text);
  vd_buf_finish(&u.wiring);
  vd_arena_destroy(u.arena);
  return status;
}
