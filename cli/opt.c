#include "opt.h"

#include "base/base.h"
#include "base/text.h"

#include <string.h>

void vd_opt_start(vd_opt_state *s, int argc, char **argv) {
  *s = (vd_opt_state){.argc = argc, .argv = argv, .next = 1};
}

static const char *tool_name(const vd_opt_state *s) {
  const char *slash = s->argc > 0 ? strrchr(s->argv[0], '/') : NULL;
  return slash ? slash + 1 : s->argc > 0 ? s->argv[0] : "vdsim";
}

static int complain(const vd_opt_state *s, const char *what, const char *option, const char *near) {
  fprintf(stderr, "%s: error: %s '%s'%s%s%s; see --help\n", tool_name(s), what, option,
          near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "");
  return VD_OPT_ERROR;
}

static const vd_opt *find_long(const vd_opt *table, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
      return &table[i];
  return NULL;
}

static int next_long(vd_opt_state *s, const vd_opt *table, size_t count, const char *word) {
  const char *equals = strchr(word, '=');
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  const vd_opt *opt = find_long(table, count, word, length);
  if (!opt) {
    const char *names[64] = {0};
    for (size_t i = 0; i < count && i < VD_COUNT(names); i++)
      names[i] = table[i].name;
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), word);
    return complain(s, "unknown option", word - 2, vd_suggest(typed, names, count < 64 ? count : 64));
  }
  if (!opt->argument)
    return equals ? complain(s, "option takes no argument:", word - 2, NULL) : opt->id;
  if (equals || *opt->argument == '=')
    s->value = equals ? equals + 1 : NULL;
  else if (s->next < s->argc)
    s->value = s->argv[s->next++];
  else
    return complain(s, "option needs an argument:", word - 2, NULL);
  return opt->id;
}

static int next_short(vd_opt_state *s, const vd_opt *table, size_t count) {
  char letter = *s->cluster++;
  const vd_opt *opt = NULL;
  for (size_t i = 0; i < count; i++)
    if (table[i].letter == letter)
      opt = &table[i];
  const char text[] = {'-', letter, '\0'};
  if (!opt)
    return complain(s, "unknown option", text, NULL);
  if (opt->argument) {
    if (*s->cluster)
      s->value = s->cluster;
    else if (s->next < s->argc)
      s->value = s->argv[s->next++];
    else
      return complain(s, "option needs an argument:", text, NULL);
    s->cluster = NULL;
  }
  return opt->id;
}

int vd_opt_next(vd_opt_state *s, const vd_opt *table, size_t count) {
  if (s->cluster && *s->cluster)
    return next_short(s, table, count);
  if (s->next >= s->argc)
    return VD_OPT_END;
  char *word = s->argv[s->next++];
  if (s->only_operands || word[0] != '-' || word[1] == '\0') {
    s->value = word;
    return VD_OPT_OPERAND;
  }
  if (strcmp(word, "--") == 0) {
    s->only_operands = true;
    return vd_opt_next(s, table, count);
  }
  if (word[1] == '-')
    return next_long(s, table, count, word + 2);
  s->cluster = word + 1;
  return next_short(s, table, count);
}

void vd_opt_help(FILE *to, const vd_opt *table, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char left[64], letter[8] = "    ";
    if (table[i].letter)
      snprintf(letter, sizeof letter, "-%c, ", table[i].letter);
    const char *argument = table[i].argument ? table[i].argument : "";
    bool optional = *argument == '=';
    snprintf(left, sizeof left, "%s--%s%s%s%s", letter, table[i].name,
             optional    ? "["
             : *argument ? " "
                         : "",
             argument, optional ? "]" : "");
    fprintf(to, "  %-26s %s\n", left, table[i].help);
  }
}
