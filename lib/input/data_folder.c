#include "input/data_folder.h"

#include "base/base.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* lib/meson.build says where things are; a program that is built without it knows of no folder. */
#ifndef VDSIM_DATA
#define VDSIM_BINDIR  "bin"
#define VDSIM_DATADIR "share"
#define VDSIM_DATA    ""
#define VDSIM_SOURCE  ""
#define VDSIM_BUILD   ""
#endif

/* A folder in the arena if it holds scenarios, else NULL. */
static const char *holds(vd_arena *arena, const char *folder, size_t length, const char *end) {
  vd_buf name = {0};
  vd_buf_printf(&name, "%.*s%s", (int)length, folder, end);
  size_t used = name.length;
  vd_buf_puts(&name, "/scenarios");
  const char *kept = used > 0 && access(name.text, F_OK) == 0 ? vd_arena_copy(arena, name.text, used) : NULL;
  vd_buf_finish(&name);
  return kept;
}

/* By the place of this program: beside the folder in which it is installed, or the source of its build. */
static const char *by_program(vd_arena *arena) {
  static const char installed[] = "/" VDSIM_BINDIR "/", build[] = VDSIM_BUILD "/";
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  const char *slash = strrchr(self, '/'), *found = NULL;
  size_t folder = slash ? (size_t)(slash - self) + 1 : 0, tail = sizeof installed - 1;
  if (folder > tail && memcmp(self + folder - tail, installed, tail) == 0)
    found = holds(arena, self, folder - tail, "/" VDSIM_DATADIR "/vdsim");
  if (!found && sizeof build > 2 && strncmp(self, build, sizeof build - 1) == 0)
    found = holds(arena, VDSIM_SOURCE, strlen(VDSIM_SOURCE), "");
  return found;
}

const char *vd_data_folder(vd_arena *arena) {
  const char *named = getenv("VDSIM_DATA");
  if (named)
    return *named ? named : NULL;
  const char *found = by_program(arena);
  found = found ? found : holds(arena, VDSIM_DATA, strlen(VDSIM_DATA), "");
  found = found ? found : holds(arena, VDSIM_SOURCE, strlen(VDSIM_SOURCE), "");
  return found || !*VDSIM_DATA ? found : VDSIM_DATA;
}
