#define _XOPEN_SOURCE 700

#include "study/journal.h"

#include "base/memory.h"
#include "base/system.h"
#include "input/file.h"
#include "study/study.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "vdsim-study-journal 2";

struct vd_journal {
  int fd;
  vd_journal_head head;
  char *columns;
  int64_t *place; /* place of each case's entry; 0: there is none */
  size_t cases;
  int64_t end;
  vd_buf text; /* the entry that is being written or read */
};

/* --- entries --- */

static uint64_t hash_of(size_t i, const char *line, size_t length) {
  char number[24];
  int size = snprintf(number, sizeof number, "%zu ", i);
  return vd_text_hash(vd_text_hash(VD_HASH_START, number, (size_t)size), line, length);
}

/* Reads an entry of `length` bytes without its line end; false: the entry is damaged. *line points into the text. */
static bool read_entry(const char *text, size_t length, size_t *i, double *seconds, const char **line, size_t *size) {
  uint64_t hash;
  int used = 0;
  char head[100];
  snprintf(head, sizeof head, "%.*s", (int)(length < 99 ? length : 99), text);
  if (sscanf(head, "%zu %lf %16" SCNx64 " %n", i, seconds, &hash, &used) != 3 || used == 0)
    return false;
  *line = text + used;
  *size = length - (size_t)used;
  return hash == hash_of(*i, *line, *size);
}

/* --- the first two lines --- */

/* Writes the first two lines: the study with a hash of both lines, and the columns. */
static void write_head(const vd_journal_head *head, const char *columns, vd_buf *out) {
  size_t from = out->length;
  vd_buf_printf(out, "%s %016" PRIx64 " %zu %zu %zu", magic, head->hash, head->count, head->shard, head->shards);
  uint64_t hash = vd_text_hash(VD_HASH_START, out->text + from, out->length - from);
  vd_buf_printf(out, " %016" PRIx64 "\n%s", vd_text_hash(hash, columns, strlen(columns)), columns);
}

/* --- opening --- */

/* Locks the file, because two processes that append to one journal would overwrite each other's lines. The lock ends
 * with this process, even if its children continue. False with errno set: EBUSY: another process has locked the file.
 * On a file system without locks nothing is locked. */
static bool lock_file(int fd) {
  int error = vd_file_lock(fd, false);
  errno = error;
  return error != EBUSY;
}

static vd_journal *new_journal(int fd, const vd_journal_head *head, const char *columns, size_t length) {
  vd_journal *j = vd_allocate(1, sizeof *j);
  j->fd = fd;
  j->head = *head;
  j->columns = vd_allocate(length + 1, 1);
  memcpy(j->columns, columns, length);
  j->place = vd_allocate(head->count, sizeof *j->place);
  return j;
}

vd_journal *vd_journal_create(const char *path, const vd_journal_head *head, const char *columns) {
  int fd = vd_open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0)
    return NULL;
  if (!lock_file(fd) || ftruncate(fd, 0) != 0) {
    int error = errno;
    close(fd);
    errno = error;
    return NULL;
  }
  vd_journal *j = new_journal(fd, head, columns, strlen(columns));
  write_head(head, columns, &j->text);
  j->end = (int64_t)j->text.length;
  if (vd_write_all(fd, j->text.text, j->text.length))
    return j;
  vd_journal_close(j);
  return NULL;
}

/* Returns the end of the line that begins at `from', or NULL. */
static const char *end_of_line(const char *from, const char *end) {
  return from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
}

static vd_journal *read_head(int fd, const char *text, const char *end, const char **body) {
  vd_journal_head head;
  const char *first = end_of_line(text, end), *second = first ? end_of_line(first + 1, end) : NULL;
  size_t length = sizeof magic - 1;
  char line[200];
  if (!second || strncmp(text, magic, length) != 0)
    return NULL;
  snprintf(line, sizeof line, "%.*s", (int)(first - text < 199 ? first - text : 199), text);
  if (sscanf(line + length, " %16" SCNx64 " %zu %zu %zu", &head.hash, &head.count, &head.shard, &head.shards) != 4 ||
      head.count == 0 || (uint64_t)head.count > UINT64_C(1) << 32 || head.shard >= head.shards)
    return NULL;
  *body = second + 1;
  vd_buf columns = {0}, same = {0};
  vd_buf_add(&columns, first + 1, (size_t)(second - first));
  write_head(&head, columns.text, &same);
  bool whole = same.length == (size_t)(*body - text) && memcmp(same.text, text, same.length) == 0;
  vd_journal *j = whole ? new_journal(fd, &head, columns.text, columns.length) : NULL;
  vd_buf_finish(&columns);
  vd_buf_finish(&same);
  return j;
}

static void read_entries(vd_journal *j, const char *text, const char *body, const char *end) {
  const char *last;
  for (const char *from = body; (last = end_of_line(from, end)); from = last + 1) {
    size_t i, size;
    double seconds;
    const char *line;
    if (read_entry(from, (size_t)(last - from), &i, &seconds, &line, &size) && i < j->head.count) {
      j->cases += j->place[i] == 0;
      j->place[i] = from - text;
    }
    j->end = last + 1 - text;
  }
}

static vd_journal *read_journal(int fd, bool read_only) {
  struct stat info;
  vd_buf text = {0};
  vd_journal *j = NULL;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    errno = EINVAL;
    return NULL;
  }
  vd_buf_reserve(&text, (size_t)info.st_size + 1);
  for (ssize_t got; text.length < (size_t)info.st_size &&
                    (got = read(fd, text.text + text.length, (unsigned)((size_t)info.st_size - text.length))) != 0;) {
    if (got < 0 && errno != EINTR) {
      vd_buf_finish(&text);
      return NULL;
    }
    vd_buf_add_length(&text, got > 0 ? (size_t)got : 0);
  }
  const char *body, *end = text.text + text.length;
  j = read_head(fd, text.text, end, &body);
  if (j) {
    j->end = body - text.text;
    read_entries(j, text.text, body, end);
  }
  vd_buf_finish(&text);
  if (!j)
    errno = EINVAL;
  else if (!read_only && ftruncate(fd, j->end) != 0)
    return NULL;
  return j;
}

vd_journal *vd_journal_open(const char *path, bool read_only) {
  int fd = vd_open(path, (read_only ? O_RDONLY : O_RDWR | O_APPEND) | O_CLOEXEC, 0);
  vd_journal *j = fd >= 0 && (read_only || lock_file(fd)) ? read_journal(fd, read_only) : NULL;
  if (fd >= 0 && !j) {
    int error = errno;
    close(fd);
    errno = error;
  }
  return j;
}

void vd_journal_close(vd_journal *j) {
  if (!j)
    return;
  int error = errno;
  close(j->fd);
  vd_buf_finish(&j->text);
  free(j->columns);
  free(j->place);
  free(j);
  errno = error;
}

/* --- reading --- */

const vd_journal_head *vd_journal_head_of(const vd_journal *j) {
  return &j->head;
}

const char *vd_journal_columns(const vd_journal *j) {
  return j->columns;
}

bool vd_journal_has(const vd_journal *j, size_t i) {
  return i < j->head.count && j->place[i] != 0;
}

size_t vd_journal_cases(const vd_journal *j) {
  return j->cases;
}

int vd_journal_line(vd_journal *j, size_t i, vd_buf *line, double *seconds) {
  enum { PIECE = 4096 };
  const char *end = NULL, *found;
  size_t number, size;
  j->text.length = 0;
  while (!end) {
    vd_buf_reserve(&j->text, PIECE);
    ssize_t got = pread(j->fd, j->text.text + j->text.length, PIECE, (off_t)(j->place[i] + (int64_t)j->text.length));
    if (got == 0 || (got < 0 && errno != EINTR))
      return got == 0 ? EINVAL : errno;
    vd_buf_add_length(&j->text, got > 0 ? (size_t)got : 0);
    end = end_of_line(j->text.text, j->text.text + j->text.length);
  }
  if (!read_entry(j->text.text, (size_t)(end - j->text.text), &number, seconds, &found, &size) || number != i)
    return EINVAL;
  vd_buf_add(line, found, size + 1);
  return 0;
}

bool vd_journal_failed(vd_journal *j, size_t i) {
  vd_buf line = {0};
  double seconds;
  enum vd_ending ending = vd_journal_line(j, i, &line, &seconds) == 0 ? vd_ending_of(line.text) : VD_CASE_DIED;
  vd_buf_finish(&line);
  return ending >= VD_CASE_ENDED;
}

/* --- adding --- */

int vd_journal_add(vd_journal *j, size_t i, double seconds, const char *line) {
  size_t length = strcspn(line, "\n");
  j->text.length = 0;
  vd_buf_printf(&j->text, "%zu %.6f %016" PRIx64 " %.*s\n", i, seconds, hash_of(i, line, length), (int)length, line);
  if (!vd_write_all(j->fd, j->text.text, j->text.length)) {
    int error = errno;
    return ftruncate(j->fd, j->end) == 0 ? error : errno; /* removes a partly written line */
  }
  j->cases += j->place[i] == 0;
  j->place[i] = j->end;
  j->end += (int64_t)j->text.length;
  return 0;
}

int vd_journal_sync(vd_journal *j) {
  return fdatasync(j->fd) == 0 ? 0 : errno;
}
