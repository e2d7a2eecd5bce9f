/* Lists of what vdsim-run knows. Each returns an exit status. */
#ifndef VD_RUN_LISTS_H
#define VD_RUN_LISTS_H

int vd_list_channels(void);
int vd_list_states(void);
int vd_list_manoeuvres(void);

/* Metrics of one set, or of all with NULL. */
int vd_list_metrics(const char *set);

/* Keys of a vehicle's scenario, or those of one block or pattern of it. The name of another kind of scenario, or
 * template_ and that of a template, stands for its keys; a block of them may follow behind a point. */
int vd_list_run_keys(const char *asked);

/* JSON Schema of scenarios, or of the file that a key of a vehicle's scenario may name. */
int vd_list_run_schema(const char *key);

#endif
