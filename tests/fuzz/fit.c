/* Fuzzing of fits with their measured rows, CSV and TYDEX: edits of a good scenario and of its file of rows must lead
 * to messages, or to a fit that ends with finite figures within their bounds or with a reason why not, never to a crash
 * or a hang; the resolved scenario must be read and written again to the same bytes.
 *
 * A libFuzzer target. Run it from the top folder: references of the input are relative to scenarios/fit/. The first
 * byte selects the tyre and the kind of file, the second the number of bytes that are edits of the scenario; the
 * remaining bytes are edits of the file. */
#include "fuzz.h"

#include "study/fit_impl.h"

#include <math.h>

enum { ROWS = 60, ITERATIONS = 4 };

static const char *const tyres[] = {"mf96_touring",  "tmeasy_touring", "fiala_touring", "brush_touring",
                                    "pac89_touring", "pac94_touring",  "linear_80",     "mf61_synthetic"};

static const char csv[] = "FZ,SA,SR,FX,FY,MZ\nN,deg,-,N,N,N m\n"
                          "2000,-8,0,3,1700,-20\n2000,-4,0,1,1300,-35\n2000,-1,0,9,400,-15\n2000,2,0,-4,-800,30\n"
                          "2000,6,0,2,-1600,30\n4000,-8,0,3,3300,-60\n4000,-4,0,1,2400,-90\n4000,-1,0,9,750,-40\n"
                          "4000,2,0,-4,-1400,70\n4000,6,0,2,-3000,75\n2000,0,-0.1,-1800,8,0\n2000,0,-0.03,-1100,1,0\n"
                          "2000,0,0.02,800,2,0\n2000,0,0.08,1700,5,0\n4000,0,-0.1,-3500,8,0\n4000,0,-0.03,-2100,1,0\n"
                          "4000,0,0.02,1500,2,0\n4000,0,0.08,3300,5,0\n4000,4,0.05,2000,-1500,30\n";

static const char tydex[] =
    "**HEADER\nRELEASE   Release of the format                       1.3\n**CONSTANTS\n"
    "INCLANGL  Inclination                   deg       0\n**MEASURCHANNELS\n"
    "SLIPANGL  Slip angle                    deg       1         0         0\n"
    "LONGSLIP  Slip ratio                    %         1         0         0\n"
    "FX        Longitudinal force            N         1         0         0\n"
    "FYW       Lateral force                 N         1         0         0\n"
    "FZW       Vertical force                kN        1         0         0\n"
    "MZW       Aligning moment               Nm        1         0         0\n"
    "**MEASURDATA\n-8 0 3 3300 4 -60\n-4 0 1 2400 4 -90\n-1 0 9 750 4 -40\n2 0 -4 -1400 4 70\n"
    "6 0 2 -3000 4 75\n-6 0 2 1500 2 -30\n-2 0 2 800 2 -30\n4 0 2 -1300 2 35\n0 -10 -3500 8 4 0\n"
    "0 -3 -2100 1 4 0\n0 2 1500 2 4 0\n0 8 3300 5 4 0\n**END\n";

static char *scenario(size_t choice, const char *file) {
  char *text = malloc(1000);
  if (!text)
    abort();
  snprintf(text, 1000,
           "kind: fit\ntyre: ../tyres/%s.yaml\nfit:\n  data:\n    - file: %s\n%s"
           "  stages: [lateral, {stage: longitudinal, fixed: [friction]}, aligning]\n"
           "  bounds: [{figure: friction, low: 0.5, high: 2}]\n  loss: huber\n  confidence: 0.9\n"
           "  pure_slip_ratio: 0.01\n  iterations: 4\n  starts: 2\n",
           tyres[choice / 2 % (sizeof tyres / sizeof *tyres)], file,
           choice % 2
               ? ""
               : "      columns: {load: FZ, alpha: SA, kappa: SR, fx: FX, fy: FY, mz: {column: MZ, scale: 1}}\n");
  return text;
}

static bool read_fit(const char *text, size_t length, vd_arena *arena, vd_diag *d, vd_fit *fit) {
  fit->kind = VD_KIND_TYRE_FIT;
  return vd_tyre_fit_read(vd_diag_add_source(d, "scenarios/fit/fuzz.yaml", text, length), NULL, 0, arena, d, fit);
}

static void check_round_trip(const vd_fit *fit, vd_arena *arena) {
  vd_diag *d = vd_diag_create();
  vd_buf first = {0}, second = {0};
  vd_fit *again = vd_arena_alloc(arena, sizeof *again);
  vd_fit_resolve(fit, &first);
  bool good = read_fit(first.text, first.length, arena, d, again);
  if (good)
    vd_fit_resolve(again, &second);
  if (!good || first.length != second.length || memcmp(first.text, second.text, first.length) != 0) {
    vd_diag_print(d, stderr, false);
    fprintf(stderr, "--- written\n%s--- read back and written again\n%s", first.text, second.text ? second.text : "");
    abort();
  }
  vd_buf_finish(&first);
  vd_buf_finish(&second);
  vd_diag_destroy(d);
}

static void check_result(const vd_fit_result *r) {
  for (size_t i = 0; i < r->coefficients; i++) {
    const vd_fit_coefficient *c = &r->coefficient[i];
    double room = 1e-6 * (fabs(c->value) + 1.0);
    if (!isfinite(c->value) || !(c->value >= c->low - room && c->value <= c->high + room))
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  size_t choice = data[0], first = (size - 2) * data[1] / 255, length, rows_length;
  const char *rows = choice % 2 ? tydex : csv;
  char *file = fuzz_edited(rows, strlen(rows), data + 2 + first, size - 2 - first, &rows_length);
  char *good_text = scenario(choice, fuzz_file(choice % 2 ? "rows.tdx" : "rows.csv", file, rows_length));
  char *text = fuzz_edited(good_text, strlen(good_text), data + 2, first, &length);
  vd_diag *d = vd_diag_create();
  vd_arena *arena = vd_arena_create();
  vd_fit *fit = vd_arena_alloc(arena, sizeof *fit);
  bool good = read_fit(text, length, arena, d, fit);
  fuzz_check_messages(d, good);
  if (good && fit->as.tyre.rows <= ROWS) {
    check_round_trip(fit, arena);
    vd_fit_result r;
    vd_tyre_fit_settings *says = &fit->as.tyre.def.fit;
    says->iterations = says->iterations < ITERATIONS ? says->iterations : ITERATIONS;
    says->starts = says->starts < 2 ? says->starts : 2;
    bool found = vd_fit_solve(fit, NULL, arena, d, &r);
    fuzz_check_messages(d, found);
    if (found)
      check_result(&r);
  }
  vd_arena_destroy(arena);
  vd_diag_destroy(d);
  free(text);
  free(good_text);
  free(file);
  return 0;
}
