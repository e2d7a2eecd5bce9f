/* Trials of a search: the scenario with the key at one value, read and run. */
#ifndef VD_TRIAL_H
#define VD_TRIAL_H

#include "run/scenario.h"

/* A scenario that is read several times: its text, and the settings laid over it. */
typedef struct vd_scenario_text {
  const char *name, *text;
  size_t length;
  const struct vd_setting *set;
  size_t count;
} vd_scenario_text;

/* Reads it with the key of its search at a value, after all settings. False after errors, all in d. */
bool vd_trial_read(const vd_scenario_text *from, const vd_search_def *search, double value, vd_arena *arena, vd_diag *d,
                   vd_scenario_def *def);
/* Reads and runs a trial: sets the trial's value and fills in its results. */
bool vd_trial_run(const vd_scenario_text *from, const vd_search_def *search, vd_diag *d, vd_trial *trial);
/* All trials of its search, one after the other. False if one of them could not be read. s is to be finished. */
bool vd_trial_search(const vd_scenario_text *from, const vd_search_def *def, vd_diag *d, vd_search *s);

#endif
