#include "input/data_folder.h"

#include "base/base.h"
#include "base/system.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* lib/meson.build defines these folders. A program that is built without lib/meson.build has none. */
#ifndef VDSIM_DATA
#define VDSIM_BINDIR  "bin"
#define VDSIM_DATADIR "share"
#define VDSIM_DATA    ""
#define VDSIM_SOURCE  ""
#define VDSIM_BUILD   ""
#endif

/* Returns the name folder[0..length) + end, in the arena, if this folder contains a folder `scenarios`; else NULL. */
static const char *data_folder_at(vd_arena *arena, const char *folder, size_t length, const char *end) {
  vd_buf name = {0};
  vd_buf_printf(&name, "%.*s%s", (int)length, folder, end);
  size_t used = name.length;
  vd_buf_puts(&name, "/scenarios");
  const char *kept = used > 0 && access(name.text, F_OK) == 0 ? vd_arena_copy(arena, name.text, used) : NULL;
  vd_buf_finish(&name);
  return kept;
}

/* Finds the data folder from the path of this program: PREFIX/share/vdsim if the program is in PREFIX/bin, the source
 * folder if it is in the build folder. */
static const char *by_program(vd_arena *arena) {
  static const char installed[] = "/" VDSIM_BINDIR "/", build[] = VDSIM_BUILD "/";
  char self[4096];
  vd_program_path(self, sizeof self);
  const char *slash = strrchr(self, '/'), *found = NULL;
  size_t folder = slash ? (size_t)(slash - self) + 1 : 0, tail = sizeof installed - 1;
  if (folder > tail && memcmp(self + folder - tail, installed, tail) == 0)
    found = data_folder_at(arena, self, folder - tail, "/" VDSIM_DATADIR "/vdsim");
  if (!found && sizeof build > 2 && strncmp(self, build, sizeof build - 1) == 0)
    found = data_folder_at(arena, VDSIM_SOURCE, strlen(VDSIM_SOURCE), "");
  return found;
}

/* Finds the folder from the path of the shared library: below the prefix in which the library is installed, which may
 * be any of the UP folders above the library. */
static const char *by_library(vd_arena *arena) {
  enum { UP = 4 }; /* PREFIX/lib/x86_64-linux-gnu/vdsim/libvdsim.so */
  char self[4096], program[4096];
  const char *found = NULL;
  vd_module_path(self, sizeof self);
  vd_program_path(program, sizeof program);
  for (int i = 0; i < UP && strcmp(self, program) != 0 && !found; i++) {
    char *slash = strrchr(self, '/');
    if (!slash)
      break;
    *slash = '\0';
    found = data_folder_at(arena, self, strlen(self), "/" VDSIM_DATADIR "/vdsim");
  }
  return found;
}

const char *vd_data_folder(vd_arena *arena) {
  const char *named = getenv("VDSIM_DATA");
  if (named)
    return *named ? named : NULL;
  const char *found = by_program(arena);
  found = found ? found : by_library(arena);
  found = found ? found : data_folder_at(arena, VDSIM_DATA, strlen(VDSIM_DATA), "");
  found = found ? found : data_folder_at(arena, VDSIM_SOURCE, strlen(VDSIM_SOURCE), "");
  return found || !*VDSIM_DATA ? found : VDSIM_DATA;
}
