/* GSL has one error handler for the whole program; the default one ends the program. Where a failure is a valid result
 * (a singular matrix), the handler is turned off, by one thread at a time. */
#ifndef VD_GSL_QUIET_H
#define VD_GSL_QUIET_H

void vd_gsl_quiet(void);
/* Restores the handler from before vd_gsl_quiet. */
void vd_gsl_loud(void);

#endif
