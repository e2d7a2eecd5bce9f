#include "tyre/relax.h"

#include "base/elementary.h"

void vd_relax_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, double damper_time,
                    vd_relax *r) {
  double mu, kappa, alpha;
  double slip = vd_tyre_slip_stiffness(tyre, ground_friction, load);
  double side = vd_tyre_cornering_stiffness(tyre, ground_friction, load);
  vd_tyre_peaks(tyre, ground_friction, load, &mu, &kappa, &alpha);
  *r = (vd_relax){
      .span = mu * load / vd_min(slip, side),
      .bristles = tyre->bristles,
      .damper_time = damper_time,
  };
  vd_tyre_relaxation(tyre, load, &r->length_x, &r->length_y);
  r->stiffness_x = wheels * slip / r->length_x;
  r->stiffness_y = wheels * side / r->length_y;
  r->unit_x = r->bristles ? 1.0 : r->length_x;
  r->unit_y = r->bristles ? 1.0 : r->length_y;
  double light_x, light_y;
  vd_tyre_relaxation(tyre, 0.5 * load, &light_x, &light_y);
  r->by_load = !r->bristles && (light_x != r->length_x || light_y != r->length_y);
  if (r->bristles && !isnan(tyre->common.bristle_damping))
    r->damper_time = tyre->common.bristle_damping;
}

/* Replaces the `count' numbers of `own' by the means of both arrays. */
static void take_mean(const double *other, size_t count, double *own) {
  for (size_t i = 0; i < count; i++)
    own[i] = 0.5 * (own[i] + other[i]);
}

void vd_relax_mean(const vd_relax *other, vd_relax *r) {
  take_mean((const double *)other, offsetof(vd_relax, bristles) / sizeof(double), (double *)r);
  r->by_load |= other->by_load;
}

void vd_relax_pack(const vd_relax *lane, int lanes, vd_relax_four *four) {
  for (int i = 0; i < VD_WHEELS; i++) {
    const vd_relax *r = &lane[i % lanes];
    four->length_x[i] = r->length_x;
    four->length_y[i] = r->length_y;
    four->span[i] = r->span;
    four->damper_time[i] = r->damper_time;
    four->spring_x[i] = r->stiffness_x * r->unit_x * r->unit_x;
    four->spring_y[i] = r->stiffness_y * r->unit_y * r->unit_y;
    four->loss_x[i] = r->unit_x * r->unit_x / r->length_x;
    four->loss_y[i] = r->unit_y * r->unit_y / r->length_y;
  }
}

void vd_relax_slip(const vd_relax *relax, double step, vd_relaxing *r) {
  vd_relax_four four;
  vd_relaxing_four all = {.vx = vd_wide_of(r->vx),
                          .vy = vd_wide_of(r->vy),
                          .slip_x = vd_wide_of(r->slip_x),
                          .slip_y = vd_wide_of(r->slip_y),
                          .wx = vd_wide_of(r->wx),
                          .wy = vd_wide_of(r->wy)};
  vd_relax_pack(relax, 1, &four);
  vd_relax_slips(&four, step, &all);
  r->damper = all.damper[0];
  r->kappa = all.kappa[0];
  r->tan_alpha = all.tan_alpha[0];
  r->rate_x = all.rate_x[0];
  r->rate_y = all.rate_y[0];
  if (relax->bristles) {
    vd_lugre_slips(r->slip_x, r->slip_y, r->vx, &r->kappa, &r->tan_alpha);
    r->rate_x = r->rate_y = 0.0;
  }
}

/* Builds the twist. A tyre without a moment due to turn slip stores no energy in its twist, but turn slip still affects
 * its forces. */
void vd_relax_twist_build(const vd_tyre *tyre, double wheels, double ground_friction, double load, vd_relax_twist *t) {
  vd_tyre_twist twist;
  vd_tyre_twisted(tyre, ground_friction, load, &twist);
  bool stores = twist.stiffness > 0.0 && twist.most > 0.0;
  *t = (vd_relax_twist){.length = twist.length,
                        .span = (stores ? twist.most / twist.stiffness : 1.0) / twist.length,
                        .stiffness = stores ? wheels * twist.stiffness : 0.0};
}

void vd_relax_twist_mean(const vd_relax_twist *other, vd_relax_twist *t) {
  take_mean((const double *)other, sizeof *t / sizeof(double), (double *)t);
}

double vd_relax_damper(double spring, double mass, double fastest, double step) {
  const double damping = 0.7;
  return vd_min(2.0 * damping / sqrt(spring / mass), 1.0 / (step * fastest));
}
