/* Fuzzing of the tolerances of a comparison with a time history: any bytes must lead to messages or to curves that lie
 * inside or outside by a number, never to a crash or a hang. One run of fifty steps is used for all inputs.
 *
 * A libFuzzer target. Run it from the top folder. */
#include "fuzz.h"

#include "input/schema.h"
#include "validation/judge.h"

#include <math.h>

static const char history[] = "t_s,yaw_rate_radps,ay_mps2,vx_mps\n0,0,0,20\n0.01,0,0,20\n0.04,1e-4,-1e-3,19.9\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const vd_setting set[] = {{.text = "run.duration=0.05 s"}, {.text = "run.level=L1"}};
  static const vd_judging how = {.scale = 1.0, .pictures = true};
  vd_arena *arena = vd_arena_create();
  vd_diag *d = vd_diag_create();
  vd_claims claims = {0};
  const char *table = fuzz_file("history.csv", history, sizeof history - 1);
  const char *tolerances = fuzz_file("tolerances.yaml", (const char *)data, size);
  bool good =
      vd_claims_against(table, "scenarios/road/linear_step.yaml", set, VD_COUNT(set), tolerances, arena, d, &claims);
  fuzz_check_messages(d, good);
  for (size_t i = 0; good && i < claims.count && i < 4; i++) {
    vd_finding f;
    vd_judge(&claims, &i, 1, &how, &f);
    if ((!f.evaluated && !*f.reason) || (f.verdict == VD_HOLDS && !(f.deviation <= f.allowed)))
      abort();
    vd_finding_finish(&f);
  }
  free(claims.claim);
  vd_diag_destroy(d);
  vd_arena_destroy(arena);
  return 0;
}
