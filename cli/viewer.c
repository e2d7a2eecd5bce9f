/* Style, controls and script of pages with a 3D scene. */
#include "viewer.h"

#include "base/base.h"

#include <string.h>

static const char *const viewer[] = {
#include "viewer.inc"
};

static const char *const style[] = {
    ".stage{position:relative;margin:.8rem 0 .4rem;border:1px solid var(--line);border-radius:4px;overflow:hidden}\n",
    "#view{display:block;width:100%;height:clamp(260px,46vw,560px);touch-action:none;cursor:grab}\n",
    "#clock{position:absolute;left:.7rem;top:.5rem;font-variant-numeric:tabular-nums;font-weight:600;color:#1b1f24}\n",
    ".bar3d{display:flex;flex-wrap:wrap;gap:.5rem .7rem;align-items:center;font-size:.9rem}\n",
    ".bar3d input[type=range]{flex:1 1 12rem;min-width:9rem}\n",
    ".bar3d button,.bar3d select{font:inherit;min-height:2.2rem;padding:.15rem .7rem;border:1px solid var(--soft);"
    "border-radius:4px;background:var(--card);color:var(--ink)}\n",
    ".bar3d button[aria-pressed=true]{background:#0b5cad;border-color:#0b5cad;color:#fff}#play{min-width:4.6rem}\n",
    ".bar3d label{white-space:nowrap}.views{display:flex;flex-wrap:wrap;gap:.3rem}\n",
    ".runs{list-style:none;margin:.5rem 0;padding:0;font-size:.9rem}.swatch{display:inline-block;width:.9rem;"
    "height:.9rem;border-radius:2px;margin-right:.4rem;vertical-align:-.1rem}\n",
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,var(--column,22rem)),1fr));"
    "gap:.75rem}"
    ".pictures svg{display:block;width:100%;height:auto;background:var(--card);border:1px solid "
    "var(--line);border-radius:3px}\n",
    ".pictures>svg{align-self:start}.pictures svg svg{border:0;background:none}pre{overflow-x:auto;font:.82rem/1.4 "
    "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre-wrap}\n",
    ".warn{border-left:4px solid var(--known);background:var(--knownface);padding:.5rem .8rem;margin:.6rem "
    "0}.warn p{margin:.15rem 0}#probe{display:none}\n",
    ".metrics td:last-child{color:var(--soft);font-size:.86rem;min-width:14rem}.metrics td{overflow-wrap:break-word}"
    ".metrics td:first-child{min-width:12rem}"
    ".metrics th.of,.metrics .text,.metrics .n .soft{white-space:normal;overflow-wrap:anywhere}"
    ".metrics th.of{min-width:6rem}summary{cursor:pointer}\n",
    "@media screen and (max-width:640px){.metrics td:last-child,.metrics td:first-child{min-width:0}.bar3d "
    "button,.bar3d "
    "select{min-height:2.6rem}.metrics tr{display:grid;grid-template-columns:minmax(0,1fr) auto}.metrics thead "
    "tr{display:none}.metrics td{border:0;padding:.1rem .2rem}.metrics "
    "td:last-child{grid-column:1/-1;border-bottom:1px solid var(--line);padding-bottom:.4rem}\n",
    /* values of several runs: each in a line of its own, behind the name of its run */
    ".metrics tr:has(td[data-of]) td{grid-column:1/-1}.metrics td[data-of]{display:flex;justify-content:space-between;"
    "gap:.8rem;white-space:normal}.metrics td[data-of]::before{content:attr(data-of);text-align:left;"
    "color:var(--soft);overflow-wrap:anywhere;min-width:5rem}}\n",
    "@media print{.stage,.bar3d{display:none}.pictures{grid-template-columns:1fr 1fr}.pictures>svg{break-inside:avoid}"
    ".cursor{display:none}h3.list{break-after:avoid}.runs input{display:none}.metrics td:first-child{min-width:7rem}"
    ".metrics td:last-child{min-width:9rem}.metrics th.of{min-width:4rem}"
    ".metrics:has(th:nth-child(5)){font-size:.78rem}.metrics:has(th:nth-child(5)) :is(td,th){padding:.3rem .25rem}}\n",
};

void vd_viewer_style(vd_buf *out) {
  vd_buf_puts(out, "<style>\n");
  for (size_t i = 0; i < VD_COUNT(style); i++)
    vd_buf_puts(out, style[i]);
  vd_buf_puts(out, "</style>\n");
}

void vd_viewer_controls(const vd_viewer_view *view, size_t count, const vd_viewer_view *motion, size_t motions,
                        bool car, vd_buf *out) {
  static const char *const speeds[] = {"0.1", "0.25", "0.5", "1", "2", "5"};
  vd_buf_puts(out, "<div class=\"stage\"><canvas id=\"view\" role=\"img\" aria-label=\"the scene in space\"></canvas>"
                   "<span id=\"clock\"></span></div>\n<div class=\"bar3d screenonly\">\n"
                   "<button id=\"play\" type=\"button\">Play</button>\n"
                   "<input id=\"time\" type=\"range\" aria-label=\"time\">\n<label>Speed <select id=\"speed\">");
  for (size_t i = 0; i < VD_COUNT(speeds); i++) {
    const char *selected = strcmp(speeds[i], "1") == 0 ? " selected" : "";
    vd_buf_printf(out, "<option value=\"%s\"%s>%s×</option>", speeds[i], selected, speeds[i]);
  }
  vd_buf_puts(out, "</select></label>\n");
  for (size_t i = 0; i < motions; i++)
    vd_buf_printf(out, "%s<button type=\"button\" data-motion=\"%s\">%s</button>%s",
                  i == 0 ? "<span class=\"views\">" : "", motion[i].key, motion[i].name,
                  i + 1 == motions ? "</span>\n" : "");
  vd_buf_puts(out, "<span class=\"views\">");
  for (size_t i = 0; i < count; i++)
    vd_buf_printf(out, "<button type=\"button\" data-view=\"%s\">%s</button>", view[i].key, view[i].name);
  vd_buf_puts(out, "</span>\n");
  if (car)
    vd_buf_puts(out, "<label><input id=\"forces\" type=\"checkbox\" checked> Forces</label>\n"
                     "<label><input id=\"body\" type=\"checkbox\" checked> Body</label>\n");
  vd_buf_puts(out, "</div>\n");
}

void vd_viewer_scene_begin(vd_buf *out) {
  vd_buf_puts(out, "<pre id=\"probe\"></pre>\n<script type=\"application/json\" id=\"scene\">");
}

void vd_viewer_scene_end(vd_buf *out) {
  vd_buf_puts(out, "</script>\n<script>\n");
  for (size_t i = 0; i < VD_COUNT(viewer); i++)
    vd_buf_puts(out, viewer[i]);
  vd_buf_puts(out, "</script>\n");
}
