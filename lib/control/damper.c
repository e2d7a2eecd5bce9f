/* Controlled dampers: sky-hook and ground-hook (Karnopp, Crosby and Harwood 1974).
 *
 * A damper between body and sky would exert the force -cs zs' on the body above a wheel. A damper between wheel and
 * ground would exert the force -cg zu' on the wheel. One force F between body and wheel, upwards on the body, replaces
 * both: F = -cs zs' + cg zu', with zs' = vz + p y - q x and zu' = zs' + travel'.
 *
 *   active       F
 *   continuous   a damper, d travel' with 0 <= d <= most: F, if it opposes the rate of travel and needs at most `most';
 *                otherwise the nearest force that such a damper can exert
 *   two_state    d = most if F opposes the rate of travel, otherwise 0
 *
 * The dampers of the vehicle remain, and are the least damping. The force follows F with a lag. After each decision it
 * changes linearly to its new value within a period. */
#include "base/base.h"
#include "base/elementary.h"
#include "control/built_in.h"

#include <math.h>

typedef struct state {
  double force[VD_WHEELS]; /* N */
} state;

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_DAMPER)
static const char *const law_names[] = {"active", "continuous", "two_state", NULL};
static const vd_field rows[] = {
  {VD_F_CHOICE(vd_controller_def, as.damper.law, "law", law_names, "continuous",
      "active: any force; continuous: a damper with any coefficient from 0 to 'most'; two_state: the coefficient "
      "'most' or 0"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.damper.skyhook, "skyhook", "N s/m", 0, 1e6, 0, "3000 N s/m",
      "damping coefficient between the body above a wheel and a fixed point (sky-hook); the default is an "
      "estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.damper.groundhook, "groundhook", "N s/m", 0, 1e6, 0, "0",
      "damping coefficient between a wheel and the ground (ground-hook)"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.damper.most, "most", "N s/m", 0, 1e6, VD_ABOVE, "5000 N s/m",
      "greatest damping coefficient at a wheel in addition to the damper of the vehicle; the default is an "
      "estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.damper.force, "force", "N", 0, 1e5, VD_ABOVE, "4000 N",
      "greatest force at a wheel in addition to the damper of the vehicle; the default is an estimate"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.damper.lag, "lag", "s", 0, 1, 0, "0",
      "time constant with which the force follows its command"), ONLY, .example = "10 ms"},
};
/* clang-format on */

enum sensor { TRAVEL_RATE, VZ = TRAVEL_RATE + VD_WHEELS, ROLL_RATE, PITCH_RATE };
static const char *const sensors[] = {VD_OF_WHEELS("travel_rate_", "_mps"), "vz_mps", "roll_rate_radps",
                                      "pitch_rate_radps", NULL};
static const char *const requests[] = {VD_OF_WHEELS("damper_request_", ""), NULL};

/* Returns the wanted force at a wheel, N, upwards on the body > 0. zs, zu: velocities of body and wheel, m/s, up >
 * 0. */
static double wanted(const vd_skyhook_def *def, double zs, double zu) {
  const double force = def->groundhook * zu - def->skyhook * zs, rate = zu - zs, most = def->most * rate;
  if (def->law == VD_SKYHOOK_ACTIVE)
    return force;
  if (!(force * rate > 0.0))
    return 0.0;
  return def->law == VD_SKYHOOK_CONTINUOUS && fabs(force) < fabs(most) ? force : most;
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  const vd_skyhook_def *own = &def->as.damper;
  const double follows = own->lag > 0.0 ? 1.0 - vd_exp(-def->period / own->lag) : 1.0;
  state *s = memory;
  for (int i = 0; i < VD_WHEELS; i++) {
    const int a = vd_axle_of(i);
    const double x = a == VD_FRONT ? car->to_axle[VD_FRONT] : -car->to_axle[VD_REAR];
    const double zs = sensed[VZ] + sensed[ROLL_RATE] * vd_side_sign(i) * car->half_track[a] - sensed[PITCH_RATE] * x;
    const double force = wanted(own, zs, zs + sensed[TRAVEL_RATE + i]);
    s->force[i] += follows * (vd_min(vd_max(force, -own->force), own->force) - s->force[i]);
    request[i] = s->force[i];
    request[VD_WHEELS + i] = s->force[i] != 0.0;
  }
}

const vd_controller_variant vd_damper_controller = {
    VD_BUILT_IN,
    .two_tracks = true,
    .linear = true,
    .memory = sizeof(state),
};
