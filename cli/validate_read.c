#include "tool.h"
#include "validate.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_yaml(const struct dirent *e) {
  size_t length = strlen(e->d_name);
  return e->d_name[0] != '.' && length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* All *.yaml of a folder, by name; false after a message. */
static bool read_folder(const vd_validate_settings *s, const char *folder, vd_arena *arena, vd_diag *d,
                        vd_claims *out) {
  struct dirent **entry;
  int count = scandir(folder, &entry, is_yaml, by_name);
  size_t length = strlen(folder);
  if (count < 0)
    vd_tool_error("cannot read folder '%s': %s", folder, strerror(errno));
  else if (count == 0)
    vd_tool_error("no validation files in '%s'", folder);
  bool good = count > 0;
  for (int i = 0; i < count; i++) {
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", entry[i]->d_name);
    good &= vd_claims_read(path.text, s->baselines != NULL, arena, d, out);
    vd_buf_finish(&path);
    free(entry[i]);
  }
  if (count >= 0)
    free(entry);
  return good;
}

static bool read_all(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out) {
  const char *fallback[] = {vd_tool_find("validation")}, **operand = s->operands > 0 ? s->operand : fallback;
  size_t count = s->operands > 0 ? s->operands : 1;
  bool good = true;
  if (s->against)
    return vd_claims_against(s->against, s->operand[0], s->set, s->set_count, s->tolerances, arena, d, out);
  for (size_t i = 0; i < count; i++) {
    struct stat info;
    if (stat(operand[i], &info) == 0 && S_ISDIR(info.st_mode))
      good &= read_folder(s, operand[i], arena, d, out);
    else
      good &= vd_claims_read(operand[i], s->baselines != NULL, arena, d, out);
  }
  return good;
}

static bool is_meant(const vd_validate_settings *s, const vd_claim *c) {
  if (s->baselines && !vd_claim_baseline_path(c))
    return false;
  if (!s->filter)
    return true;
  vd_buf text = {0};
  vd_buf_printf(&text, "%s %s", c->name, c->def->claim);
  bool fits = fnmatch(s->filter, text.text, 0) == 0 || fnmatch(s->filter, c->name, 0) == 0;
  vd_buf_finish(&text);
  return fits;
}

/* Keeps the selected claims; false after a message if there are none. */
static bool choose(const vd_validate_settings *s, vd_claims *claims) {
  size_t kept = 0;
  for (size_t i = 0; i < claims->count; i++)
    if (is_meant(s, &claims->claim[i]))
      claims->claim[kept++] = claims->claim[i];
  claims->count = kept;
  if (kept > 0)
    return true;
  return s->filter ? vd_tool_error("no claim fits '%s'", s->filter) : vd_tool_error("there is no claim");
}

bool vd_validate_read(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out) {
  bool good = read_all(s, arena, d, out);
  vd_tool_print_messages(d);
  return good && choose(s, out);
}
