/* The Magic Formula of a property file (mf.h) as one of the tyre models; see mf_tyre.c. */
#ifndef VD_MF_TYRE_H
#define VD_MF_TYRE_H

#include "tyre/mf.h"
#include "tyre/tyre_model.h"

/* What becomes of the file's ranges. */
enum vd_mf_limits { VD_MF_HOLD, VD_MF_IGNORE };

/* What a tyre file says of it. */
typedef struct vd_mf_tyre_def {
  const char *file;       /* .tir; once it is read, its text is in `properties` and `file` is empty */
  const char *properties; /* text of a .tir */
  int combined;           /* enum vd_mf_combined */
  int turn_slip;          /* enum vd_mf_turn_slip */
  int limits;             /* enum vd_mf_limits */
  double pressure;        /* Pa; auto: the file's */
  int side;               /* 0 auto: TYRESIDE; else 1 + enum vd_mf_side */
  /* by vd_mf_tyre_complete */
  const char *origin;       /* the file or the text that was given */
  const char *kept;         /* of it, what is not used (vd_tir_keep) */
  const vd_mf_def *figures; /* what it says, in the arena; NULL: it could not be read */
} vd_mf_tyre_def;

/* The tyres of a group side by side. */
typedef struct vd_mf_row {
  vd_mf_four four;
  double friction[VD_WHEELS], pressure[VD_WHEELS], radius[VD_WHEELS];
} vd_mf_row;

/* What their slips leave for their forces. */
typedef struct vd_mf_slide {
  vd_mf_contact contact; /* friction: from the first pass on */
  vd_mf_path path;       /* with turn slip */
  vd_wide turning;       /* +-1, changing smoothly between: the direction in which the wheels turn */
  bool rolls;            /* turning is known */
  vd_mf_slip slip;
  bool begun;      /* slip and friction are known */
  vd_mf_last last; /* of the last pass */
} vd_mf_slide;

extern const vd_tyre_traits vd_mf_tyre_traits;

void vd_mf_tyre_build(const vd_mf_tyre_def *def, bool right, vd_tyre *tyre);
void vd_mf_tyre_pack(const vd_tyre_group *group, vd_mf_row *row);
void vd_mf_tyre_slide(const vd_mf_row *row, const vd_tyre_group *group, const vd_contact *contact, vd_mf_slide *slide);
void vd_mf_tyre_force(const vd_mf_row *row, const vd_tyre_group *group, vd_mf_slide *slide,
                      const double *ground_friction, const double *load, vd_tyre_forces *out);
/* To loads near those of the last pass. */
void vd_mf_tyre_move(const vd_mf_row *row, const vd_tyre_group *group, vd_mf_slide *slide, const double *load);
/* After other forces have taken the place of the steady ones in out. */
void vd_mf_tyre_follow(const vd_mf_row *row, const vd_tyre_group *group, vd_mf_slide *slide, vd_tyre_forces *out);
/* each: NULL without bristles */
void vd_mf_tyre_moments(const vd_mf_row *row, const vd_tyre_group *group, const vd_slide *each,
                        const vd_mf_slide *slide, const double *fy, double *mz);
void vd_mf_tyre_stiffness(const vd_tyre *tyre, double ground_friction, double load, double *slip, double *cornering);
double vd_mf_tyre_grip(const vd_tyre *tyre, double ground_friction, double load);
void vd_mf_tyre_stiffest(const vd_tyre *tyre, double ground_friction, double most, double *slip, double *cornering);
void vd_mf_tyre_twisted(const vd_tyre *tyre, double ground_friction, double load, vd_tyre_twist *twist);
/* Spin over the speed of the contact point, 1/m. */
double vd_mf_tyre_rolling(const vd_tyre *tyre, const vd_tyre_question *q);
void vd_mf_tyre_relaxation(const vd_tyre *tyre, double load, double camber, double *longitudinal, double *lateral);
void vd_mf_tyre_peaks(const vd_tyre *tyre, double ground_friction, double load, double *mu, double *kappa,
                      double *alpha);
/* Rolling and loaded radius, under the forces that the answer holds already. */
void vd_mf_tyre_radii(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);
/* The other members of the answer that belong to one state of motion. */
void vd_mf_tyre_figures(const vd_tyre *tyre, const vd_tyre_question *q, vd_tyre_answer *a);

#endif
