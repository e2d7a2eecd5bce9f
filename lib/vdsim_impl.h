/* Declarations that the files of the library's public functions share: the structs behind the handles of vdsim.h. */
#ifndef VDSIM_IMPL_H
#define VDSIM_IMPL_H

#include "input/schema.h"
#include "run/instance.h"
#include "run/kind.h"
#include "run/run.h"
#include "vdsim.h"

#include <stdatomic.h>
#include <stdint.h>

struct vd_case {
  atomic_int users; /* number of users: the caller and the runs */
  vd_arena *arena;
  vd_diag *diag;
  int source;      /* index of the input in `diag`; -1: the input could not be read */
  vd_setting *set; /* [set_count] */
  size_t set_count;
  enum vd_kind kind;
  vd_scenario_def *def; /* NULL, unless the case has no errors and is of a vehicle */
  void *other;          /* vd_subject or vd_study that vd_case_read_other has read; NULL: none */
  bool good;
  vd_buf messages, resolved;
  const vd_channel **channel; /* channels of the level */
  bool *logged;
  size_t channels;
  uint64_t identity; /* hash of the resolved scenario and the version */
};

struct vd_run {
  vd_case *of;
  vd_instance instance;
  vd_row row;
  bool fresh; /* `row` is the row of the present instant */
  vd_recorder recorder;
  /* rows within the step that follows the last instant of the grid; if the step is computed again, they are dropped */
  vd_sim_rows between;
  int before_cut;
  vd_metrics *metrics; /* metrics of the last call of vd_figures */
  char failure[240];
};

/* An input to be loaded: a file, or a text. */
typedef struct vd_loading {
  const char *path, *text, *name; /* either path or text is set */
  size_t length;
  const vd_setting *set; /* copied, with their texts */
  size_t count;
  vd_case *c; /* the result */
} vd_loading;

/* Loads a case, as vd_load_file does. */
vd_status vd_case_load(vd_loading *l, vd_case **out);

/* Reads an input that is not a vehicle's scenario into c->other and c->resolved. Returns false after errors, which are
 * in c->diag. */
bool vd_case_read_other(vd_case *c);

/* Computes the part of a step before the present instant again, after a state was restored. */
void vd_run_recut(vd_run *run);

/* Returns a checksum of a saved state. seed: the checksum of the bytes before, or 0. */
uint64_t vd_state_hash(uint64_t seed, const void *bytes, size_t length);

#endif
