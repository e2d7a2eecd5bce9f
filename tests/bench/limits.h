/* Times of the limits of a car. */
#ifndef VD_BENCH_LIMITS_H
#define VD_BENCH_LIMITS_H

/* Prints ms of the processor, the best of several rounds, for a g-g-V of 40 speeds by 36 directions, a moment diagram
 * of 2000 points at 100 km/h, a lap of 5 km at 1 m from a stored envelope, and the same with the slopes of its time;
 * and the evaluations of a direction and of a point. vehicle: a file, from the folder scenarios/iso. Returns an exit
 * status. */
int bench_limits(const char *level, const char *vehicle);

#endif
