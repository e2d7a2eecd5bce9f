/* Findings about a claim: plain data, which can be printed, exchanged between processes by a file, or drawn. */
#ifndef VD_FINDING_H
#define VD_FINDING_H

#include "validation/performed.h"
#include "validation/picture.h"

enum vd_finding_verdict {
  VD_HOLDS,
  VD_FAILS,
  VD_KNOWN,    /* fails, which is known */
  VD_SURPRISE, /* holds, although it is known to fail */
};

enum { VD_FINDING_PICTURES = 4 };

typedef struct vd_finding {
  enum vd_finding_verdict verdict;
  bool evaluated;  /* otherwise the claim fails, and `reason` says why it was not evaluated */
  bool exact;      /* bounds or words are compared, without a tolerance */
  double expected; /* NAN: none. All numbers are in `unit` */
  double got;
  double deviation; /* for bounds: distance beyond them, < 0 within */
  double allowed;
  char unit[24];
  char quantity[96]; /* the compared quantity, and its place */
  char reason[640];
  size_t compared; /* number of pictures that would be possible */
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

/* Save findings to a file and load them; false on an error, or if the file is too short or cannot contain findings:
 * then there is nothing to free. */
bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count);
bool vd_findings_load(FILE *f, vd_finding *finding, size_t count);

/* Deviation in multiples of the allowed one; INFINITY if none is allowed; NAN without figures. */
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
/* Judges a deviation by an allowed one, in `unit'; if one was judged before, the worse one is kept. */
void vd_case_compare(const vd_claim_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity);

/* --- pictures (claim_picture.c) --- */

/* A new picture; NULL if none is wanted. Only a few are kept, those with the greatest shares of their tolerances. It is
 * valid until the next call. */
vd_picture *vd_case_picture(const vd_claim_case *c, const char *title, const char *x_name, const char *x_unit,
                            const char *y_unit, double share);

/* Name of a run: its settings if these are short, else `otherwise`. */
const char *vd_picture_label(const vd_names *set, const char *otherwise, char *text, size_t size);

/* Index of a channel with this name, which the kind must have. */
size_t vd_channel_called(enum vd_kind kind, const char *name);

/* Finds the channels that show the subject of a claim; returns their number. */
size_t vd_picture_channels(const vd_claim *c, size_t index[2]);

#endif
