#include "tool.h"
#include "validate.h"

#include "base/memory.h"
#include "base/system.h"
#include "input/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is_yaml(const struct dirent *e) {
  size_t length = strlen(e->d_name);
  return e->d_name[0] != '.' && length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0;
}

/* Whether a directory entry may be a folder of claims; a folder named "data" contains files that claims read. */
static int is_inner(const struct dirent *e) {
  return e->d_name[0] != '.' && strcmp(e->d_name, "data") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* The files from which claims are read, and their number. */
typedef struct reading {
  const vd_validate_settings *settings;
  vd_arena *arena;
  vd_diag *d;
  vd_claims *claims;
  size_t files;
  size_t shared; /* length in bytes of the path of the folder that all operands share */
} reading;

/* Reads one file. The name of a claim begins with the file's path below the folder that all operands share, so that
 * claims of different files have different names. */
static bool read_file(reading *r, const char *path) {
  const char *below = path + r->shared;
  size_t length = strlen(below), ending = strlen(".yaml");
  length -= length > ending && strcmp(below + length - ending, ".yaml") == 0 ? ending : 0;
  r->files++;
  return vd_claims_read(path, vd_arena_copy(r->arena, below, length), r->settings->baselines != NULL, r->arena, r->d,
                        r->claims);
}

/* Whether a path is a folder and not a link to one, as links could form a loop. */
static bool is_folder(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool read_folder(reading *r, const char *folder);

/* Reads the files of a folder, or the folders in it, sorted by name; false after a message. */
static bool read_entries(reading *r, const char *folder, bool folders) {
  struct dirent **entry;
  int count = scandir(folder, &entry, folders ? is_inner : is_yaml, by_name);
  size_t length = strlen(folder);
  if (count < 0)
    return vd_tool_error("cannot read folder '%s': %s", folder, strerror(errno));
  bool good = true;
  for (int i = 0; i < count; i++) {
    vd_buf path = {0};
    vd_buf_printf(&path, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", entry[i]->d_name);
    if (!folders)
      good &= read_file(r, path.text);
    else if (is_folder(path.text))
      good &= read_folder(r, path.text);
    vd_buf_finish(&path);
    free(entry[i]);
  }
  free(entry);
  return good;
}

/* Reads all *.yaml files of a folder, and then those of the folders in it. */
static bool read_folder(reading *r, const char *folder) {
  bool good = read_entries(r, folder, false);
  return read_entries(r, folder, true) && good;
}

static bool leads_to_folder(const char *operand) {
  struct stat info;
  return stat(operand, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Returns the folder of an operand, with a slash at its end: the operand itself, or the folder that its file is in. */
static const char *folder_of(vd_arena *arena, const char *operand) {
  size_t length = strlen(operand);
  if (!leads_to_folder(operand))
    return vd_file_folder(arena, operand);
  char *folder = vd_arena_alloc(arena, length + 2);
  memcpy(folder, operand, length);
  folder[length] = length > 0 && operand[length - 1] == '/' ? '\0' : '/';
  return folder;
}

/* Returns the length in bytes of the path of the folder that all operands share. */
static size_t shared_folder(vd_arena *arena, const char **operand, size_t count) {
  const char *first = folder_of(arena, operand[0]);
  size_t shared = strlen(first);
  for (size_t i = 1; i < count; i++) {
    const char *other = folder_of(arena, operand[i]);
    size_t same = 0;
    while (same < shared && first[same] == other[same])
      same++;
    while (same > 0 && first[same - 1] != '/')
      same--;
    shared = same;
  }
  return shared;
}

/* Returns the colon in an operand FILE:LINE,LINE,..., or NULL. If a file has this very name, it is read as a whole. */
static const char *lines_of(const char *operand) {
  struct stat info;
  const char *colon = strrchr(operand, ':');
  bool fits = colon && colon[1] != '\0' && colon[1 + strspn(colon + 1, "0123456789,")] == '\0';
  return fits && stat(operand, &info) != 0 ? colon : NULL;
}

/* Marks the claims from index `from` whose statement begins in this line; returns whether there is one. */
static bool mark_line(const vd_claims *claims, size_t from, long line, bool *wanted) {
  bool found = false;
  for (size_t i = from; i < claims->count; i++)
    if (claims->claim[i].place.line == line)
      found = wanted[i - from] = true;
  return found;
}

/* Reads the statements of a file that begin in the given lines, in the order of the file. */
static bool read_lines(reading *r, const char *operand, const char *colon) {
  vd_claims *claims = r->claims;
  size_t from = claims->count, kept = from;
  const char *path = vd_arena_copy(r->arena, operand, (size_t)(colon - operand));
  bool good = read_file(r, path);
  bool *wanted = vd_allocate(claims->count - from + 1, sizeof *wanted);
  for (const char *at = colon; good && at; at = strchr(at + 1, ',')) {
    long line = strtol(at + 1, NULL, 10);
    if (!mark_line(claims, from, line, wanted))
      good = vd_tool_error("no statement of '%s' begins in line %ld; --list shows the lines", path, line);
  }
  for (size_t i = from; i < claims->count; i++)
    if (wanted[i - from])
      claims->claim[kept++] = claims->claim[i];
  claims->count = good ? kept : claims->count;
  free(wanted);
  return good;
}

static bool read_operand(reading *r, const char *operand) {
  const char *colon = lines_of(operand);
  if (colon)
    return read_lines(r, operand, colon);
  if (!leads_to_folder(operand))
    return read_file(r, operand);
  size_t before = r->files;
  bool good = read_folder(r, operand);
  return good && r->files == before ? vd_tool_error("no validation files in '%s'", operand) : good;
}

static bool read_all(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out) {
  const char *fallback[] = {vd_tool_find("validation")}, **operand = s->operands > 0 ? s->operand : fallback;
  size_t count = s->operands > 0 ? s->operands : 1;
  reading r = {.settings = s, .arena = arena, .d = d, .claims = out};
  bool good = true;
  if (s->against)
    return vd_claims_against(s->against, s->operand[0], s->set, s->set_count, s->tolerances, arena, d, out);
  r.shared = shared_folder(arena, operand, count);
  for (size_t i = 0; i < count; i++)
    good &= read_operand(&r, operand[i]);
  return good;
}

static bool is_selected(const vd_validate_settings *s, const vd_claim *c) {
  if (s->baselines && !vd_claim_baseline_path(c))
    return false;
  if (s->quick && !c->def->quick)
    return false;
  if (!s->filter)
    return true;
  vd_buf text = {0};
  vd_buf_printf(&text, "%s %s", c->name, c->def->claim);
  bool fits = fnmatch(s->filter, text.text, 0) == 0 || fnmatch(s->filter, c->name, 0) == 0;
  vd_buf_finish(&text);
  return fits;
}

/* Keeps the selected claims; false after a message if none is selected. */
static bool choose(const vd_validate_settings *s, vd_claims *claims) {
  size_t kept = 0;
  for (size_t i = 0; i < claims->count; i++)
    if (is_selected(s, &claims->claim[i]))
      claims->claim[kept++] = claims->claim[i];
  claims->count = kept;
  if (kept > 0)
    return true;
  if (s->filter)
    return vd_tool_error("no claim matches '%s'%s", s->filter, s->quick ? " and is quick" : "");
  return vd_tool_error(s->quick ? "no claim has `quick: yes`" : "there is no claim");
}

bool vd_validate_read(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out) {
  bool good = read_all(s, arena, d, out);
  /* messages about reading the table of a claim are printed only if something is wrong with it */
  if (vd_diag_errors(d) + vd_diag_warnings(d) > 0 || s->against || s->verbose)
    vd_tool_print_messages(d);
  return good && choose(s, out);
}
