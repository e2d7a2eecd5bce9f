/* The track car: four wheel points and a centre over a triangle mesh, on springs in closed form.
 *
 * What it is. Each of the four corners of the wheel base is a point with a quarter of the mass and a height of its own;
 * over the ground the corners move together. Two differences of the heights are the attitude,
 *   a = (front - rear)/wheel base,   b = (left - right)/width,
 * the vertical parts of the car's front and left directions and so the third row of its rotation; the heading is a
 * coordinate of its own, and the third difference, the twist, is what the wheel base does away with. Under each corner
 * a ray along the car's up direction meets the mesh; by what it is shorter than the spring, the spring is deflected.
 * Corner, spring and damper are one oscillator, which on level ground follows its closed form. Steering turns the
 * heading and thrust pushes forward only while a front wheel is down; speed sideways is taken away at a limited rate;
 * the attitude stays in a cone. In the air all points are on parabolas.
 *
 * What it is not. It has no tyres, no slip and no wheel mass, turns on the spot if told to, does not pitch under
 * thrust, stops turning in the air, never turns over and leaves walls alone. For vehicle dynamics there are the
 * levels from L0.
 *
 * It is after a hobby simulation, the seed, whose scheme depended on its frame. What was changed, and why, stands at
 * the functions; in short: the attitude goes with the speeds of the corners, so that it is exact in the air too;
 * positions follow the whole parabola of a step, not the speed at its end; contact begins and ends at its instant,
 * by root finding, and not at the end of a frame; springs push on the corners by the gradient of their deflection,
 * so that contact neither creates nor loses energy beside the dampers; what was taken away per frame is taken away
 * per time. */
#ifndef VD_TRACK_CAR_H
#define VD_TRACK_CAR_H

#include "ground/mesh.h"
#include "course/profile.h"
#include "math/spring.h"

/* A circle that the car keeps to by itself. */
typedef struct vd_track_ring {
  double x, y, radius; /* m, world; > 0 turns left, 0: there is none */
  double ahead;        /* m, way over which it comes back to it */
} vd_track_ring;

/* Parameters; built once, then const. */
typedef struct vd_track_car {
  vd_spring spring;     /* of each wheel, and the quarter of the car that it carries */
  double length;        /* m, of a spring at rest: wheels hang this far below the centre */
  double base, track;   /* m, between the axles, between left and right */
  double top_speed;     /* m/s, thrust ends there */
  double acceleration;  /* m/s2, of full thrust */
  double coasting;      /* m/s2, deceleration without thrust */
  double grip;          /* m/s2, at which speed sideways is taken away, at most */
  double slip_rate;     /* 1/s, at which small speeds are taken away, and the heading takes on its rate */
  double steering_rate; /* rad/s, of the heading at full steering */
  double base_rate;     /* 1/s, at which the wheel base gets back its form */
  double cone;          /* 1, the most that front or left may rise or fall, as a sine */
  double substep;       /* s, longest step between looks at the ground */
  vd_track_ring ring;
} vd_track_car;

/* Rate at which passes of pairwise relaxation get four points back into their form, 1/s: `share` of each pair's
 * difference goes in a pass, `passes` in a frame, `frames` in a second. */
double vd_track_base_rate(int passes, double share, double frames);

enum vd_track_work {
  VD_TRACK_DRIVE,    /* thrust, and steering against springs */
  VD_TRACK_FRICTION, /* coasting, speed sideways */
  VD_TRACK_DAMPERS,
  VD_TRACK_BASE,  /* wheel base getting back its form */
  VD_TRACK_JUMPS, /* springs set anew at steps of the mesh, and what the cone stops */
  VD_TRACK_WORKS
};

/* What is integrated. */
enum vd_track_place {
  VD_TRACK_X,
  VD_TRACK_Y,
  VD_TRACK_YAW,
  VD_TRACK_VX,
  VD_TRACK_VY,
  VD_TRACK_YAW_RATE,
  VD_TRACK_Z,                             /* four: of the corners, which are at the height of the centre, m */
  VD_TRACK_W = VD_TRACK_Z + VD_WHEELS,    /* four: their vertical speeds, m/s */
  VD_TRACK_WORK = VD_TRACK_W + VD_WHEELS, /* J */
  VD_TRACK_STATES = VD_TRACK_WORK + VD_TRACK_WORKS
};

/* Plain data: a copy can be stepped again to the same bits. */
typedef struct vd_track_state {
  double q[VD_TRACK_STATES];
  bool down[VD_WHEELS];         /* on the ground */
  double plane[VD_WHEELS][4];   /* of the triangle below, if down: unit normal, and its distance from the origin */
  double deflection[VD_WHEELS]; /* m, of the spring of a wheel in the air */
  int at_limit[2];              /* front, left: 1, -1 while it is at the cone's upper, lower limit */
} vd_track_state;

/* Between leaving the ground with the last wheel and meeting it with the first. */
typedef struct vd_track_flight {
  double start, end;      /* s */
  double from[3], to[3];  /* m, centre */
  double apex, apex_time; /* m, s: highest place of the centre */
  double fall;            /* m/s, downward speed at the end */
  double pitch, roll;     /* rad, at the end */
} vd_track_flight;

/* What to drive: thrust 0 ... 1, steer -1 ... 1 to the left. */
typedef struct vd_track_inputs {
  const vd_profile *thrust, *steer;
} vd_track_inputs;

/* What happens under way; the caller clears it and carries it from step to step. */
typedef struct vd_track_events {
  bool flying;
  vd_track_flight flight;  /* the one under way */
  vd_track_flight longest; /* of those that ended; end 0: none yet */
  double airtime;          /* s, of those that ended */
  long flights, contacts;  /* ended flights; changes of what a wheel stands on */
  long unsettled;          /* substeps with more of those than are looked for */
} vd_track_events;

/* Quantities of a state, for logs. */
typedef struct vd_track_view {
  double centre[3], velocity[3];          /* m, m/s, world */
  double yaw, pitch, roll;                /* rad, ISO 8855 */
  double forward, left;                   /* m/s, along the car's directions */
  double spring[VD_WHEELS];               /* m, deflection, > 0 compressed */
  double force[VD_WHEELS];                /* N, along the car's up */
  double point[VD_WHEELS][3];             /* m, wheel points, world */
  double mount[VD_WHEELS][3];             /* m, upper ends of the springs, world */
  double kinetic, gravity, springs, base; /* J */
} vd_track_view;

/* Standing still over the ground below (x, y), springs carrying the car, lifted by `height`, moving at `speed` along
 * its front. False: no ground under a wheel, whose number goes to *wheel. */
bool vd_track_start(const vd_track_car *car, const vd_mesh *mesh, const double *place, double yaw, double speed,
                    double height, vd_track_state *s, int *wheel);

/* From t to `end`, steps split at corners of the inputs and where wheels meet or leave triangles. */
void vd_track_advance(const vd_track_car *car, const vd_mesh *mesh, const vd_track_inputs *inputs, double t, double end,
                      vd_track_state *s, vd_track_events *events);

void vd_track_observe(const vd_track_car *car, const vd_track_inputs *inputs, double t, const vd_track_state *s,
                      vd_track_view *view);

/* What has gone wrong between two states, if anything: a number gone bad, a spring that is shorter than nothing, a
 * corner or the centre that has passed through the mesh, or has left it. */
enum vd_track_trouble { VD_TRACK_FINE, VD_TRACK_BAD_NUMBER, VD_TRACK_BOTTOMED, VD_TRACK_THROUGH, VD_TRACK_OUTSIDE };
enum vd_track_trouble vd_track_trouble_of(const vd_track_car *car, const vd_mesh *mesh, const vd_track_view *before,
                                          const vd_track_view *after);

#endif
