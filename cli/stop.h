/* Cleans up when a tool is stopped by INT, TERM or HUP, or because memory runs out: its child processes are stopped,
 * its temporary files are removed, finished results stay, and one line says what is kept. The tool then dies of the
 * signal. */
#ifndef VD_STOP_H
#define VD_STOP_H

#include "process.h"

/* Installs the handlers. name: the tool's name in the message. A signal that was ignored when the tool was started
 * stays ignored, as nohup requires. */
void vd_stop_start(const char *name);

/* Sets the message: `finished` of `total` pieces are finished; `kept` says which results are kept. The strings must
 * last. total 0: there are no pieces. */
void vd_stop_set_message(size_t finished, size_t total, const char *unit, const char *kept);

/* Between vd_stop_block and vd_stop_unblock no signal stops the tool. Calls nest. */
void vd_stop_block(void);
void vd_stop_unblock(void);

/* Registers a file that is removed if the tool is stopped, until vd_stop_forget_file. The string must last as long.
 * Both functions are called while signals are blocked. */
void vd_stop_add_file(const char *path);
void vd_stop_forget_file(const char *path);
/* Removes the registered files now. */
void vd_stop_clean(void);

/* Starts a process that is stopped together with this one; returns like vd_process_start. A copy starts without
 * registered files and processes. */
vd_process vd_stop_start_process(const vd_worker_links *links);
/* Waits for a process that is about to end. */
vd_process_end vd_stop_wait(vd_process process);

#endif
