/* Functions that differ between operating systems. The code is written for POSIX, and includes this file in place of
 * the headers of POSIX. For Windows, which lacks these headers, this file declares functions of the same names and
 * meanings, as far as the code needs them. */
#ifndef VD_SYSTEM_H
#define VD_SYSTEM_H

#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(_WIN32)
#include <direct.h>
#include <io.h>

#ifndef _O_NOINHERIT
#error "the headers of the system must not be reduced to those of ISO C"
#endif
#define O_CLOEXEC  (_O_BINARY | _O_NOINHERIT)
#define O_NONBLOCK 0
#define O_NOCTTY   0
#define O_NOFOLLOW 0

/* Data of a file. st_dev and st_ino identify it in the file system; the C library of Windows does not give them. */
struct vd_stat {
  unsigned long long st_dev, st_ino;
  unsigned st_mode, st_nlink;
  long long st_size;
};
int vd_stat(const char *path, struct vd_stat *out);
int vd_fstat(int fd, struct vd_stat *out);
int vd_rename(const char *from, const char *to);
char *vd_getcwd(char *name, size_t size);
ssize_t vd_pread(int fd, void *bytes, size_t length, long long from);
char *vd_realpath(const char *path, char *none);
int vd_fnmatch(const char *pattern, const char *text, int none);
int vd_scandir(const char *folder, struct dirent ***list, int (*keep)(const struct dirent *),
               int (*order)(const struct dirent **, const struct dirent **));
#undef stat
#undef fstat
#define stat              vd_stat
#define fstat             vd_fstat
#define lstat             vd_stat
#define rename            vd_rename
#define getcwd            vd_getcwd
#define pread             vd_pread
#define realpath          vd_realpath
#define fnmatch           vd_fnmatch
#define scandir           vd_scandir
#define fdatasync         _commit
#define FNM_NOESCAPE      0 /* this function has no escapes */
#define mkdir(path, mode) _mkdir(path)
#else
#include <fnmatch.h>
#endif

/* The name of this system in FMI 3.0, such as x86_64-linux, and the ending of its libraries, such as so. */
extern const char vd_system_name[], vd_system_library_ending[];

/* A function of a library; the caller casts it to its type. */
typedef void vd_function(void);

/* Loads a library. After an error it adds the reason to `why` and returns NULL. */
void *vd_library_open(const char *path, vd_buf *why);
void vd_library_close(void *library); /* accepts NULL */
/* Returns a function of a library, or NULL if the library has no function of this name. */
vd_function *vd_library_function(void *library, const char *name);

/* Prepares a program: its standard streams exist and pass bytes as they are, and paths in its arguments have slashes.
 * Returns false if a stream cannot be opened. */
bool vd_system_start(int argc, char **argv);
/* Writes the path of this program, at most size - 1 bytes; "" if it is not known. */
void vd_program_path(char *path, size_t size);
/* Writes the path of the file that contains this function: a shared library, or the program itself; "" if it is not
 * known. */
void vd_module_path(char *path, size_t size);
/* Returns the number of processors, at least 1. */
int vd_processors(void);
/* Writes the name of this machine. */
void vd_machine_name(char *name, size_t size);

/* Opens a file as open of POSIX does; mode: the mode of a new file; 0 without O_CREAT. An open file may be removed and
 * replaced, on Windows, too. */
int vd_open(const char *path, int flags, unsigned mode);
/* True if a path begins at the root of a file system. */
bool vd_path_is_absolute(const char *path);
/* Locks an open file for writing until it is closed or this process ends. Returns 0 or an errno; EBUSY: another process
 * has the lock, and `wait` is false. Some file systems have no locks. */
int vd_file_lock(int fd, bool wait);
/* Like vd_file_lock, but the lock belongs to the open file: it lasts until the last copy of the descriptor is closed,
 * in this process and in its forks, and other descriptors of the file conflict with it in this process, too. */
int vd_file_hold(int fd, bool wait);
/* Writes the target of a symbolic link, without a NUL. Returns its length, or -1 if the path is not a symbolic link. */
ssize_t vd_link_target(const char *path, char *to, size_t size);
/* Gives a new file the owner, group and mode of the file that it replaces, as far as this user may set them. */
void vd_keep_mode(int fd, const struct stat *from);

/* Writes all bytes, also to a pipe that takes them piece by piece. After an error it sets errno and returns false. */
bool vd_write_all(int fd, const void *bytes, size_t length);
/* Makes an empty folder for temporary files and adds its path to `path`; returns 0 or an errno. */
int vd_temporary_folder(vd_buf *path);
/* Writes a file, and the folders on its path that are missing; returns 0 or an errno. */
int vd_write_below(const char *folder, const char *name, const void *bytes, size_t length);
/* Removes a folder with all that it contains; files that cannot be removed stay. */
void vd_remove_folder(const char *path);

/* A stream that writes to memory. After vd_stream_finish, which closes the file, the text ends with a NUL, and the
 * caller frees the text. Both functions return false if the stream cannot be opened or written. */
typedef struct vd_stream {
  FILE *file;
  char *text;
  size_t length;
} vd_stream;
bool vd_stream_open(vd_stream *s);
bool vd_stream_finish(vd_stream *s);
/* Opens a stream that reads from memory; NULL after an error. */
FILE *vd_stream_of(const void *bytes, size_t length);

#endif
