#include "sim/ledger_share.h"

#include <math.h>

void vd_ledger_share_start(const vd_model *m, vd_ledger_share *l) {
  const vd_load_balance *b = &m->balance;
  *l = (vd_ledger_share){.rest = 0.0};
  for (int a = 0; a < VD_AXLES; a++)
    l->rest += 0.5 * b->static_load[a] * b->static_load[a] * (b->axle_flex[a] + b->tyre_flex[a]);
}

void vd_ledger_share_add(const vd_eval *e, double t, vd_ledger_share *l) {
  l->passed = vd_fast_max(l->passed, e->log.turnover);
  double share = fabs(e->log.ledger) / (l->rest + l->passed);
  if (!(share <= l->share) && !isnan(l->share)) {
    l->share = share;
    l->residual = e->log.ledger;
    l->x = e->log.x;
    l->y = e->log.y;
    l->from = l->seen;
    l->to = t;
  }
  l->seen = t;
}
