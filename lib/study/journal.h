/* The journal of a study: the lines of its table in the order in which they were computed, each with its computing
 * time.
 *
 * It is a text file. The first two lines contain the study and the columns, with a hash of both. If the hash does not
 * match, the file is not a journal. Each further line contains one case: its number, its time in seconds, a hash, and
 * the case's line of the table. A line that was cut off or damaged when the machine stopped is ignored; if a case has
 * two lines, the last one is valid. */
#ifndef VD_JOURNAL_H
#define VD_JOURNAL_H

#include "input/table.h"

#include <stdint.h>

typedef struct vd_journal vd_journal;

/* The study, and its shard in this journal: the cases shard, shard + shards, shard + 2 shards, ... */
typedef struct vd_journal_head {
  uint64_t hash;
  size_t count;
  size_t shard, shards; /* 0 <= shard < shards */
} vd_journal_head;

/* Creates a journal, which replaces an older one. columns: the first line of the table, with its end. NULL with errno
 * set: EBUSY: another process adds to the journal. */
vd_journal *vd_journal_create(const char *path, const vd_journal_head *head, const char *columns);
/* Opens an existing journal to continue it or, if read_only, to read it. NULL with errno set: EINVAL: the file is no
 * journal; EBUSY: another process adds to it. */
vd_journal *vd_journal_open(const char *path, bool read_only);
void vd_journal_close(vd_journal *j); /* accepts NULL */

const vd_journal_head *vd_journal_head_of(const vd_journal *j);
const char *vd_journal_columns(const vd_journal *j);
/* True if the journal contains a case. */
bool vd_journal_has(const vd_journal *j, size_t i);
/* Returns the number of cases in the journal. */
size_t vd_journal_cases(const vd_journal *j);
/* Reads a case's line of the table with its end, and its time; returns an errno. */
int vd_journal_line(vd_journal *j, size_t i, vd_buf *line, double *seconds);
/* True if a further attempt may change the status of a case: the status is neither ok nor excluded, and the case is not
 * a search without an answer. */
bool vd_journal_failed(vd_journal *j, size_t i);

/* Adds a case; returns an errno. line: its line of the table with the line end. */
int vd_journal_add(vd_journal *j, size_t i, double seconds, const char *line);
/* Waits until all additions are on the disk; returns an errno. */
int vd_journal_sync(vd_journal *j);

#endif
