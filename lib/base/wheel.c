#include "base/wheel.h"

#include <stddef.h>

#define NAME(wheel, name, words, ...)  [wheel] = name,
#define WORDS(wheel, name, words, ...) [wheel] = words,
const char *const vd_wheel_names[VD_WHEELS + 1] = {VD_EACH_WHEEL(NAME, )};
const char *const vd_wheel_words[VD_WHEELS + 1] = {VD_EACH_WHEEL(WORDS, )};
const char *const vd_axle_names[VD_AXLES + 1] = {[VD_FRONT] = "front", [VD_REAR] = "rear"};
const char *const vd_side_names[3] = {"left", "right", NULL};
