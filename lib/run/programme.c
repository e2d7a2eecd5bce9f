#include "run/programme.h"

#include "base/base.h"
#include "base/system.h"
#include "input/file.h"
#include "input/schema.h"

/* clang-format off */
static const vd_field fields[] = {
  {VD_F_STRING(vd_programme, title, "title", "\"Handling\"", "one line of text for readers")},
  {VD_F_LIST(vd_programme, manoeuvres, "manoeuvres", NULL,
             "scenario files, in the order in which they are shown; relative to this file or to the data folder")},
};
/* clang-format on */

const vd_schema vd_programme_schema = {.name = "programme", VD_SCHEMA_ROWS(vd_programme, fields)};

static const char *find(const char *folder, const char *name, vd_arena *arena) {
  const char *here = vd_path_is_absolute(name) ? name : vd_arena_printf(arena, "%s%s", folder, name);
  const char *shipped = access(here, F_OK) == 0 ? NULL : vd_file_in_data(arena, name);
  return shipped ? shipped : here;
}

bool vd_programme_read(const char *path, vd_arena *arena, vd_diag *d, vd_programme *out) {
  vd_node *root;
  if (!vd_schema_read(&vd_programme_schema, path, NULL, 0, arena, d, out, &root))
    return false;
  if (out->manoeuvres.count == 0)
    return vd_error(d, vd_tree_place(root, "manoeuvres"), "a programme needs at least one manoeuvre");
  const char *folder = vd_file_folder(arena, path),
             **file = vd_arena_alloc(arena, out->manoeuvres.count * sizeof *file);
  for (size_t i = 0; i < out->manoeuvres.count; i++)
    file[i] = find(folder, out->manoeuvres.name[i], arena);
  out->manoeuvres.name = file;
  return true;
}
