"""Opens pages with a viewer in frames of one window of headless Chromium, and returns what their viewers tell."""
import html
import json
import os
import re
import subprocess
import tempfile

PAGE = r"""<!DOCTYPE html><meta charset="utf-8"><pre id="told"></pre>
<script>
const told = () => [...document.querySelectorAll('iframe')].map((frame) => {
  const probe = frame.contentDocument && frame.contentDocument.getElementById('probe');
  return probe && probe.textContent ? JSON.parse(probe.textContent) : null;
});
setInterval(() => { document.getElementById('told').textContent = JSON.stringify(told()); }, 50);
</script>
"""


def probes(pages):
    """Takes a list of (address of a page with #...&probe, wide, high), in pixels. Returns a list with what each viewer
    tells, and a text of faults. A window of Chromium is at least 500 px wide; a frame in it is as wide as a phone."""
    with tempfile.TemporaryDirectory() as folder:
        window = os.path.join(folder, "window.html")
        with open(window, "w", encoding="utf-8") as out:
            out.write(PAGE)
            for address, wide, high in pages:
                out.write(f'<iframe style="border:0;width:{wide}px;height:{high}px" '
                          f'src="{html.escape(address)}"></iframe>\n')
        run = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,3000",
                              "--allow-file-access-from-files", f"--user-data-dir={folder}/profile",
                              "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom",
                              f"file://{window}"],
                             capture_output=True, text=True, timeout=480, check=False)
    faults = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    found = re.search(r'<pre id="told">(\[.*?\])</pre>', run.stdout, re.S)
    told = json.loads(html.unescape(found[1])) if found else [None] * len(pages)
    if faults:
        return told, "the console reports: " + faults[0]
    return told, "" if all(told) else "a viewer did not start: " + run.stderr[-300:]
