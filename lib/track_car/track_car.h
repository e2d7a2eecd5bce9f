/* The track car: four wheel points and a centre over a triangle mesh, on springs in closed form.
 *
 * What it is. Each of the four corners of the wheel base is a point with a quarter of the mass and a height of its own;
 * horizontally the corners move together. Two differences of the heights are the attitude,
 *   a = (front - rear)/wheel base,   b = (left - right)/width,
 * which are the vertical components of the car's front and left directions, and thus the third row of its rotation
 * matrix. The heading is a separate coordinate. The third difference is the twist, which the wheel base reduces to
 * zero. From each corner a ray against the car's up direction meets the mesh; the length of the spring at rest less the
 * length of the ray is its deflection. Corner, spring and damper are an oscillator, which follows its closed form on
 * level ground. Steering turns the heading, and thrust acts forward, only while a front wheel is on the ground. Lateral
 * speed is reduced at a limited rate, and the attitude stays within a cone. In the air all points move on parabolas.
 *
 * What it is not. It has no tyres, no slip and no wheel mass. It turns on the spot if commanded, does not pitch under
 * thrust, stops turning in the air, never overturns and ignores walls. The levels from L0 on are for vehicle dynamics.
 *
 * It is modelled on a hobby simulation, called the original in the comments, whose results depended on its frame rate.
 * The comments of the functions say what was changed and why. In short: the attitude follows from the speeds of the
 * corners, so that it is exact in the air too; positions follow the whole parabola of a step, not the speed at its end;
 * contact begins and ends at its instant, by root finding, and not at the end of a frame; the forces of springs on the
 * corners follow from the gradient of their deflection, so that contact neither creates nor loses energy except in the
 * dampers; reductions per frame are replaced by rates per time. */
#ifndef VD_TRACK_CAR_H
#define VD_TRACK_CAR_H

#include "ground/mesh.h"
#include "course/profile.h"
#include "math/spring.h"

/* A circle that the car follows by itself. */
typedef struct vd_track_ring {
  double x, y, radius; /* m, world; > 0 turns left, 0: there is none */
  double ahead;        /* m, distance within which the car returns to the circle */
} vd_track_ring;

/* Pairwise relaxation of the wheel base at the end of each frame, as in the original. */
typedef struct vd_track_passes {
  int count;            /* passes in a frame; 0: base_rate is used instead */
  double share, frames; /* share of a pair's difference that a pass removes; frames per second, 1/s */
} vd_track_passes;

/* Parameters; built once, then const. */
typedef struct vd_track_car {
  vd_spring spring;        /* spring of each wheel, with the quarter of the car's mass that it carries */
  double length;           /* m, of a spring at rest: wheels hang this far below the centre */
  double base, track;      /* m, between the axles, between left and right */
  double top_speed;        /* m/s, speed at which thrust ends */
  double acceleration;     /* m/s2, of full thrust */
  double coasting;         /* m/s2, deceleration without thrust */
  double grip;             /* m/s2, greatest deceleration of lateral speed */
  double slip_rate;        /* 1/s, rate at which small lateral speeds decay and the yaw rate follows its command */
  double steering_rate;    /* rad/s, of the heading at full steering */
  double steering_latency; /* s, time from straight ahead to full steering, and twice the time back; 0: no delay */
  double floor;            /* m, height of a level plane that is used where there is no mesh above it; NAN: none */
  double base_rate;        /* 1/s, rate at which the form of the wheel base is restored */
  vd_track_passes passes;  /* passes in place of base_rate */
  double cone;             /* greatest sine of the angle by which front or left may rise or fall */
  double substep;          /* s, longest step between searches for the ground */
  vd_track_ring ring;
} vd_track_car;

/* Rate, 1/s, at which pairwise relaxation restores the form of four points if a pass removes `share` of each pair's
 * difference, with `passes` in a frame and `frames` in a second. */
double vd_track_base_rate(int passes, double share, double frames);

enum vd_track_work {
  VD_TRACK_DRIVE,    /* by thrust, and by steering against springs */
  VD_TRACK_FRICTION, /* by coasting and reduction of lateral speed */
  VD_TRACK_DAMPERS,
  VD_TRACK_BASE,  /* by restoring the form of the wheel base */
  VD_TRACK_JUMPS, /* by setting springs anew at steps of the mesh, and the energy lost at the cone */
  VD_TRACK_WORKS
};

/* States that are integrated. */
enum vd_track_place {
  VD_TRACK_X,
  VD_TRACK_Y,
  VD_TRACK_YAW,
  VD_TRACK_VX,
  VD_TRACK_VY,
  VD_TRACK_YAW_RATE,
  /* four: heights of the corners, m; their mean is that of the centre */
  VD_TRACK_Z,
  VD_TRACK_W = VD_TRACK_Z + VD_WHEELS,    /* four: vertical speeds of the corners, m/s */
  VD_TRACK_WORK = VD_TRACK_W + VD_WHEELS, /* J */
  /* with a latency: share of full steering that the front wheels have */
  VD_TRACK_STEER = VD_TRACK_WORK + VD_TRACK_WORKS,
  VD_TRACK_STATES
};

/* The state is plain data: steps from a copy of it give the same bits. */
typedef struct vd_track_state {
  double q[VD_TRACK_STATES];
  bool down[VD_WHEELS];         /* on the ground */
  double plane[VD_WHEELS][4];   /* if down: plane of the triangle below, unit normal and distance from the origin, m */
  double deflection[VD_WHEELS]; /* m, of the spring of a wheel in the air */
  int at_limit[2];              /* front, left: 1 or -1 while it is at the upper or lower limit of the cone */
} vd_track_state;

/* A flight: from the instant at which the last wheel leaves the ground to that at which the first touches it again. */
typedef struct vd_track_flight {
  double start, end;      /* s */
  double from[3], to[3];  /* m, position of the centre */
  double apex, apex_time; /* greatest height of the centre, m, and its time, s */
  double fall;            /* m/s, downward speed at the end */
  double pitch, roll;     /* rad, at the end */
} vd_track_flight;

/* Inputs: thrust, 0 to 1, and steer, -1 to 1, to the left > 0. */
typedef struct vd_track_inputs {
  const vd_profile *thrust, *steer;
} vd_track_inputs;

/* Events of a run. The caller clears the struct and passes it from step to step. */
typedef struct vd_track_events {
  bool flying;
  vd_track_flight flight;  /* the present flight */
  vd_track_flight longest; /* longest flight that has ended; its end is 0 if there is none */
  double airtime;          /* s, sum of flights that ended */
  long flights, contacts;  /* number of ended flights; number of changes of the triangle under a wheel */
  long unsettled;          /* number of substeps with more changes than the search locates */
} vd_track_events;

/* Quantities of a state, for logs. */
typedef struct vd_track_view {
  double centre[3], velocity[3];          /* m, m/s, world */
  double yaw, pitch, roll;                /* rad, ISO 8855 */
  double forward, left;                   /* m/s, components along the car's directions */
  double spring[VD_WHEELS];               /* m, deflection, compressed > 0 */
  double force[VD_WHEELS];                /* N, along the car's up direction */
  double point[VD_WHEELS][3];             /* m, wheel points, world */
  double mount[VD_WHEELS][3];             /* m, upper ends of the springs, world */
  double kinetic, gravity, springs, base; /* J */
} vd_track_view;

/* Sets the state to equilibrium on the springs on the ground below `place` (x, y), then lifts the car by `height` and
 * lets it move at `speed` along its front. Returns false if there is no ground under wheel *wheel, or if the attitude
 * would be outside of the cone. */
bool vd_track_start(const vd_track_car *car, const vd_mesh *mesh, const double *place, double yaw, double speed,
                    double height, vd_track_state *s, int *wheel);

/* Advances from t to `end`, in steps split at corners of the inputs and where wheels meet or leave triangles. */
void vd_track_advance(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double t, double end,
                      vd_track_state *s, vd_track_events *events);

void vd_track_observe(const vd_track_car *car, const vd_track_inputs *inputs, double t, const vd_track_state *s,
                      vd_track_view *view);

/* A fault between two states, if any: a number that is not finite, a spring of negative length, a corner or the centre
 * that has passed through the mesh, or has left it. */
enum vd_track_trouble { VD_TRACK_FINE, VD_TRACK_BAD_NUMBER, VD_TRACK_BOTTOMED, VD_TRACK_THROUGH, VD_TRACK_OUTSIDE };
enum vd_track_trouble vd_track_trouble_of(const vd_track_car *car, const vd_mesh *mesh, const vd_track_view *before,
                                          const vd_track_view *after);

#endif
