/* What came of a claim: plain data, to be printed, kept in a file between processes, or drawn. */
#ifndef VD_FINDING_H
#define VD_FINDING_H

#include "performed.h"

enum vd_finding_verdict {
  VD_HOLDS,
  VD_FAILS,
  VD_KNOWN,    /* fails, and that is known */
  VD_SURPRISE, /* holds, although it is known to fail */
};

/* Points for a picture. */
typedef struct vd_finding_series {
  char name[48], x_unit[16], y_unit[16];
  size_t count;
  double *x, *y;
} vd_finding_series;

enum { VD_FINDING_SERIES = 8 };

typedef struct vd_finding {
  enum vd_finding_verdict verdict;
  bool evaluated;  /* else `reason` says why not, and it fails */
  bool exact;      /* only one of the next two, or words, are compared: no tolerance to speak of */
  double expected; /* NAN: none. All in `unit` */
  double got;
  double deviation; /* of bounds: how far beyond, < 0 within */
  double allowed;
  char unit[24];
  char quantity[96]; /* what was compared, and where */
  char reason[320];
  size_t series_count;
  vd_finding_series series[VD_FINDING_SERIES];
} vd_finding;

/* What all claims of a run share. */
typedef struct vd_judging {
  double scale;     /* of all tolerances */
  bool keep_series; /* for pictures */
  /* Tables of what is no vehicle's run (baselines): false if there is none; *level: what the scenario is about, VD_LEVEL_TYRE_RIG and the
   * like, or 0. out NULL: only to ask. NULL: there are no others. */
  bool (*other)(const vd_claim_run *run, vd_arena *arena, vd_diag *d, vd_cells *out, int *level);
} vd_judging;

/* Claims that share a run are judged together: `count` of them, which stand at claims[index[i]]; one finding for each. */
void vd_judge(const vd_claims *claims, const size_t *index, size_t count, const vd_judging *how, vd_finding *out);

/* Whether two claims may share a run. */
bool vd_claims_share(const vd_claim *a, const vd_claim *b);

void vd_finding_finish(vd_finding *f);

/* To a file and back; false on an error or a short file. */
bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count);
bool vd_findings_load(FILE *f, vd_finding *finding, size_t count);

/* Deviation in multiples of what is allowed; INFINITY if nothing is; NAN without figures. */
double vd_finding_share(const vd_finding *f);

/* --- parts, each in a file of its own --- */

/* One claim at work. */
typedef struct vd_case {
  const vd_claim *claim;
  const vd_judging *how;
  vd_finding *out;
} vd_case;

/* The claim cannot be evaluated; always false. */
bool vd_case_refuse(const vd_case *c, const char *format, ...) VD_PRINTF(2, 3);
/* Judges a deviation that is allowed up to a tolerance, in `unit`; the worse one stays if one was judged before. */
void vd_case_compare(const vd_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity);

/* y over x, thinned to what a picture shows; nothing unless pictures are wanted. */
void vd_case_series(const vd_case *c, const char *name, const char *x_unit, const char *y_unit, const double *x,
                    const double *y, size_t count);

void vd_judge_figure(const vd_case *c, const vd_performed *run);
void vd_judge_order(const vd_case *c);
void vd_judge_agreement(const vd_case *c, const vd_performed *a, const vd_performed *b);
void vd_judge_table(const vd_case *c);
void vd_judge_refusal(const vd_case *c);
void vd_judge_boundary(const vd_case *c, const vd_performed *run);
void vd_judge_baseline(const vd_case *c, const vd_performed *run);

/* --- baselines --- */

/* Which channels a baseline holds at a level, by their indices in the table; returns how many. */
size_t vd_baseline_channels(int level, size_t *index, size_t size);
/* Its rows: evenly spaced steps of a run, the last included. */
size_t vd_baseline_rows(size_t steps, size_t *row, size_t size);
/* Writes log and metrics of the run as a baseline: NAME.csv, NAME.metrics.csv, NAME.provenance.yaml. False after a message. */
bool vd_baseline_write(const vd_claim *claim, const char *csv, const vd_judging *how, char *why, size_t size);

#endif
