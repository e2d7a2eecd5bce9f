/* What a tool leaves behind when it is stopped, by INT, TERM, HUP or because memory runs out: its processes end, its
 * temporary files go, what it had finished stays, and one line says which. It then dies of the signal. */
#ifndef VD_STOP_H
#define VD_STOP_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/* name: the tool's name, for the line. A signal that the caller of the tool ignores stays ignored, as nohup wants
 * it. */
void vd_stop_start(const char *name);

/* The line says how many of `total` pieces are finished, and `kept`. Strings must last. total 0: there are none. */
void vd_stop_set_message(size_t finished, size_t total, const char *unit, const char *kept);

/* Between vd_stop_block and vd_stop_unblock no signal stops the tool. Calls nest. */
void vd_stop_block(void);
void vd_stop_unblock(void);

/* A file that goes, until it is forgotten. The name must last as long. Called while signals are held. */
void vd_stop_add_file(const char *path);
void vd_stop_forget_file(const char *path);
/* Removes the files now. */
void vd_stop_clean(void);

/* A process that ends with this one; as fork. It has nothing of what was added here. */
pid_t vd_stop_fork(void);
/* Waits for one that is about to end; the status is that of waitpid. */
int vd_stop_wait(pid_t pid);

#endif
