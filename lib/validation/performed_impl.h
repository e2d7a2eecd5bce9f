/* Shared by performed.c, performed_part.c and perform.c. */
#ifndef VD_PERFORMED_IMPL_H
#define VD_PERFORMED_IMPL_H

#include "validation/performed.h"

/* More memory for numbers. */
double *vd_performed_grown(double *memory, size_t count);

/* KEY=VALUE, in the arena. */
const char *vd_performed_number(vd_arena *arena, const char *key, double value);

/* Keeps the complete input, and finishes the text. */
void vd_performed_resolve(vd_performed *p, vd_buf *text);

/* --- what is no vehicle (performed_part.c) --- */

bool vd_perform_rig(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
bool vd_perform_fit(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
bool vd_perform_run_fit(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
bool vd_perform_study(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
bool vd_perform_track_car(const vd_claim_run *run, const vd_perform_options *options, vd_performed *out);
bool vd_perform_suspension(const vd_claim_run *run, vd_performed *out);

#endif
