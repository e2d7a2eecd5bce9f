/* Declarations that the files of a study share. */
#ifndef VD_STUDY_IMPL_H
#define VD_STUDY_IMPL_H

#include "base/cache.h"
#include "run/subject.h"
#include "study/study.h"

struct vd_setting;

typedef struct vd_study_reading {
  vd_study *study;
  vd_diag *d;
  bool history; /* the varied scenario has a time history */
} vd_study_reading;

/* --- base.c: the scenario or suspension that is varied --- */

/* The end of a message about an unknown metric to which no name is similar. */
extern const char vd_study_lacks_metric[];

/* Reads the base without factors: its kind, complete text, metrics. False after errors. */
bool vd_study_read_base(vd_study_reading *r);
/* True if the base can be read with one more setting; the files read are then noted in r->d. If false, *why is the
 * first error, in the arena. */
bool vd_study_try(vd_study_reading *r, const char *key, const char *value, const char **why);

/* Returns the folder to which file names in settings are relative: the folder that a file states, otherwise the folder
 * of the file itself. in_full: *folder_given becomes the full path, which a resolved file needs in any other folder. */
const char *vd_study_folder(const char **folder_given, const char *path, bool in_full, vd_arena *arena);

/* Adds a unit as names of columns contain it: "kg m2" -> "_kgm2", "N/m" -> "_Npm". */
void vd_study_add_unit(const char *unit, vd_buf *out);

/* Returns the hash of the version, a source with its settings, and every file that was read. */
uint64_t vd_study_hash_inputs(int source, const struct vd_setting *settings, size_t count, vd_diag *d);

/* Results of a case. */
typedef struct vd_case_outcome {
  vd_outcome run;
  bool refused; /* nothing was run */
  char status[300];
} vd_case_outcome;
/* The parsed files that a process keeps from case to case. */
typedef struct vd_study_reader {
  vd_arena *arena;
  vd_cache *cache; /* NULL: the cache of the study is used */
  vd_diag *d;
  int source; /* source of the scenario */
  int mark;
} vd_study_reader;
void vd_study_reader_start(const vd_study *study, vd_study_reader *r);
void vd_study_reader_finish(vd_study_reader *r);
/* Reads the scenario with the settings of a case; messages are in r->d. */
bool vd_study_read_case(const vd_study *study, vd_study_reader *r, const struct vd_setting *set, size_t count,
                        bool strict, vd_arena *arena, vd_subject *out);
/* Sets the status of a case that could not be read. */
void vd_study_refuse(const vd_study_reader *r, vd_case_outcome *out);
void vd_study_run(const vd_study *study, vd_study_reader *r, const vd_subject *is, const struct vd_setting *set,
                  size_t count, enum vd_digits digits, vd_output *log, vd_arena *arena, vd_case_outcome *out);

/* Checks a name that a file gives, or that is made from a key. what: the named thing in messages, "a factor". */
void vd_study_check_name(const char *name, const char *what, bool taken, vd_place place, vd_diag *d);
/* True if a name in a formula refers to an item with this own name and these keys. */
bool vd_study_is_called(const char *name, const char *own, const vd_names *keys);
/* Copies the settings of the file to an arena, with memory for `more' settings. */
struct vd_setting *vd_study_settings_of(const vd_study *study, size_t more, vd_arena *arena);

/* --- factor.c: values --- */

bool vd_study_read_factors(vd_study_reading *r);
/* Returns the level of a range or a list for a number u of the design, 0 < u < 1. */
size_t vd_factor_level(const vd_factor *f, double u);
/* Returns the value of a factor for a number u of the design; not for formulas. */
vd_factor_value vd_factor_at(const vd_factor *f, double u, vd_arena *arena);
/* Computes the values of formulas. False, with the reason, if a formula has no value. */
bool vd_study_formulas(const vd_study *study, vd_factor_value *level, vd_arena *arena, char *why, size_t size);
/* True if all constraints hold; metrics may be NULL. unknown: the result for a constraint without value. */
bool vd_study_holds(const vd_study *study, const vd_constraint *all, size_t count, const vd_factor_value *level,
                    const vd_metrics *metrics, bool unknown);
vd_factor_value vd_number_value(double number, vd_arena *arena);
/* Returns a value that is not a number, as its node contains it, with quotes. If the keys take no text, a text that
 * begins like a list or a mapping is read as a list or a mapping. */
vd_factor_value vd_word_value(const vd_study *study, const vd_factor *f, const vd_node *node);
/* Returns the name of a column from a key: "vehicle.front.k_left" -> vehicle_front_k_left. */
const char *vd_name_of_key(const char *key, vd_arena *arena);
/* Reads a number of the scenario without factors; false: the key is not a number. */
bool vd_study_number(const vd_study *study, const char *key, double *value);

/* --- design.c: numbers --- */

bool vd_study_read_design(vd_study_reading *r);
/* Makes the order of the points of a Latin hypercube. */
void vd_design_order(vd_study *study);
typedef struct vd_design_walk vd_design_walk;
vd_design_walk *vd_design_start(const vd_study *study);
void vd_design_finish(vd_design_walk *walk);
/* Returns the numbers of case i, [dimensions], each in [0, 1], for designs that use numbers: random, latin_hypercube,
 * sobol, morris and saltelli; valid until the next call. */
const double *vd_design_numbers(vd_design_walk *walk, size_t i);
/* Computes the values of all factors except formulas. */
void vd_design_levels(vd_design_walk *walk, size_t i, vd_arena *arena, vd_factor_value *level);

#endif
