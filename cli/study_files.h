/* The files that a study writes: the journal while it runs, then the table and the files beside it. Fits of runs have a
 * journal, too. */
#ifndef VD_STUDY_FILES_H
#define VD_STUDY_FILES_H

#include "job.h"

#include "study/journal.h"
#include "study/summary.h"

enum { VD_STUDY_PATH = 1100 };

typedef struct vd_study_files {
  const char *scenario; /* name of the scenario as it was given */
  const char *what;     /* name of the kind of the scenario */
  char base[1000];      /* DIR/STEM */
  char journal[VD_STUDY_PATH], times[VD_STUDY_PATH], histories[VD_STUDY_PATH];
} vd_study_files;

/* Makes the names; false after a message. */
bool vd_study_files_of(const vd_settings *s, const char *scenario, const char *what, vd_study_files *f);
/* Makes the file name of a case's time history. */
void vd_study_history(const vd_study_files *f, size_t i, bool incomplete, char path[VD_STUDY_PATH]);

/* Creates a journal, or with `resume` opens the existing one. Returns NULL after a message if there is already a
 * journal, or if it belongs to other inputs. */
vd_journal *vd_study_journal(const vd_study_files *f, const vd_journal_head *head, const char *columns, bool resume);

/* Writes the table of the cases in the journal, in their order, with its resolved file and provenance, and a file with
 * the computing times. If the journal has all cases, writes the figures of the study, too. Returns an exit status.
 * study NULL: the study was not read. */
int vd_study_table(const vd_study_files *f, vd_journal *j, const vd_study *study, const vd_buf *resolved,
                   const vd_settings *s);

/* Writes the figures of a complete study as metrics. */
void vd_study_write_summary(vd_summary *summary, enum vd_digits digits, vd_output *o);

#endif
