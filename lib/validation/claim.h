/* Claims: statements of a validation file about the models, as data that were checked when they were read. See
 * vdsim-validation(5). */
#ifndef VD_CLAIM_H
#define VD_CLAIM_H

#include "input/expression.h"
#include "run/kind.h"
#include "input/quantity.h"
#include "run/scenario.h"
#include "input/table.h"
#include "validation/claim_boundary.h"
#include "validation/claim_table.h"

struct vd_setting;

/* True if a text is given; a text that was left out is empty. */
static inline bool vd_is_given(const char *text) {
  return text && *text != '\0';
}

enum vd_claim_kind {
  VD_CLAIM_VALUE,    /* a figure of a run equals the expected value */
  VD_CLAIM_BOUND,    /* a figure lies above, below or between bounds */
  VD_CLAIM_FORMULA,  /* a formula alone equals a published number */
  VD_CLAIM_MIRROR,   /* the mirrored scenario gives the mirrored motion */
  VD_CLAIM_ORDER,    /* order of convergence, from runs with three steps */
  VD_CLAIM_ENERGY,   /* the power ledger closes; energy never increases */
  VD_CLAIM_AGREE,    /* two runs agree */
  VD_CLAIM_TABLE,    /* the rows of a reference's table are reproduced */
  VD_CLAIM_REFUSED,  /* a bad input is refused with given words */
  VD_CLAIM_BOUNDARY, /* a reference's curve lies inside the run's boundaries */
  VD_CLAIM_BASELINE, /* nothing has changed since the baseline was written */
  VD_CLAIM_KINDS,
};

extern const char *const vd_claim_kind_names[];

/* The basis of the expected value; vdsim-validation(5) explains the words. */
enum vd_evidence {
  VD_EVIDENCE_NOT_GIVEN,
  VD_EVIDENCE_MEASUREMENT,
  VD_EVIDENCE_PROGRAM,
  VD_EVIDENCE_THEORY,
  VD_EVIDENCE_LAW,
  VD_EVIDENCE_STANDARD,
  VD_EVIDENCE_TEXTBOOK,
  VD_EVIDENCE_LEVELS,
  VD_EVIDENCE_DEFINITION,
  VD_EVIDENCE_BASELINE,
  VD_EVIDENCES,
};

extern const char *const vd_evidence_names[];

/* Figure that is computed from a channel's time history. */
enum vd_claim_of {
  VD_OF_FINAL,
  VD_OF_FIRST,
  VD_OF_MAXIMUM,
  VD_OF_MINIMUM,
  VD_OF_MEAN,
  VD_OF_PEAK, /* greatest magnitude */
  VD_OF_RMS,
  VD_OF_GAIN,  /* gain of the scenario's frequency response at a frequency */
  VD_OF_PHASE, /* rad, phase at a frequency */
  VD_OF_COHERENCE,
  VD_OFS,
};

static inline bool vd_is_of_response(int of) {
  return of == VD_OF_GAIN || of == VD_OF_PHASE || of == VD_OF_COHERENCE;
}

extern const char *const vd_claim_of_names[];

/* A number with a unit, or a formula. */
typedef struct vd_expect_def {
  const char *value;   /* empty: none */
  const char *formula; /* empty: none */
} vd_expect_def;

/* Allowed change of channels or metrics from their baseline. */
typedef struct vd_baseline_tolerance_def {
  const char *name; /* or a pattern */
  vd_names tolerance;
} vd_baseline_tolerance_def;

typedef struct vd_claim_def {
  const char *claim, *source;
  int evidence; /* enum vd_evidence */
  int verified; /* 0 yes: the expected value was read in the primary text; 1 no */
  int kind;     /* enum vd_claim_kind */
  int quick;    /* 0 no, 1 yes: the claim is judged by --quick */
  const char *known_failure;
  vd_names each;
  vd_names where;
  /* members of several kinds; empty in the other kinds */
  const char *scenario, *suspension, *table;
  vd_names set;
  const char *metric, *channel, *goal;
  int of;          /* enum vd_claim_of */
  double from, to; /* s */
  const char *frequency;
  vd_expect_def expect, above, below;
  vd_names tolerance;
  /* members of one kind, or of two kinds that the same code judges */
  union {
    struct {
      const char *formula;
    } formula;
    struct {
      const char *against;
      vd_names against_set, channels;
    } two; /* mirror, agree */
    struct {
      double step; /* s, greatest of three steps */
    } order;
    struct {
      bool never_rises;
    } energy;
    vd_claim_table_def table;
    struct {
      const char *words;
    } refused;
    struct {
      vd_structs curves; /* vd_claim_curve_def */
    } boundary;
    struct {
      const char *path;
      vd_structs tolerances; /* vd_baseline_tolerance_def */
    } baseline;
  } as;
} vd_claim_def;

typedef struct vd_validation_def {
  const char *title, *source, *scenario;
  int evidence; /* enum vd_evidence, for claims without their own */
  vd_names set, numbers, where;
  vd_structs claims; /* vd_claim_def */
} vd_validation_def;

/* Tolerances for comparing a run with a file of another tool, without claims. */
typedef struct vd_tolerances_def {
  const char *source;
  int verified;      /* as in a claim */
  double from, to;   /* s */
  vd_structs curves; /* vd_claim_curve_def */
} vd_tolerances_def;

extern const struct vd_schema vd_validation_schema, vd_claim_schema, vd_tolerances_schema;

/* --- a file that was read: names are resolved, and each value of `each` makes one item --- */

enum { VD_CLAIM_CHANNELS = VD_CHANNELS };

/* The run or the suspension of a claim. */
typedef struct vd_claim_run {
  enum vd_kind kind;
  const char *scenario; /* path from the working directory, also of a suspension; empty: none */
  const struct vd_setting *set;
  size_t set_count;
  vd_diag *files; /* receives the files that the run reads; NULL: they are not recorded */
} vd_claim_run;

typedef struct vd_where {
  const char *name;
  const vd_expression *value;
} vd_where;

/* An expected number or formula. given: one of them is given. */
typedef struct vd_expected {
  bool given;
  vd_quantity quantity;
  const vd_expression *formula;
  const char *text; /* as written in the file */
} vd_expected;

typedef struct vd_claim {
  const char *file, *title;   /* path of the file, title of the file */
  const vd_names *file_where; /* definitions of the whole file, as written */
  vd_place place;             /* of the claim's sentence */
  int number;                 /* number of the claim in its file, from 1 */
  int statement;              /* index of its statement; all cases of one `each` are one statement */
  const char *sentence;       /* the statement as written, with $each */
  const char *each;           /* value of `each` of this case; NULL: there is only one case */
  /* "chrono/sedan/3": path of the file relative to the folder on the command line, and number */
  const char *name;
  const vd_claim_def *def;
  const char *source; /* source of the claim or of the file */
  int evidence;       /* evidence of the claim or of the file; VD_EVIDENCE_NOT_GIVEN: a comparison without claims */
  vd_claim_run run, against;
  const vd_channel *channel; /* channel in the kind's table, or NULL */
  double frequency;          /* Hz; NAN: not given */
  vd_tolerance tolerance;
  vd_expected expect, above, below; /* some kinds have none of these */
  const vd_where *where;            /* definitions, in order; each may use the definitions before it */
  size_t where_count;
  union {
    struct {
      const vd_expression *formula;
    } formula;
    vd_claim_table table;
    vd_claim_boundary boundary;
    struct {
      vd_cells log, metrics;
      const char *provenance;        /* text; empty: none */
      bool is_log;                   /* the baseline is a log of vdsim-run, with any rows and columns */
      const vd_node *input;          /* the resolved scenario beside the baseline, or NULL */
      const vd_tolerance *tolerance; /* one for each tolerance of the definition */
    } baseline;
  } as; /* by def->kind */
  /* data that its runs must record */
  bool channels[VD_CLAIM_CHANNELS]; /* channels of the kind's table */
  unsigned sets;                    /* 1u << index into vd_metric_sets */
  bool metrics;                     /* metrics of its run are read */
  bool search;                      /* the value that the scenario's search finds is read */
} vd_claim;

typedef struct vd_claims {
  vd_claim *claim;
  size_t count, capacity;
} vd_claims;

/* True if two claims are cases of one statement. */
static inline bool vd_claim_same_statement(const vd_claim *a, const vd_claim *b) {
  return a->file == b->file && a->statement == b->statement;
}

/* Functions that formulas can call by name, without values: cornering_stiffness, slip_stiffness, trail. */
extern const vd_expression_world vd_claim_functions;

/* Reads a validation file and adds its claims; false after errors, which are all in d. name: replaces the path of the
 * file in the names of its claims. no_baselines: the files of baselines are not read and need not exist. */
bool vd_claims_read(const char *path, const char *name, bool no_baselines, vd_arena *arena, vd_diag *d, vd_claims *out);

/* Reads claims from a registered source. The name of the source gives the folder for file names, and is the first part
 * of the names of its claims. */
bool vd_claims_read_source(int source, bool no_baselines, vd_arena *arena, vd_diag *d, vd_claims *out);

/* Makes one claim for each curve of a reference's table: the curve lies within the tolerances of a file around the
 * run's curve. */
bool vd_claims_against(const char *table, const char *scenario, const struct vd_setting *set, size_t set_count,
                       const char *tolerances, vd_arena *arena, vd_diag *d, vd_claims *out);

#endif
