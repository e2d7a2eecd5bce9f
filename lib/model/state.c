#include "model/state.h"

#define ONE(symbol, name, unit, scale, decay, level, meaning) {name, unit, scale, decay, VD_##level, meaning},
#define EACH(symbol, name, unit, scale, decay, level, meaning)                                                         \
  {name "_1", unit, scale, decay, VD_##level, meaning}, {name "_2", unit, scale, decay, VD_##level, meaning},          \
      {name "_3", unit, scale, decay, VD_##level, meaning}, {name "_4", unit, scale, decay, VD_##level, meaning},

const vd_state_info vd_state_table[VD_STATES] = {VD_STATE_LIST(ONE, EACH)};
#undef ONE
#undef EACH

#define EACH(...) ONE(__VA_ARGS__) ONE(__VA_ARGS__) ONE(__VA_ARGS__) ONE(__VA_ARGS__)

#define ONE(symbol, name, unit, scale, ...) 1.0 / (scale),
const double vd_state_weight[VD_STATES] = {VD_STATE_LIST(ONE, EACH)};
#undef ONE

#define ONE(symbol, name, unit, scale, decay, ...) decay,
const double vd_state_decay[VD_STATES] = {VD_STATE_LIST(ONE, EACH)};
#undef ONE

#define ONE(symbol, name, unit, scale, decay, ...) (decay) < 100 ? 1.0 / (scale) : 0.0,
const double vd_state_gap_weight[VD_STATES] = {VD_STATE_LIST(ONE, EACH)};
