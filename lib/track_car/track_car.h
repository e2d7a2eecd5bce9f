/* The track car: four wheel points and a centre over a triangle mesh, on springs in closed form.
 *
 * What it is. Each of the four corners of the wheel base is a point with a quarter of the mass and a height of its own;
 * over the ground the corners move together. Two differences of the heights are the attitude,
 *   a = (front - rear)/wheel base,   b = (left - right)/width,
 * the vertical parts of the car's front and left directions and so the third row of its rotation. The heading is a
 * coordinate of its own. The third difference is the twist, which the wheel base reduces to zero. Under each corner a
 * ray along the car's up direction meets the mesh; the spring's length at rest less the ray's length is its deflection.
 * Corner, spring and damper are one oscillator, which on level ground follows its closed form. Steering turns the
 * heading and thrust pushes forward only while a front wheel is down; speed sideways is taken away at a limited rate;
 * the attitude stays in a cone. In the air all points are on parabolas.
 *
 * What it is not. It has no tyres, no slip and no wheel mass. It turns on the spot if commanded to, does not pitch
 * under thrust, stops turning in the air, never overturns and ignores walls. The levels from L0 on are for vehicle
 * dynamics.
 *
 * It is modelled on a hobby simulation, the seed, whose results depended on its frame rate. The functions say what was
 * changed and why. In short: the attitude follows from the speeds of the corners, so that it is exact in the air too;
 * positions follow the whole parabola of a step, not the speed at its end; contact begins and ends at its instant, by
 * root finding, and not at the end of a frame; the forces of springs on the corners follow from the gradient of their
 * deflection, so that contact neither creates nor loses energy except in the dampers; reductions per frame have become
 * rates per time. */
#ifndef VD_TRACK_CAR_H
#define VD_TRACK_CAR_H

#include "ground/mesh.h"
#include "course/profile.h"
#include "math/spring.h"

/* A circle that the car keeps to by itself. */
typedef struct vd_track_ring {
  double x, y, radius; /* m, world; > 0 turns left, 0: there is none */
  double ahead;        /* m, distance along which it returns to it */
} vd_track_ring;

/* Pairwise relaxation of the wheel base as the seed has it, at the end of each frame. */
typedef struct vd_track_passes {
  int count;            /* 0: base_rate instead */
  double share, frames; /* share of a pair's difference that a pass takes; passes per second, 1/s */
} vd_track_passes;

/* Parameters; built once, then const. */
typedef struct vd_track_car {
  vd_spring spring;        /* spring of each wheel, and the quarter of the car that it carries */
  double length;           /* m, of a spring at rest: wheels hang this far below the centre */
  double base, track;      /* m, between the axles, between left and right */
  double top_speed;        /* m/s, thrust ends there */
  double acceleration;     /* m/s2, of full thrust */
  double coasting;         /* m/s2, deceleration without thrust */
  double grip;             /* m/s2, at which speed sideways is taken away, at most */
  double slip_rate;        /* 1/s, at which small speeds are taken away, and the heading takes on its rate */
  double steering_rate;    /* rad/s, of the heading at full steering */
  double steering_latency; /* s, from straight on to full steering, twice as fast back; 0: at once */
  double floor;            /* m, height of a level plane where there is no mesh above it; NAN: there is none */
  double base_rate;        /* 1/s, at which the wheel base gets back its form */
  vd_track_passes passes;  /* in place of the rate */
  double cone;             /* 1, the most that front or left may rise or fall, as a sine */
  double substep;          /* s, longest step between looks at the ground */
  vd_track_ring ring;
} vd_track_car;

/* Rate at which passes of pairwise relaxation restore the form of four points, 1/s: a pass removes `share` of each
 * pair's difference, with `passes` in a frame and `frames` in a second. */
double vd_track_base_rate(int passes, double share, double frames);

enum vd_track_work {
  VD_TRACK_DRIVE,    /* thrust, and steering against springs */
  VD_TRACK_FRICTION, /* coasting, speed sideways */
  VD_TRACK_DAMPERS,
  VD_TRACK_BASE,  /* wheel base getting back its form */
  VD_TRACK_JUMPS, /* springs set anew at steps of the mesh, and the energy lost at the cone */
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
  VD_TRACK_Z,                                      /* four corners, which are at the height of the centre, m */
  VD_TRACK_W = VD_TRACK_Z + VD_WHEELS,             /* four: vertical speeds of the corners, m/s */
  VD_TRACK_WORK = VD_TRACK_W + VD_WHEELS,          /* J */
  VD_TRACK_STEER = VD_TRACK_WORK + VD_TRACK_WORKS, /* with a latency: what the front wheels have of full steering */
  VD_TRACK_STATES
};

/* Plain data: a copy can be stepped again to the same bits. */
typedef struct vd_track_state {
  double q[VD_TRACK_STATES];
  bool down[VD_WHEELS];         /* on the ground */
  double plane[VD_WHEELS][4];   /* triangle below, if down: unit normal, m, its distance from the origin */
  double deflection[VD_WHEELS]; /* m, of the spring of a wheel in the air */
  int at_limit[2];              /* front, left: 1, -1 while it is at the cone's upper, lower limit */
} vd_track_state;

/* A flight: from leaving the ground with the last wheel to meeting it with the first. */
typedef struct vd_track_flight {
  double start, end;      /* s */
  double from[3], to[3];  /* m, centre */
  double apex, apex_time; /* m, s: highest place of the centre */
  double fall;            /* m/s, downward speed at the end */
  double pitch, roll;     /* rad, at the end */
} vd_track_flight;

/* Controls: thrust 0 ... 1, steer -1 ... 1 to the left. */
typedef struct vd_track_inputs {
  const vd_profile *thrust, *steer;
} vd_track_inputs;

/* Events of a run; the caller clears it and passes it from step to step. */
typedef struct vd_track_events {
  bool flying;
  vd_track_flight flight;  /* the one under way */
  vd_track_flight longest; /* longest flight that ended; end 0: none yet */
  double airtime;          /* s, of those that ended */
  long flights, contacts;  /* ended flights; changes of what a wheel stands on */
  long unsettled;          /* substeps with more of those than are located */
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
