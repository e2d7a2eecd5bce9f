#include "base/system.h"

#if defined(_WIN32)
#include "base/base.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

const char vd_system_name[] = "x86_64-windows", vd_system_library_ending[] = "dll";

static int errno_of(DWORD error) {
  switch (error) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
  case ERROR_INVALID_NAME:
  case ERROR_BAD_PATHNAME: return ENOENT;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION: return EACCES;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS: return EEXIST;
  case ERROR_LOCK_VIOLATION:
  case ERROR_IO_PENDING: return EBUSY;
  case ERROR_NOT_SAME_DEVICE: return EXDEV;
  case ERROR_DISK_FULL: return ENOSPC;
  default: return EIO;
  }
}

/* Sets errno to the number that corresponds to the last error of Windows, and returns -1. */
static int fail(void) {
  errno = errno_of(GetLastError());
  return -1;
}

static HANDLE handle_of(int fd) {
  return (HANDLE)_get_osfhandle(fd);
}

static void make_slashes(char *path) {
  for (; *path; path++)
    *path = *path == '\\' ? '/' : *path;
}

/* --- libraries --- */

void *vd_library_open(const char *path, vd_buf *why) {
  HMODULE library = LoadLibraryExA(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (!library)
    vd_buf_printf(why, "'%s' cannot be loaded: error %lu of Windows", path, GetLastError());
  return library;
}

void vd_library_close(void *library) {
  if (library)
    FreeLibrary(library);
}

vd_function *vd_library_function(void *library, const char *name) {
  FARPROC found = GetProcAddress(library, name);
  vd_function *function;
  memcpy(&function, &found, sizeof function);
  return function;
}

/* --- the program --- */

bool vd_system_start(int argc, char **argv) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    _setmode(fd, _O_BINARY); /* a closed stream stays closed: the C library gives its number to no other file */
  for (int i = 1; i < argc; i++)
    make_slashes(argv[i]);
  return true;
}

void vd_program_path(char *path, size_t size) {
  DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
  path[length < size ? length : 0] = '\0';
  make_slashes(path);
}

void vd_module_path(char *path, size_t size) {
  static const char here;
  HMODULE module = NULL;
  *path = '\0';
  if (GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, &here,
                         &module)) {
    DWORD length = GetModuleFileNameA(module, path, (DWORD)size);
    path[length < size ? length : 0] = '\0';
  }
  make_slashes(path);
}

int vd_processors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (int)info.dwNumberOfProcessors;
}

void vd_machine_name(char *name, size_t size) {
  DWORD length = (DWORD)size;
  if (!GetComputerNameA(name, &length))
    *name = '\0';
}

/* --- files --- */

bool vd_path_is_absolute(const char *path) {
  return *path == '/' || *path == '\\' || (isalpha((unsigned char)*path) && path[1] == ':');
}

static int stat_of(HANDLE file, struct vd_stat *out) {
  BY_HANDLE_FILE_INFORMATION info;
  *out = (struct vd_stat){.st_mode = S_IFCHR, .st_nlink = 1};
  if (GetFileType(file) == FILE_TYPE_PIPE)
    out->st_mode = S_IFIFO;
  if (GetFileType(file) != FILE_TYPE_DISK)
    return 0;
  if (!GetFileInformationByHandle(file, &info))
    return fail();
  out->st_dev = info.dwVolumeSerialNumber;
  out->st_ino = (unsigned long long)info.nFileIndexHigh << 32 | info.nFileIndexLow;
  out->st_mode = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR | 0777 : S_IFREG | 0666;
  out->st_nlink = info.nNumberOfLinks;
  out->st_size = (long long)info.nFileSizeHigh << 32 | info.nFileSizeLow;
  return 0;
}

int vd_stat(const char *path, struct vd_stat *out) {
  HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return fail();
  int status = stat_of(file, out);
  CloseHandle(file);
  return status;
}

int vd_fstat(int fd, struct vd_stat *out) {
  HANDLE file = handle_of(fd);
  return file == INVALID_HANDLE_VALUE ? fail() : stat_of(file, out);
}

int vd_open(const char *path, int flags, unsigned mode) {
  (void)mode;
  struct vd_stat info;
  int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
  DWORD access = way == O_WRONLY ? GENERIC_WRITE : way == O_RDWR ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
  DWORD how = !(flags & O_CREAT) ? (flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING)
              : flags & O_EXCL   ? CREATE_NEW
              : flags & O_TRUNC  ? CREATE_ALWAYS
                                 : OPEN_ALWAYS;
  HANDLE file = CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                            FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    fail();
    if (errno == EACCES && vd_stat(path, &info) == 0 && S_ISDIR(info.st_mode))
      errno = EISDIR;
    return -1;
  }
  int fd = _open_osfhandle((intptr_t)file, (flags & (O_APPEND | _O_NOINHERIT)) | _O_BINARY);
  if (fd < 0)
    CloseHandle(file);
  return fd;
}

int vd_rename(const char *from, const char *to) {
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : fail();
}

ssize_t vd_pread(int fd, void *bytes, size_t length, long long from) {
  OVERLAPPED at = {.Offset = (DWORD)(from & 0xffffffff), .OffsetHigh = (DWORD)(from >> 32)};
  DWORD got = 0;
  if (!ReadFile(handle_of(fd), bytes, (DWORD)length, &got, &at) && GetLastError() != ERROR_HANDLE_EOF)
    return fail();
  return (ssize_t)got;
}

char *vd_realpath(const char *path, char *none) {
  char name[4096];
  struct vd_stat info;
  (void)none;
  DWORD length = GetFullPathNameA(path, sizeof name, name, NULL);
  if (vd_stat(path, &info) != 0 || length == 0 || length >= sizeof name)
    return NULL;
  make_slashes(name);
  if (name[length - 1] == '/' && name[length - 2] != ':')
    name[length - 1] = '\0';
  return _strdup(name);
}

char *vd_getcwd(char *name, size_t size) {
  DWORD length = GetCurrentDirectoryA((DWORD)size, name);
  if (length == 0 || length >= size)
    return NULL;
  make_slashes(name);
  return name;
}

int vd_file_lock(int fd, bool wait) {
  OVERLAPPED far_behind = {.OffsetHigh = 0x40000000}; /* behind all data, as a locked part cannot be read by others */
  DWORD how = LOCKFILE_EXCLUSIVE_LOCK | (wait ? 0 : LOCKFILE_FAIL_IMMEDIATELY);
  return LockFileEx(handle_of(fd), how, 0, 1, 0, &far_behind) ? 0 : errno_of(GetLastError());
}

int vd_file_hold(int fd, bool wait) {
  return vd_file_lock(fd, wait); /* copies of a handle share the lock */
}

ssize_t vd_link_target(const char *path, char *to, size_t size) {
  (void)path, (void)to, (void)size;
  return -1; /* CreateFile and MoveFile follow links by themselves */
}

void vd_keep_mode(int fd, const struct stat *from) {
  (void)fd, (void)from; /* a new file has the rights that its folder gives */
}

int vd_temporary_folder(vd_buf *path) {
  char parent[MAX_PATH + 1], name[64];
  if (GetTempPathA(sizeof parent, parent) == 0)
    return errno_of(GetLastError());
  make_slashes(parent);
  for (unsigned attempt = 0;; attempt++) {
    size_t length = path->length;
    snprintf(name, sizeof name, "vdsim-%lu-%u", GetCurrentProcessId(), attempt);
    vd_buf_printf(path, "%s%s", parent, name);
    if (_mkdir(path->text) == 0)
      return 0;
    if (errno != EEXIST)
      return errno;
    path->length = length;
  }
}

/* --- names --- */

/* True if c is in the set, whose text begins behind '['. *end: the text behind its ']', or NULL if it has no ']'. */
static bool in_set(const char *set, char c, const char **end) {
  bool outside = *set == '!', found = false;
  set += outside;
  for (const char *first = set; *set && (*set != ']' || set == first); set++) {
    char from = *set;
    if (set[1] == '-' && set[2] && set[2] != ']')
      set += 2;
    found |= from <= c && c <= *set;
  }
  *end = *set ? set + 1 : NULL;
  return found != outside;
}

int vd_fnmatch(const char *pattern, const char *text, int none) {
  const char *end;
  for (; *pattern; pattern++, text++) {
    if (*pattern == '*') {
      do
        if (vd_fnmatch(pattern + 1, text, none) == 0)
          return 0;
      while (*text++);
      return 1;
    }
    if (!*text)
      return 1;
    bool set = *pattern == '[', in = set && in_set(pattern + 1, *text, &end);
    if (set && end) {
      if (!in)
        return 1;
      pattern = end - 1;
    } else if (*pattern != '?' && *(pattern += *pattern == '\\' && pattern[1]) != *text) {
      return 1;
    }
  }
  return *text != '\0';
}

int vd_scandir(const char *folder, struct dirent ***list, int (*keep)(const struct dirent *),
               int (*order)(const struct dirent **, const struct dirent **)) {
  DIR *d = opendir(folder);
  int count = 0;
  *list = NULL;
  if (!d)
    return -1;
  for (const struct dirent *entry; (entry = readdir(d));)
    if (keep(entry)) {
      struct dirent *kept = vd_allocate(1, sizeof *kept);
      *kept = *entry;
      *list = vd_reallocate(*list, (size_t)count + 1, sizeof **list);
      int at = count++;
      for (; at > 0 && order((const struct dirent *[]){(*list)[at - 1]}, (const struct dirent *[]){kept}) > 0; at--)
        (*list)[at] = (*list)[at - 1];
      (*list)[at] = kept;
    }
  closedir(d);
  return count;
}

/* --- streams to and from memory, by temporary files --- */

bool vd_stream_open(vd_stream *s) {
  *s = (vd_stream){.file = tmpfile()};
  return s->file != NULL;
}

bool vd_stream_finish(vd_stream *s) {
  long length = ftell(s->file);
  s->length = length > 0 ? (size_t)length : 0;
  s->text = vd_allocate(s->length + 1, 1);
  rewind(s->file);
  bool good = length >= 0 && fread(s->text, 1, s->length, s->file) == s->length;
  return fclose(s->file) == 0 && good;
}

FILE *vd_stream_of(const void *bytes, size_t length) {
  FILE *file = tmpfile();
  if (file && fwrite(bytes, 1, length, file) != length) {
    fclose(file);
    return NULL;
  }
  if (file)
    rewind(file);
  return file;
}
#endif
