/* Two cars in one program, each in its own thread, by libvdsim; their logs equal the logs of two programs.
 *
 * Usage: two_cars SCENARIO.yaml LOG.csv SCENARIO.yaml LOG.csv Build: cc two_cars.c $(pkg-config --cflags --libs vdsim)
 * -pthread */
#include <vdsim.h>

#include <pthread.h>
#include <stdio.h>

typedef struct car {
  const char *scenario, *log;
  vd_status status;
} car;

static vd_status drive(const vd_case *c, vd_run *run, FILE *log) {
  vd_status status = VD_OK;
  for (size_t i = 0; i < vd_channel_count(c); i++)
    if (vd_channel_logged(c, i))
      fprintf(log, "%s%s", i ? "," : "", vd_channel_name(c, i));
  for (size_t row = 0; status == VD_OK; row++) {
    status = vd_advance(run, vd_log_time(c, row)); /* or to the end of the run, which has the last row */
    for (size_t i = 0; i < vd_channel_count(c); i++)
      if (vd_channel_logged(c, i))
        fprintf(log, "%s%.17g", i ? "," : "\n", vd_value(run, i));
  }
  fputs("\n", log);
  return status;
}

static void *work(void *context) {
  car *my = context;
  vd_case *c = NULL;
  vd_run *run = NULL;
  FILE *log = fopen(my->log, "w");
  my->status = vd_load_file(my->scenario, NULL, 0, &c);
  if (my->status == VD_OK)
    my->status = vd_build(c, 0, &run);
  if (my->status == VD_OK && log)
    my->status = drive(c, run, log);
  vd_run_free(run);
  vd_case_free(c);
  if (log)
    fclose(log);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread[2];
  if (argc != 5)
    return 2;
  car cars[2] = {{argv[1], argv[2], VD_OK}, {argv[3], argv[4], VD_OK}};
  for (int i = 0; i < 2; i++)
    if (pthread_create(&thread[i], NULL, work, &cars[i]) != 0)
      return 2;
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  return cars[0].status != VD_OVER || cars[1].status != VD_OVER;
}
