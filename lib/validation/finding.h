/* Findings about a claim: plain data, which can be printed, exchanged between processes by a file, or drawn. */
#ifndef VD_FINDING_H
#define VD_FINDING_H

#include "validation/performed.h"
#include "validation/picture.h"

enum vd_finding_verdict {
  VD_HOLDS,
  VD_FAILS,
  VD_KNOWN,    /* the claim fails, which is known */
  VD_SURPRISE, /* the claim holds, although it is a known failure */
};

enum { VD_FINDING_PICTURES = 4 };

typedef struct vd_finding {
  enum vd_finding_verdict verdict;
  bool evaluated;  /* the claim was evaluated; otherwise it fails, and `reason` states why */
  bool exact;      /* bounds or words are compared, without a tolerance */
  double expected; /* NAN: there is no expected value. All numbers are in `unit` */
  double got;
  double deviation; /* for bounds: distance beyond a bound; < 0: within the bounds */
  double allowed;
  char unit[24];
  char quantity[96]; /* the compared quantity, and its place */
  char reason[640];
  size_t compared; /* number of pictures that could be drawn */
  size_t picture_count;
  vd_picture picture[VD_FINDING_PICTURES];
} vd_finding;

/* Options for all claims of a run of the program. */
typedef struct vd_judging {
  double scale;         /* factor on all tolerances */
  bool pictures;        /* points for pictures are kept */
  vd_case_runner cases; /* runs the cases of studies */
} vd_judging;

void vd_finding_finish(vd_finding *f);

/* Save findings to a file and load them. False after an error, or if the file is too short or contains other data; no
 * finding must then be freed. */
bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count);
bool vd_findings_load(FILE *f, vd_finding *finding, size_t count);

/* Returns the deviation in multiples of the allowed deviation; INFINITY if no deviation is allowed; NAN without
 * figures. */
double vd_finding_share(const vd_finding *f);

/* A claim that is being judged. */
typedef struct vd_claim_case {
  const vd_claim *claim;
  const vd_judging *how;
  vd_finding *out;
} vd_claim_case;

/* Records that the claim cannot be evaluated; returns false. */
bool vd_case_refuse(const vd_claim_case *c, const char *format, ...) VD_PRINTF(2, 3);
/* Records that the claim cannot be evaluated because a run failed; the reason is `what' and the first line of the run's
 * reason. */
void vd_case_report_failure(const vd_claim_case *c, const char *what, const vd_performed *run);
/* Compares the deviation of `got' from `expected' with the allowed one, in `unit'. If a deviation was compared before,
 * the worse one is kept. */
void vd_case_compare(const vd_claim_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity);

/* --- pictures (claim_picture.c) --- */

/* Returns a new picture; NULL if no pictures are kept. Only the first picture and the pictures with the greatest shares
 * of their tolerances are kept. The result is valid until the next call. */
vd_picture *vd_case_picture(const vd_claim_case *c, const char *title, const char *x_name, const char *x_unit,
                            const char *y_unit, double share);

/* Returns the name of a run: its settings if these are short, or `otherwise` if they are long. */
const char *vd_picture_label(const vd_names *set, const char *otherwise, char *text, size_t size);

/* Returns the index of a channel with this name, which the kind must have. */
size_t vd_channel_called(enum vd_kind kind, const char *name);

/* Finds the channels that show the subject of a claim; returns their number. */
size_t vd_picture_channels(const vd_claim *c, size_t index[2]);

#endif
