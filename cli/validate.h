/* Parts that the files of vdsim-validate share: its settings, and its claims with their findings. */
#ifndef VD_VALIDATE_H
#define VD_VALIDATE_H

#include "validation/judge.h"

#include "input/schema.h"

typedef struct vd_validate_settings {
  bool tap, list, strict, quiet, verbose, quick, fail_fast;
  const char *output;      /* table, list or TAP; NULL or "-": standard output */
  const char *junit, *csv; /* NULL: not requested */
  const char *report;      /* folder for pages, NULL: not requested */
  const char *filter;      /* NULL: all */
  const char *baselines;   /* folder to write baselines into; NULL: judge */
  const char *against;     /* CSV of another tool; NULL: files of claims */
  const char *tolerances;  /* for it */
  double scale;            /* factor on all tolerances */
  int jobs;
  vd_setting *set; /* with against */
  size_t set_count;
  const char **operand;
  size_t operands;
} vd_validate_settings;

/* Claims and their findings, in the order of files and claims. */
typedef struct vd_validation {
  vd_claims claims;
  vd_finding *finding; /* one for each claim */
  vd_diag *d;          /* for places, and the files read */
} vd_validation;

/* --- settings (validate_settings.c) --- */

/* Exit status after a message, help or a list, or -1 to go on. */
int vd_validate_parse(vd_validate_settings *s, int argc, char **argv);

/* --- claims (validate_read.c) --- */

/* Reads the files and folders of the operands, or the comparison of --against, and keeps the claims that the settings
 * select; false after messages. */
bool vd_validate_read(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out);

/* --- work (validate_work.c) --- */

/* Judges all claims, `jobs` processes at a time; with baselines writes them instead. The exit status tells of trouble,
 * not of the verdicts. With fail_fast claims that were not judged are left out. */
int vd_validate_work(const vd_validate_settings *s, vd_validation *v);

/* A vd_case_runner, whose context are the settings: `jobs` processes at a time. */
bool vd_validate_cases(const void *context, const struct vd_study *study, vd_buf *line);

/* Whether the baselines may be written into the folder; false after a message. */
bool vd_validate_may_write_baselines(const vd_validate_settings *s, const vd_validation *v);

/* --- reports (validate_report.c) --- */

typedef struct vd_validate_counts {
  size_t of[VD_SURPRISE + 1]; /* enum vd_finding_verdict */
} vd_validate_counts;

vd_validate_counts vd_validate_count(const vd_validation *v);

/* Index behind the last case of the statement whose first claim is `from`. */
size_t vd_validate_statement_end(const vd_validation *v, size_t from);

/* Writes a table for readers: every claim, or with `quiet` only failures; figures with `verbose`. */
void vd_validate_table(const vd_validation *v, const vd_validate_settings *s, bool colour, FILE *to);
void vd_validate_list(const vd_validation *v, vd_buf *out);

void vd_validate_tap(const vd_validation *v, vd_buf *out);
void vd_validate_junit(const vd_validation *v, vd_buf *out);
void vd_validate_json(const vd_validation *v, vd_buf *out);
void vd_validate_csv(const vd_validation *v, vd_buf *out);

/* --- pages (validate_html.c) --- */

/* Makes the folder and checks that its pages may be written; false after a message. Called before the work, which can
 * take long. */
bool vd_validate_html_prepare(const vd_validation *v, const vd_validate_settings *s);
/* index.html and a page for each file of claims; false after a message. */
bool vd_validate_html(const vd_validation *v, const vd_validate_settings *s);

#endif
