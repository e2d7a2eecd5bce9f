#include "tool.h"

#include "commit.h"
#include "process.h"
#include "stop.h"

#include "base/base.h"
#include "base/memory.h"
#include "base/num.h"
#include "base/system.h"
#include "input/data_folder.h"
#include "input/file.h"
#include "input/schema.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Name of the tool that was started, number of its arguments, and the texts of files of settings, which last as long as
 * the process. */
static const char *tool_name = "vdsim";
static size_t argument_count;
static bool json; /* --json was given */
static vd_arena *texts;

bool vd_tool_json(void) {
  return json;
}

/* --- messages --- */

static void print_message(const char *severity, const char *format, va_list arguments) {
  fprintf(stderr, "%s: %s: ", tool_name, severity);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
}

bool vd_tool_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_message("error", format, arguments);
  va_end(arguments);
  return false;
}

void vd_tool_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_message("note", format, arguments);
  va_end(arguments);
}

void vd_tool_print_messages(vd_diag *d) {
  vd_diag_print(d, stderr, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
}

/* --- standard output and files --- */

int vd_tool_close_stdout(int status) {
  if (!ferror(stdout) && fflush(stdout) == 0)
    return status;
  if (errno == EPIPE)
    return status;
  vd_tool_error("cannot write to standard output: %s", strerror(errno));
  return VD_EXIT_TROUBLE;
}

void vd_tool_add_lines(const char *before, const vd_buf *lines, vd_buf *out) {
  for (const char *line = lines->text; line && *line; line += strcspn(line, "\n") + 1)
    vd_buf_printf(out, "%s%.*s\n", before, (int)strcspn(line, "\n"), line);
}

void vd_tool_report_estimates(const char *path, size_t count, const vd_buf *names) {
  vd_buf text = {0};
  vd_buf_printf(&text, "%s: %zu value%s estimated\n", path, count, count == 1 ? " is" : "s are");
  vd_tool_add_lines("  ", names, &text);
  if (count > 0)
    fwrite(text.text, 1, text.length, stdout);
  vd_buf_finish(&text);
}

bool vd_tool_is_stdout(const char *path) {
  return !path || strcmp(path, "-") == 0;
}

const char *vd_tool_input_name(const char *path) {
  return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* --- the data folder --- */

const char *vd_tool_find(const char *path) {
  if (strcmp(path, "-") == 0 || access(path, F_OK) == 0)
    return path;
  texts = texts ? texts : vd_arena_create();
  const char *shipped = vd_file_in_data(texts, path);
  return shipped ? shipped : path;
}

/* --- outputs --- */

bool vd_tool_names_text(const char *option, const char *path) {
  static const char *const inputs_end[] = {".yaml", ".yml", ".tir", ".obj"};
  for (size_t i = 0; i < VD_COUNT(inputs_end) && path; i++)
    if (vd_ends_in(path, inputs_end[i]))
      return vd_tool_error("'%s %s': the output is not a %s file; see --help", option, path, inputs_end[i] + 1);
  return true;
}

/* Removes temporary files that killed processes have left in a folder, when the folder is written to for the first
 * time. */
static void clear_folder(const char *folder, size_t length) {
  static vd_buf last;
  if (last.text && last.length == length && memcmp(last.text, folder, length) == 0)
    return;
  last.length = 0;
  vd_buf_add(&last, folder, length);
  vd_output_clear(length > 0 ? last.text : ".");
}

void vd_tool_clear_folder(const char *folder) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  clear_folder(folder, length);
}

static vd_output *open_output(const char *path) {
  vd_stop_block();
  vd_output *o = vd_output_open(path);
  int error = errno;
  if (o && vd_output_temporary(o))
    vd_stop_add_file(vd_output_temporary(o));
  vd_stop_unblock();
  if (!o)
    vd_tool_error("cannot write '%s': %s", path, strerror(error));
  const char *name = o ? vd_output_temporary(o) : NULL, *slash = name ? strrchr(name, '/') : NULL;
  if (name)
    clear_folder(name, slash > name ? (size_t)(slash - name) : slash ? 1 : 0);
  return o;
}

vd_output *vd_tool_open_output(const char *path, enum vd_replaces what) {
  return vd_tool_may_write(path, what) ? open_output(path) : NULL;
}

int vd_tool_written(const char *path, int error) {
  if (error == 0 || error == EPIPE)
    return VD_EXIT_YES;
  vd_tool_error("cannot write '%s': %s", path, strerror(error));
  return VD_EXIT_TROUBLE;
}

int vd_tool_commit(vd_output *o, const char *path, const char *final_name) {
  /* writing to a pipe may have to wait for its reader; a signal must still stop the tool during this time */
  vd_output_flush(o);
  vd_stop_block();
  vd_stop_forget_file(vd_output_temporary(o));
  int error = vd_output_commit(o, final_name);
  vd_stop_unblock();
  return vd_tool_written(path, error);
}

void vd_tool_discard(vd_output *o) {
  if (!o)
    return;
  vd_stop_block();
  vd_stop_forget_file(vd_output_temporary(o));
  vd_output_discard(o);
  vd_stop_unblock();
}

int vd_tool_write_text(const char *path, enum vd_replaces what, const char *text, size_t length) {
  bool may = what == VD_REPLACES_OURS ? vd_tool_may_write_text(path, text, length) : vd_tool_may_write(path, what);
  vd_output *o = may ? open_output(path) : NULL;
  if (!o)
    return VD_EXIT_TROUBLE;
  vd_output_bytes(o, text, length);
  return vd_tool_commit(o, path, NULL);
}

/* Name of the lock file of this process, which has at most one. The lock file is removed when the lock ends; a process
 * that waited for a removed file makes a new one. */
static vd_buf lock_name;

int vd_tool_await_turn(const char *base) {
  const char *slash = strrchr(base, '/');
  int folder = slash ? (int)(slash - base) + 1 : 0, fd = -1, error = 0;
  struct stat own, there;
  bool gone;
  vd_buf_finish(&lock_name);
  vd_buf_printf(&lock_name, "%.*s.vdsim-%s.lock", folder, base, base + folder);
  do {
    if (fd >= 0)
      close(fd);
    fd = vd_open(lock_name.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    error = fd < 0 ? errno : vd_file_lock(fd, true);
    gone = error == 0 && (fstat(fd, &own) != 0 || stat(lock_name.text, &there) != 0 || own.st_ino != there.st_ino ||
                          own.st_dev != there.st_dev);
  } while (gone);
  vd_stop_block();
  if (fd >= 0)
    vd_stop_add_file(lock_name.text);
  vd_stop_unblock();
  return fd;
}

void vd_tool_end_turn(int turn) {
  if (turn < 0)
    return;
  vd_stop_block();
  vd_stop_forget_file(lock_name.text);
  unlink(lock_name.text);
  close(turn);
  vd_stop_unblock();
}

bool vd_tool_make_folder(const char *path) {
  return mkdir(path, 0777) == 0 || errno == EEXIST ||
         vd_tool_error("cannot make folder '%s': %s", path, strerror(errno));
}

/* --- values of options --- */

bool vd_tool_parse_jobs(const char *text, int *jobs) {
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < 1 || n > 1024)
    return vd_tool_error("'-j %s': a number from 1 to 1024 is needed", text);
  *jobs = (int)n;
  return true;
}

/* --- the command line --- */

enum { END = -4, ERROR = -5 }; /* special return values of next(), besides the ids of vd_opt */

typedef struct command_line {
  const vd_opt *table;
  size_t count;
  int argc;
  char **argv;
  int next;            /* next argv entry */
  const char *cluster; /* rest of a "-qv" cluster */
  bool only_operands;  /* after -- */
  /* the operand, or the argument of the option that was returned last; NULL: it has no argument */
  const char *value;
} command_line;

static int complain(const char *what, const char *option, const char *near) {
  vd_tool_error("%s '%s'%s%s%s; see --help", what, option, near ? "; did you mean '--" : "", near ? near : "",
                near ? "'?" : "");
  return ERROR;
}

static const vd_opt *find_long(const command_line *c, const char *name, size_t length) {
  for (size_t i = 0; i < c->count; i++)
    if (strlen(c->table[i].name) == length && strncmp(c->table[i].name, name, length) == 0)
      return &c->table[i];
  return NULL;
}

/* Takes the next word as an argument. A word that looks like a long option is not taken; such an argument must be given
 * after '='. */
static bool take_argument(command_line *c) {
  if (c->next >= c->argc || strncmp(c->argv[c->next], "--", 2) == 0)
    return false;
  c->value = c->argv[c->next++];
  return true;
}

static int next_long(command_line *c, const char *word) {
  const char *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const vd_opt *opt = find_long(c, word, length);
  if (!opt) {
    const char *names[64] = {0};
    for (size_t i = 0; i < c->count && i < VD_COUNT(names); i++)
      names[i] = c->table[i].name;
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), word);
    return complain("unknown option", word - 2, vd_suggest(typed, names, c->count < 64 ? c->count : 64));
  }
  if (!opt->argument)
    return equals ? complain("option takes no argument:", word - 2, NULL) : opt->id;
  if (equals || *opt->argument == '=')
    c->value = equals ? equals + 1 : NULL;
  else if (!take_argument(c))
    return complain("option needs an argument:", word - 2, NULL);
  return opt->id;
}

static int next_short(command_line *c) {
  char letter = *c->cluster++;
  const vd_opt *opt = NULL;
  for (size_t i = 0; i < c->count; i++)
    if (c->table[i].letter == letter)
      opt = &c->table[i];
  const char text[] = {'-', letter, '\0'};
  if (!opt)
    return complain("unknown option", text, NULL);
  if (opt->argument) {
    if (*c->cluster)
      c->value = c->cluster;
    else if (!take_argument(c))
      return complain("option needs an argument:", text, NULL);
    c->cluster = NULL;
  }
  return opt->id;
}

/* Returns the id of the next option, VD_OPT_OPERAND, END, or ERROR after a message. */
static int next(command_line *c) {
  if (c->cluster && *c->cluster)
    return next_short(c);
  if (c->next >= c->argc)
    return END;
  char *word = c->argv[c->next++];
  if (c->only_operands || word[0] != '-' || word[1] == '\0') {
    c->value = word;
    return VD_OPT_OPERAND;
  }
  if (strcmp(word, "--") == 0) {
    c->only_operands = true;
    return next(c);
  }
  if (word[1] == '-')
    return next_long(c, word + 2);
  c->cluster = word + 1;
  return next_short(c);
}

static void print_help(const vd_tool *tool) {
  fputs(tool->synopsis, stdout);
  for (size_t i = 0; i < tool->options; i++) {
    char left[64], letter[8] = "    ";
    if (tool->option[i].letter)
      snprintf(letter, sizeof letter, "-%c, ", tool->option[i].letter);
    const char *argument = tool->option[i].argument ? tool->option[i].argument : "";
    const char *before = *argument == '=' ? "[" : *argument ? " " : "";
    snprintf(left, sizeof left, "%s--%s%s%s%s", letter, tool->option[i].name, before, argument,
             *argument == '=' ? "]" : "");
    printf("  %-26s %s\n", left, tool->option[i].help);
  }
  fputs(tool->statuses, stdout);
}

/* Prints the version, the commit, the compiler and the options of this build, and the data folder with the shipped
 * files: all that is needed to make the same program again. */
static void print_version(const char *name) {
#if defined(__clang__)
  const char *compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  const char *compiler = "gcc " __VERSION__;
#else
  const char *compiler = "compiler unknown";
#endif
  texts = texts ? texts : vd_arena_create();
  const char *data = vd_data_folder(texts);
  printf("%s %s\ncommit: %s\ncompiler: %s\noptions: %s\ndata: %s\n", name, VDSIM_VERSION, VDSIM_COMMIT, compiler,
         VDSIM_OPTIONS, data ? data : "none");
}

/* --- the tool as a whole --- */

typedef struct whole {
  int (*work)(int argc, char **argv);
  int argc;
  char **argv;
  int status;
} whole;

static void do_work(void *context) {
  whole *w = context;
  w->status = w->work(w->argc, w->argv);
}

/* Replaces GSL's own handler, which would abort the program without a message of ours. */
static void on_gsl_error(const char *reason, const char *file, int line, int error) {
  if (error == GSL_ENOMEM)
    vd_memory_out();
  vd_tool_error("%s:%d: %s", file, line, reason);
  abort();
}

int vd_tool_main(int (*work)(int argc, char **argv), int argc, char **argv) {
  whole w = {work, argc, argv, VD_EXIT_TROUBLE};
  vd_signals_become_errors();
  if (!vd_system_start(argc, argv))
    return VD_EXIT_TROUBLE;
  gsl_set_error_handler(on_gsl_error);
  if (!vd_memory_try(do_work, &w)) {
    vd_stop_clean();
    vd_tool_error("out of memory");
  }
  return w.status;
}

int vd_tool_start(const vd_tool *tool, void *settings, int argc, char **argv) {
  command_line c = {.table = tool->option, .count = tool->options, .argc = argc, .argv = argv, .next = 1};
  tool_name = tool->name;
  argument_count = (size_t)argc;
  vd_stop_start(tool->name);
  /* --json is looked for first, because a list is printed as soon as its option is read */
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    json |= strcmp(argv[i], "--json") == 0;
  int id, status = -1;
  while (status < 0 && (id = next(&c)) != END) {
    if (id == ERROR) {
      status = VD_EXIT_TROUBLE;
    } else if (id == VD_OPT_HELP) {
      print_help(tool);
      status = vd_tool_close_stdout(VD_EXIT_YES);
    } else if (id == VD_OPT_VERSION) {
      print_version(tool->name);
      status = vd_tool_close_stdout(VD_EXIT_YES);
    } else if (id == VD_OPT_FORCE) {
      vd_tool_force();
    } else if (id != VD_OPT_JSON) {
      status = tool->take(settings, id, c.value);
    }
  }
  return status;
}

/* --- settings --- */

/* Reads a file of settings; false after a message. */
static bool read_settings(const char *path, vd_buf *text) {
  vd_file f;
  int error = vd_file_open(path, VD_FILE_ANY, vd_tool_setting_files(), &f);
  if (error == 0)
    error = vd_file_read(&f, (size_t)1 << 20, text);
  if (error == 0 && text->length > 0 && memchr(text->text, '\0', text->length))
    return vd_tool_error("'--set @%s': it is not text", path);
  return error == 0 || vd_tool_error("'--set @%s': %s", path, vd_file_why(error));
}

bool vd_tool_add_settings(const char *text, vd_setting **set, size_t *count) {
  vd_buf file = {0};
  if (*text != '@') {
    (*set)[(*count)++].text = text;
    return true;
  }
  if (!read_settings(text + 1, &file)) {
    vd_buf_finish(&file);
    return false;
  }
  texts = texts ? texts : vd_arena_create();
  const char *folder = vd_file_folder(texts, text + 1), *line = file.text ? file.text : "";
  bool good = true;
  for (size_t length; good && *line; line += length + (line[length] != '\0')) {
    length = strcspn(line, "\n");
    size_t used = length > 0 && line[length - 1] == '\r' ? length - 1 : length, blank = strspn(line, " \t");
    if (blank >= used || line[blank] == '#')
      continue;
    good = memchr(line, '=', used) != NULL;
    *set = vd_reallocate(*set, *count + 1 + argument_count, sizeof **set);
    (*set)[(*count)++] = (vd_setting){.text = vd_arena_copy(texts, line + blank, used - blank), .folder = folder};
  }
  vd_buf_finish(&file);
  return good || vd_tool_error("'--set %s': '%s' is not KEY=VALUE", text, (*set)[*count - 1].text);
}

void vd_tool_add_yaml_text(const char *before, const char *text, vd_buf *out) {
  vd_buf_printf(out, "%s\"", before);
  vd_buf_quote(out, text, strlen(text));
  vd_buf_puts(out, "\"\n");
}

void vd_tool_add_settings_given(const vd_setting *set, size_t count, vd_buf *out) {
  vd_buf_puts(out, count > 0 ? "settings:\n" : "");
  for (size_t i = 0; i < count; i++)
    vd_tool_add_yaml_text("  - ", set[i].text, out);
}
