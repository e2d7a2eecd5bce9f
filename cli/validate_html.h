/* Declarations that validate_html.c, which writes the pages, and validate_card.c, which writes the card of a statement,
 * share. */
#ifndef VD_VALIDATE_HTML_H
#define VD_VALIDATE_HTML_H

#include "html.h"
#include "validate.h"

/* Claims of one file. */
typedef struct vd_html_page {
  size_t from, to;
  char name[128]; /* file name in the folder */
} vd_html_page;

typedef struct vd_book {
  const vd_validate_settings *settings;
  const vd_validation *v;
  vd_html_page *page;
  size_t count;
  char here[1024]; /* the working directory, with a slash; empty: not known */
} vd_book;

/* The cases of a statement. */
typedef struct vd_statement {
  size_t from, to;
  size_t worst;                    /* index of the worst case */
  enum vd_finding_verdict verdict; /* verdict of the worst case */
  size_t of[VD_SURPRISE + 1];      /* cases by their verdicts */
} vd_statement;

vd_statement vd_statement_at(const vd_book *b, size_t from);
static inline bool vd_verdict_is_bad(enum vd_finding_verdict v) {
  return v == VD_FAILS || v == VD_SURPRISE;
}

/* Writes a path relative to the working directory, without "x/../". */
void vd_book_path(const vd_book *b, const char *path, vd_buf *out);
/* Writes a link to a claim: its page and its anchor there. */
void vd_book_link(const vd_book *b, size_t claim, vd_buf *out);
void vd_html_code(const char *text, vd_buf *out);

/* Returns the CSS class of a verdict. */
const char *vd_verdict_class(enum vd_finding_verdict v);
/* Writes "holds", or for several cases "2 of 7 fail". */
void vd_card_verdict(const vd_statement *s, vd_buf *out);
/* Writes the sentence of a statement. If the card stands apart from the others of its file, a sentence that begins with
 * "and" is written after the sentence that it continues. */
void vd_card_sentence(const vd_book *b, const vd_statement *s, bool apart, vd_buf *out);
/* Whether the share of the tolerance can be shown as a bar and a number; bounds have no tolerance. */
bool vd_card_has_share(const vd_finding *f);
void vd_card_times(double share, vd_buf *out);
void vd_card_share(const vd_finding *f, vd_buf *out);

/* Writes the card of a statement, with its figures, source and pictures. id: beginning of its anchor; apart: the card
 * stands among those of other files, and lists only the cases with the verdict of the worst one. */
void vd_card(const vd_book *b, const vd_statement *s, const char *id, bool apart, vd_buf *out);
/* Writes the table of the figures of a file that are compared with measurements; from, to: indices of cases. Writes
 * nothing if there are fewer than two figures. For a curve the table shows its distance from the band. */
void vd_card_measured(const vd_book *b, size_t from, size_t to, vd_buf *out);

#endif
