/* Times of the limits of a car. */
#ifndef VD_BENCH_LIMITS_H
#define VD_BENCH_LIMITS_H

/* Prints the processor time, ms, the best of several rounds, of a g-g-V of 40 speeds by 36 directions, a moment diagram
 * of 2000 points at 100 km/h, a lap of 5 km in steps of 1 m by a stored envelope, and this lap with the slopes of its
 * time. Also prints the number of model evaluations for a direction and for a point. vehicle: a file, relative to the
 * folder scenarios/iso. Returns an exit status. */
int bench_limits(const char *level, const char *vehicle);

#endif
