/* HTML: text, numbers and units, and the head, style and end of every page. */
#include "html.h"

#include "base/base.h"
#include "base/elementary.h"
#include "input/quantity.h"
#include "input/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vd_html_text(vd_buf *out, const char *text) {
  for (size_t left = strlen(text), n; left > 0; text += n, left -= n) {
    unsigned code;
    n = vd_utf8(text, left, &code);
    if (n == 0) {
      n = 1;
      vd_buf_puts(out, "\xEF\xBF\xBD");
    } else if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
      vd_buf_puts(out, " ");
    } else {
      switch (*text) {
      case '&': vd_buf_puts(out, "&amp;"); break;
      case '<': vd_buf_puts(out, "&lt;"); break;
      case '>': vd_buf_puts(out, "&gt;"); break;
      case '"': vd_buf_puts(out, "&quot;"); break;
      case '\'': vd_buf_puts(out, "&#39;"); break;
      default: vd_buf_add(out, text, n);
      }
    }
  }
}

void vd_html_lines(vd_buf *out, const char *text) {
  while (text && *text) {
    size_t length = strcspn(text, "\n");
    vd_buf one = {0};
    vd_buf_add(&one, text, length);
    vd_html_text(out, one.text);
    vd_buf_finish(&one);
    text += length;
    if (*text) {
      vd_buf_puts(out, "\n");
      text++;
    }
  }
}

void vd_html_superscript(vd_buf *out, int exponent) {
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char text[16];
  snprintf(text, sizeof text, "%d", exponent);
  for (const char *c = text; *c; c++)
    vd_buf_puts(out, *c == '-' ? "⁻" : digit[*c - '0']);
}

/* Writes a number with at most `decimals' decimals, without zeros at their end. */
static void write_fixed(vd_buf *out, double value, int decimals) {
  char text[64];
  int length = snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
  if (strchr(text, '.')) {
    while (text[length - 1] == '0')
      text[--length] = '\0';
    if (text[length - 1] == '.')
      text[--length] = '\0';
  }
  vd_buf_puts(out, value < 0.0 && strcmp(text, "0") != 0 ? "−" : "");
  vd_buf_puts(out, text);
}

void vd_html_number(vd_buf *out, double value, double resolution) {
  char text[64];
  if (isnan(value)) {
    vd_buf_puts(out, "–");
    return;
  }
  if (isinf(value) || value == 0.0) {
    vd_buf_puts(out, value == 0.0 ? "0" : value > 0.0 ? "∞" : "−∞");
    return;
  }
  double digits = resolution > 0.0 && isfinite(resolution) ? ceil(vd_log10(fabs(value) / resolution)) + 2.0 : 4.0;
  int n = (int)vd_min(vd_max(digits, 3.0), 9.0);
  /* the exponent is that of the rounded number: 9.9996e8 becomes 1×10⁹, not 10×10⁸ */
  snprintf(text, sizeof text, "%.*e", n - 1, value);
  int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  if (exponent >= -3 && exponent < 7) {
    write_fixed(out, value, n - 1 - exponent > 0 ? n - 1 - exponent : 0);
  } else {
    write_fixed(out, strtod(text, NULL) / vd_pow(10.0, exponent), n - 1);
    vd_buf_puts(out, "×10");
    vd_html_superscript(out, exponent);
  }
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool vd_html_has_unit(const char *unit) {
  return *unit != '\0' && strcmp(unit, "1") != 0 && strcmp(unit, "SI") != 0;
}

void vd_html_unit(vd_buf *out, const char *unit) {
  if (!vd_html_has_unit(unit))
    return;
  for (const char *c = unit; *c; c++) {
    bool power = c > unit && is_letter(c[-1]) && (*c == '2' || *c == '3');
    char one[] = {*c, '\0'};
    if (power)
      vd_buf_puts(out, *c == '2' ? "²" : "³");
    else
      vd_html_text(out, one);
  }
}

void vd_html_quantity(vd_buf *out, double value, double resolution, const char *unit) {
  vd_html_number(out, value, resolution);
  if (isnan(value) || !vd_html_has_unit(unit))
    return;
  vd_buf_puts(out, "\u202F");
  vd_html_unit(out, unit);
}

double vd_html_customary(double value, const char **unit) {
  static const struct {
    const char *unit, *shown;
  } table[] = {{"rad s2/m", "deg/g"},  {"rad m/s2", "deg g"}, {"m/(s2 rad)", "m/(s2 deg)"},
               {"N m/rad", "N m/deg"}, {"N m s2/m", "N m/g"}, {"rad/m", "deg/m"}};
  /* standards use m/s2, not g */
  const vd_unit_name *field = strcmp(*unit, "m/s2") != 0 ? vd_unit_field(*unit) : NULL;
  if (field) {
    *unit = field->field;
    return vd_unit_to_field(field, value);
  }
  for (size_t i = 0; i < VD_COUNT(table); i++)
    if (strcmp(table[i].unit, *unit) == 0) {
      *unit = table[i].shown;
      return vd_quantity_in(table[i].shown, value);
    }
  return value;
}

/* --- pages --- */

/* The style consists of several strings, because compilers need not accept a string of more than 4095 characters. */
static const char *const style[] = {
    ":root{color-scheme:light;--ink:#1b1f24;--soft:#5a6470;--line:#d5dae0;--face:#fff;--card:#fff;--shade:#f4f6f8;"
    "--run:#0b5cad;--other:#c2500a;--band:#0b5cad26;--good:#1a7f37;--bad:#c4001d;--known:#8a5a00;--badface:#fdf0f1;"
    "--knownface:#fdf6e7}\n",
    "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--ink:#e6e9ed;--soft:#9aa4b0;--line:#3a424c;"
    "--face:#14171b;--card:#1b1f25;--shade:#22272e;--run:#6cb2ff;--other:#ff9d5c;--band:#6cb2ff33;--good:#57c271;"
    "--bad:#ff7081;--known:#e0b050;--badface:#2c191d;--knownface:#2a2416}}\n",
    "*{box-sizing:border-box}\n",
    "html{-webkit-text-size-adjust:100%}\n",
    "body{margin:0 auto;max-width:110rem;padding:1.25rem 1.5rem 3rem;background:var(--face);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica "
    "Neue',Arial,sans-serif;overflow-wrap:anywhere}\n",
    "a{color:var(--run);text-decoration-thickness:1px;text-underline-offset:2px}\n",
    "h1{font-size:1.75rem;line-height:1.2;margin:.2rem 0 .3rem}\n",
    "h2{font-size:1.25rem;line-height:1.3;margin:2.2rem 0 .7rem;padding-bottom:.25rem;border-bottom:2px solid "
    "var(--line)}\n",
    "h3{font-size:1.05rem;line-height:1.35;margin:0}h3.list{margin:1.4rem 0 .3rem;break-after:avoid}\n",
    "p{margin:.4rem 0}\n",
    "code{font:.86em/1.4 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}\n",
    ".soft,.meta,.more{color:var(--soft)}.meta,.more{font-size:.875rem}\n",
    "nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.9rem}\n",
    "nav .next{margin-left:auto}\n",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1rem 0;padding:0;"
    "list-style:none}\n",
    ".tiles li{border:1px solid var(--line);border-top:4px solid var(--soft);border-radius:4px;padding:.5rem .8rem;"
    "background:var(--card)}\n",
    ".tiles b{display:block;font-size:1.9rem;line-height:1.15;font-variant-numeric:tabular-nums}\n",
    ".tiles .holds{border-top-color:var(--good)}.tiles .fails{border-top-color:var(--bad)}"
    ".tiles .known{border-top-color:var(--known)}.tiles .none{border-top-color:var(--line);color:var(--soft)}\n",
    ".claim{border:1px solid var(--line);border-left:4px solid var(--good);border-radius:4px;background:var(--card);"
    "padding:.8rem 1rem .9rem;margin:0 0 1rem;break-inside:avoid}\n",
    ".claim.fails{border-left-color:var(--bad);background:var(--badface)}"
    ".claim.known{border-left-color:var(--known);background:var(--knownface)}\n",
    ".claim:target{outline:3px solid var(--run);outline-offset:2px}\n",
    ".verdict{font-weight:600;white-space:nowrap}.verdict.holds{color:var(--good)}.verdict.fails{color:var(--bad)}"
    ".verdict.known{color:var(--known)}\n",
    ".claim h3 .verdict{float:right;margin-left:.8rem}.claim dd .bar{width:11rem}\n",
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.45rem 1rem;margin:.65rem "
    "0}\n",
    ".figures div{min-width:0}.figures div:not(.wide) dd{white-space:nowrap}.figures .wide{grid-column:1/-1}\n",
    "dt{font-size:.8rem;color:var(--soft)}dd{margin:0;font-variant-numeric:tabular-nums}\n",
    ".reason{border-left:3px solid var(--bad);padding-left:.6rem}.known .reason{border-left-color:var(--known)}\n",
    ".notes{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem .8rem;margin:.5rem 0 0;"
    "font-size:.875rem}\n",
    ".notes dt{font-size:inherit}\n",
    ".definitions{list-style:none;margin:.4rem 0;padding:0;font-size:.92rem;columns:24rem 2}\n",
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:.75rem;margin-top:."
    "8rem}\n",
    ".plots .more,.broad{grid-column:1/-1;margin:0}.small{display:none}@media screen and "
    "(min-width:900px){.sides{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,9fr);gap:1.5rem}}.plots "
    "svg{display:block;width:100%;height:auto;background:var(--card);border:1px solid var(--line);"
    "border-radius:3px}.cases{margin-top:.6rem}.kept{white-space:nowrap}.kept p{white-space:normal}\n",
    ".bar{display:inline-block;width:8.5rem;max-width:100%;height:.75rem;vertical-align:-.05rem;margin-right:.5rem}\n",
    ".tablebox{overflow-x:auto}\n",
    "table{border-collapse:collapse;width:100%;font-size:.92rem}\n",
    "th,td{padding:.32rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n",
    "th{font-size:.8rem;color:var(--soft);font-weight:600;vertical-align:bottom}\n",
    "th,.verdict,td.bars{overflow-wrap:normal}td "
    ".more{overflow-wrap:break-word}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:"
    "nowrap}\n",
    "tr.fails td{background:var(--badface)}tr.known td{background:var(--knownface)}\n",
    ".sentence{width:58%}.figure{min-width:min(14rem,45vw)}td.bars{white-space:nowrap}td.bars "
    ".bar{width:6rem;max-width:none}\n",
    "svg text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;fill:var(--ink)}\n",
    "svg .title{font-weight:600;font-size:12px}svg .tick{fill:var(--soft);font-size:10.5px}svg "
    ".words{paint-order:stroke;stroke:var(--card);stroke-width:3.5;stroke-linejoin:round}\n",
    "svg .grid{stroke:var(--line);stroke-width:.7;fill:none}svg .frame{stroke:var(--soft);stroke-width:.8;fill:none}\n",
    "svg .run{stroke:var(--run);stroke-width:1.6;fill:none;stroke-linejoin:round}\n",
    "svg .h1{stroke:#0072b2}svg .h2{stroke:#d55e00;stroke-dasharray:7 2.5}svg .h3{stroke:#009e73;stroke-dasharray:2.5 "
    "2}svg .h4{stroke:#cc79a7;stroke-dasharray:9 2 2 2}svg .h5{stroke:#56b4e9;stroke-dasharray:4 2}svg "
    ".h6{stroke:#e69f00;stroke-dasharray:12 3}svg .h7{stroke:#000}\n",
    "svg .d1{stroke-dasharray:none}svg .d2{stroke-dasharray:7 2.5}svg .d3{stroke-dasharray:2.5 2}svg "
    ".d4{stroke-dasharray:9 2 2 2}svg .d5{stroke-dasharray:4 2}svg .d6{stroke-dasharray:12 3}\n",
    "svg path.marks,svg path.points,svg circle{stroke-dasharray:none}\n",
    "svg .guide{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 2.5;fill:none}svg .curve{stroke:#909090;"
    "stroke-width:1.2;fill:none}svg .shape{stroke:#808080;stroke-width:.8;fill:none}\n",
    "svg .at{stroke:var(--soft);stroke-width:1.2;fill:none}svg .cones{stroke:none;fill:var(--soft)}svg "
    ".hits{stroke:#d55e00;stroke-width:1.6;fill:none}\n",
    "svg .area{stroke:var(--soft);stroke-width:.5}svg .a1{fill:#0072b2}svg .a2{fill:#e69f00}svg .a3{fill:#009e73}svg "
    ".a4{fill:#f0e442}svg .a5{fill:#d55e00}svg .a6{fill:#56b4e9}svg .a7{fill:#000}svg .a8{fill:#cc79a7}svg "
    ".a9{fill:#404040}\n",
    "@media screen and (prefers-color-scheme:dark){svg .h7{stroke:#e6e9ed}svg .marks.h7{fill:#e6e9ed}svg "
    ".a7{fill:#e6e9ed}svg .a9{fill:#9aa4b0}}\n",
    "svg .cursor{stroke:var(--ink);stroke-width:1;opacity:.65}\n",
    "svg .other{stroke:var(--other);stroke-width:1.4;stroke-dasharray:6 3;fill:none;stroke-linejoin:round}\n",
    "svg .limit{stroke:var(--bad);stroke-width:1.3;stroke-dasharray:2 2.5;fill:none}\n",
    "svg .marks{stroke:var(--run);fill:var(--run);stroke-width:1}svg "
    ".points{stroke:var(--other);fill:none;stroke-width:1.3}\n",
    "svg .marks.h1{fill:#0072b2}svg .marks.h2{fill:#d55e00}svg .marks.h3{fill:#009e73}svg .marks.h4{fill:#cc79a7}svg "
    ".marks.h5{fill:#56b4e9}svg .marks.h6{fill:#e69f00}svg .marks.h7{fill:#000}\n",
    "svg .band{fill:var(--band);stroke:none}svg .part{fill:var(--run)}svg .less{fill:var(--other)}\n",
    "svg .track{fill:var(--shade);stroke:var(--line);stroke-width:.5}svg .within{fill:var(--good)}svg "
    ".beyond{fill:var(--bad)}"
    "svg .expected{fill:var(--known)}svg .one{stroke:var(--ink);stroke-width:1}\n",
    "@media screen and (max-width:640px){.broad{display:none}.small{display:block}body{padding:.8rem .8rem "
    "2rem}h1{font-size:1.4rem}h2{margin-top:1.7rem}"
    ".claim{padding:.65rem .7rem .75rem}.tiles{grid-template-columns:1fr 1fr;gap:.5rem}.wideonly{display:none}"
    ".claim h3 .verdict{float:none;display:block;margin:0}.figures{grid-template-columns:1fr 1fr}"
    ".notes{grid-template-columns:1fr}.notes dd{margin-bottom:.3rem}th,td{padding:.35rem .4rem}"
    ".verdict{white-space:normal}.sentence{width:auto}td.bars .bar{width:3.6rem;display:block}\n",
    /* the cells of a row follow each other in lines; each number stands behind its name */
    ".flow thead{display:none}.flow tr,.flow td:first-child{display:block}.flow tr{border-bottom:1px solid "
    "var(--line);padding:.3rem 0}.flow td{display:inline-block;border:0;padding:.05rem .9rem .05rem 0}.flow "
    "td.n{text-align:left;white-space:normal}.flow td[data-of]::before{content:attr(data-of) ' ';color:var(--soft)}"
    ".flow td.wideonly{display:none}.flow td.bars .bar{display:inline-block}}\n",
    "@page{size:A4;margin:14mm 13mm}\n",
    "@media "
    "print{html{font-size:12px}body{max-width:none;padding:0;font-size:9.5pt;line-height:1.35}nav,.screenonly{display:"
    "none}"
    "a{color:inherit;text-decoration:none}h2,h3,h2+p,h3+p{break-after:avoid}h2{margin-top:1.2rem}h1{font-size:17pt}"
    ".claim{margin-bottom:.5rem;padding:.45rem .7rem .55rem}.claim,.tiles li,tr{break-inside:avoid}"
    ".tiles "
    "b{font-size:15pt}.tiles{grid-template-columns:repeat(5,1fr)}.plots{grid-template-columns:1fr "
    "1fr;gap:.4rem;margin-top:.4rem}"
    ".one,.bare{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.one .plots{grid-template-columns:1fr}"
    ".broad{display:none}.small{display:block}.one .figures,.bare .figures{grid-template-columns:1fr 1fr}"
    ".flow{font-size:.8rem}.flow .more{font-size:inherit}.flow :is(td,th){padding:.25rem .3rem}"
    ".flow td.bars .bar{width:2.5rem}.flow .verdict{white-space:normal}.flow .figure{min-width:0}.flow .kept{"
    "white-space:normal}.figures{grid-template-columns:repeat(4,1fr);margin:.35rem 0}thead{display:table-header-group}"
    "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n",
};

void vd_html_begin(vd_buf *out, const char *tool, const char *title) {
  vd_buf_printf(out,
                VD_HTML_START "%s " VDSIM_VERSION "\">\n"
                              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
                tool);
  vd_html_text(out, title);
  vd_buf_puts(out, "</title>\n<style>\n");
  for (size_t i = 0; i < sizeof style / sizeof *style; i++)
    vd_buf_puts(out, style[i]);
  vd_buf_puts(out, "</style>\n</head>\n<body>\n");
}

/* Writes a line of the style with its variables replaced by their light values. */
static void write_plain(const char *line, vd_buf *out) {
  for (const char *at; (at = strstr(line, "var(")) != NULL;) {
    vd_buf_add(out, line, (size_t)(at - line));
    char name[32];
    size_t length = strcspn(at, ")");
    snprintf(name, sizeof name, "%.*s:", (int)length - 4, at + 4);
    const char *value = strstr(style[0], name) + strlen(name);
    vd_buf_add(out, value, strcspn(value, ";}"));
    line = at + length + 1;
  }
  vd_buf_puts(out, line);
}

void vd_html_picture_style(vd_buf *out) {
  for (size_t i = 0; i < sizeof style / sizeof *style; i++)
    if (strncmp(style[i], "svg ", 4) == 0)
      write_plain(style[i], out);
}

void vd_html_end(vd_buf *out) {
  vd_buf_puts(out, "</body>\n</html>\n");
}
