/* Prints lists of keys, metrics and schemas of vdsim-run. Each function returns an exit status. */
#ifndef VD_RUN_LISTS_H
#define VD_RUN_LISTS_H

int vd_list_channels(void);
int vd_list_states(void);
int vd_list_manoeuvres(void);

/* Prints the metrics of one set; NULL: of all sets. */
int vd_list_metrics(const char *set);

/* Prints the keys of a vehicle's scenario, or of a block or pattern of them. For another kind of scenario `asked' is
 * its name, for a template "template_" and its name; a block of its keys may follow after a dot. */
int vd_list_run_keys(const char *asked);

/* Prints the JSON Schema of scenarios, or of the kind of file that a key of a vehicle's scenario names. */
int vd_list_run_schema(const char *key);

#endif
