/* Findings on a claim: plain data, to be printed, kept in a file between processes, or drawn. */
#ifndef VD_FINDING_H
#define VD_FINDING_H

#include "validation/performed.h"
#include "validation/picture.h"

enum vd_finding_verdict {
  VD_HOLDS,
  VD_FAILS,
  VD_KNOWN,    /* fails, and that is known */
  VD_SURPRISE, /* holds, although it is known to fail */
};

enum { VD_FINDING_PICTURES = 4 };

typedef struct vd_finding {
  enum vd_finding_verdict verdict;
  bool evaluated;  /* else `reason` says why not, and it fails */
  bool exact;      /* only one of the next two, or words, are compared: no tolerance to speak of */
  double expected; /* NAN: none. All in `unit` */
  double got;
  double deviation; /* how far beyond bounds, < 0 within */
  double allowed;
  char unit[24];
  char quantity[96]; /* what was compared, and where */
  char reason[640];
  size_t compared; /* how many pictures there could be */
  size_t picture_count;
  vd_picture picture[VD_FINDING_PICTURES];
} vd_finding;

/* Options that all claims of a run share. */
typedef struct vd_judging {
  double scale;         /* factor of all tolerances */
  bool pictures;        /* points for them are kept */
  vd_case_runner cases; /* runs the cases of studies */
} vd_judging;

void vd_finding_finish(vd_finding *f);

/* Saves to a file and loads back; false on an error, or if the file is short or cannot be one of these: then there is
 * nothing to finish. */
bool vd_findings_save(FILE *f, const vd_finding *finding, size_t count);
bool vd_findings_load(FILE *f, vd_finding *finding, size_t count);

/* Deviation in multiples of what is allowed; INFINITY if nothing is; NAN without figures. */
double vd_finding_share(const vd_finding *f);

/* One claim at work. */
typedef struct vd_claim_case {
  const vd_claim *claim;
  const vd_judging *how;
  vd_finding *out;
} vd_claim_case;

/* The claim cannot be evaluated; always false. */
bool vd_case_refuse(const vd_claim_case *c, const char *format, ...) VD_PRINTF(2, 3);
/* Because a run failed: `what`, and the first line of why. */
void vd_case_report_failure(const vd_claim_case *c, const char *what, const vd_performed *run);
/* Judges a deviation that is allowed up to a tolerance, in `unit`; the worse one stays if one was judged before. */
void vd_case_compare(const vd_claim_case *c, double expected, double got, double allowed, const char *unit,
                     const char *quantity);

/* --- pictures (claim_picture.c) --- */

/* A new picture, NULL if none is wanted. There is room for a few: the pictures stay that use up the greatest share of
 * their tolerance. It is valid until the next one is asked for. */
vd_picture *vd_case_picture(const vd_claim_case *c, const char *title, const char *x_name, const char *x_unit,
                            const char *y_unit, double share);

/* Name of a run: its settings, if these are short, or `otherwise`. */
const char *vd_picture_label(const vd_names *set, const char *otherwise, char *text, size_t size);

/* Index of a channel of this name, which the kind has. */
size_t vd_channel_called(enum vd_kind kind, const char *name);

/* The channels that show what a claim is about; returns how many. */
size_t vd_picture_channels(const vd_claim *c, size_t index[2]);

#endif
