/* How a case of a study ended, by the status in its line of the table. */
#ifndef VD_ENDING_H
#define VD_ENDING_H

/* In the order in which they are told. */
enum vd_ending {
  VD_CASE_OK,
  VD_CASE_EXCLUDED,
  VD_CASE_UNANSWERED, /* a search without an answer */
  VD_CASE_ENDED,
  VD_CASE_REFUSED,
  VD_CASE_DIED,
  VD_ENDINGS,
};

/* line: with the number of the case before the status. */
enum vd_ending vd_ending_of(const char *line);

#endif
