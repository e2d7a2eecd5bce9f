/* What differs between operating systems: libraries that are loaded while a program runs, writing, and temporary
 * folders. */
#ifndef VD_SYSTEM_H
#define VD_SYSTEM_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* This system as FMI 3.0 names it, such as x86_64-linux, and the ending of its libraries, such as so. */
extern const char vd_system_name[], vd_system_library_ending[];

/* A function of a library; the caller casts it to its type. */
typedef void vd_function(void);

/* Loads a library; NULL after an error, whose reason is added to `why'. */
void *vd_library_open(const char *path, vd_buf *why);
void vd_library_close(void *library); /* accepts NULL */
/* Returns a function of a library; NULL: it has none of this name. */
vd_function *vd_library_function(void *library, const char *name);

/* Writes all bytes, also to a pipe that takes them piece by piece. False with errno set. */
bool vd_write_all(int fd, const void *bytes, size_t length);
/* Makes an empty folder for temporary files and adds its name to `path'; returns 0 or an errno. */
int vd_temporary_folder(vd_buf *path);
/* Writes a file, and the folders on its path that are missing; returns 0 or an errno. */
int vd_write_below(const char *folder, const char *name, const void *bytes, size_t length);
/* Removes a folder with all that is in it; what cannot be removed stays. */
void vd_remove_folder(const char *path);

#endif
