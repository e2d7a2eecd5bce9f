/* Parts that the files of vdsim-validate share: its settings, and its claims with their findings. */
#ifndef VD_VALIDATE_H
#define VD_VALIDATE_H

#include "validation/judge.h"

#include "input/schema.h"

typedef struct vd_validate_settings {
  bool tap, list, strict, quiet, verbose, quick, fail_fast;
  const char *output;      /* file for the table, the list or TAP; NULL or "-": standard output */
  const char *junit, *csv; /* files for JUnit XML and CSV; NULL: not requested */
  const char *report;      /* folder for pages, NULL: not requested */
  const char *filter;      /* pattern for the names of claims; NULL: all claims */
  const char *baselines;   /* folder to write baselines into; NULL: judge the claims */
  const char *against;     /* CSV of another tool to compare with; NULL: files of claims are judged */
  const char *tolerances;  /* file of tolerances for this comparison */
  double scale;            /* factor on all tolerances */
  int jobs;
  vd_setting *set; /* settings of --set, only for --against */
  size_t set_count;
  const char **operand;
  size_t operands;
} vd_validate_settings;

/* Claims and their findings, in the order of files and claims. */
typedef struct vd_validation {
  vd_claims claims;
  vd_finding *finding; /* one for each claim */
  vd_diag *d;          /* keeps the places of messages and the files that were read */
} vd_validation;

/* --- settings (validate_settings.c) --- */

/* Parses the command line. Returns an exit status after a message, help or a list, or -1 to go on. */
int vd_validate_parse(vd_validate_settings *s, int argc, char **argv);

/* --- claims (validate_read.c) --- */

/* Reads the files and folders of the operands, or the comparison of --against, and keeps the claims that the settings
 * select; false after messages. */
bool vd_validate_read(const vd_validate_settings *s, vd_arena *arena, vd_diag *d, vd_claims *out);

/* --- work (validate_work.c) --- */

/* Judges all claims in up to `jobs` processes at a time, or writes their baselines if these were requested. The exit
 * status is about trouble, not about the verdicts. With fail_fast the claims that were not judged are left out. */
int vd_validate_work(const vd_validate_settings *s, vd_validation *v);

/* Runs the cases of a study, as a vd_case_runner; context: the settings. */
bool vd_validate_cases(const void *context, const struct vd_study *study, vd_buf *line);

/* Whether the baselines may be written into the folder; false after a message. */
bool vd_validate_may_write_baselines(const vd_validate_settings *s, const vd_validation *v);

/* --- reports (validate_report.c) --- */

typedef struct vd_validate_counts {
  size_t of[VD_SURPRISE + 1]; /* enum vd_finding_verdict */
} vd_validate_counts;

vd_validate_counts vd_validate_count(const vd_validation *v);

/* Returns the index after the last case of the statement whose first claim is `from`. */
size_t vd_validate_statement_end(const vd_validation *v, size_t from);

/* Writes a table for readers: every claim, or with `quiet` only those that fail; with `verbose` the figures, too. */
void vd_validate_table(const vd_validation *v, const vd_validate_settings *s, bool colour, FILE *to);
void vd_validate_list(const vd_validation *v, vd_buf *out);

void vd_validate_tap(const vd_validation *v, vd_buf *out);
void vd_validate_junit(const vd_validation *v, vd_buf *out);
void vd_validate_json(const vd_validation *v, vd_buf *out);
void vd_validate_csv(const vd_validation *v, vd_buf *out);

/* --- pages (validate_html.c) --- */

/* Makes the folder and checks that its pages may be written; false after a message. To be called before the work, which
 * can take long. */
bool vd_validate_html_prepare(const vd_validation *v, const vd_validate_settings *s);
/* Writes index.html and a page for each file of claims; false after a message. */
bool vd_validate_html(const vd_validation *v, const vd_validate_settings *s);

#endif
