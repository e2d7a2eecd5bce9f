#include "study/ending.h"

#include <string.h>

enum vd_ending vd_ending_of(const char *line) {
  static const char *const word[VD_ENDINGS] = {"ok", "excluded", "no answer", "ended", "refused", "died"};
  const char *status = strchr(line, ',');
  int i = 0;
  if (!status)
    return VD_CASE_DIED;
  status += status[1] == '"' ? 2 : 1;
  while (i + 1 < VD_ENDINGS && strncmp(status, word[i], strlen(word[i])) != 0)
    i++;
  return (enum vd_ending)i;
}
