/* The journal of a study: the lines of its table in the order in which they were computed, each with its time.
 *
 * It is a text file. The first two lines say to which study it belongs and which columns it has, with a hash of both:
 * where they have been changed it is no journal. After that every line holds one case: number, seconds, a hash of the
 * rest, and the case's line of the table. A line that was cut off or damaged when the machine stopped does not count; a
 * case that stands in it twice counts as it stands last. */
#ifndef VD_JOURNAL_H
#define VD_JOURNAL_H

#include "input/table.h"

#include <stdint.h>

typedef struct vd_journal vd_journal;

/* The study; and the part of it that is computed here: cases shard, shard + shards ... */
typedef struct vd_journal_head {
  uint64_t hash;
  size_t count;
  size_t shard, shards; /* 0 <= shard < shards */
} vd_journal_head;

/* A new journal, in place of an older one. columns: the first line of the table, with its end. NULL with errno set:
 * EBUSY: another process adds to it. */
vd_journal *vd_journal_create(const char *path, const vd_journal_head *head, const char *columns);
/* One that is there, to go on with it or, if read_only, to read it. NULL with errno set: EINVAL: it is none;
 * EBUSY: another process adds to it. */
vd_journal *vd_journal_open(const char *path, bool read_only);
void vd_journal_close(vd_journal *j); /* accepts NULL */

const vd_journal_head *vd_journal_head_of(const vd_journal *j);
const char *vd_journal_columns(const vd_journal *j);
/* Whether it holds a case. */
bool vd_journal_has(const vd_journal *j, size_t i);
/* Number of cases in it. */
size_t vd_journal_cases(const vd_journal *j);
/* A case's line of the table with its end, and its time; an errno. */
int vd_journal_line(vd_journal *j, size_t i, vd_buf *line, double *seconds);
/* Whether the status of a case that it holds is one that a further attempt may change: neither ok nor excluded nor a
 * search without an answer. */
bool vd_journal_failed(vd_journal *j, size_t i);

/* Adds a case; an errno. line: with its end. */
int vd_journal_add(vd_journal *j, size_t i, double seconds, const char *line);
/* Waits until all that was added is on the disk; an errno. */
int vd_journal_sync(vd_journal *j);

#endif
