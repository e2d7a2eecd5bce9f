// The viewer of a report: runs as cars in space, on a canvas, drawn from far to near. It needs nothing but the page.
// World axes: x, y level, z up; the body's: x forward, y left, z up. Poses come from the run; between two frames they
// are interpolated. The part of the address behind # sets what is seen: #t=1.5&view=wheel, and with &probe the page
// tells in its element "probe" where the wheel centres are on the screen.
'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const scene = JSON.parse($('scene').textContent), canvas = $('view'), pen = canvas.getContext('2d');
  // Okabe and Ito, for colour-blind readers too
  const colours = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0]];
  const rgba = (c, a) => `rgba(${c[0]},${c[1]},${c[2]},${a})`;

  // --- numbers ---

  const decode = row => {
    if (Array.isArray(row)) return Float64Array.from(row);
    const out = new Float64Array(row.n);
    if (row.d === undefined) return out.fill(row.c);
    const text = atob(row.d), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const data = new DataView(bytes.buffer);
    for (let i = 0; i < row.n; i++) {
      const q = row.w === 2 ? data.getInt16(2 * i, true) : data.getInt32(4 * i, true);
      out[i] = row.w === 2 && q === -32768 ? NaN : row.o + row.s * q;
    }
    return out;
  };
  const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
  const sub = (a, b) => add(a, b, -1);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };
  const turn = (q, v) => {
    const w = [q[1], q[2], q[3]], t = cross(w, v);
    return add(add(v, t, 2 * q[0]), cross(w, t), 2);
  };

  // A scene has one motion, or several of which one is seen.
  const motions = scene.motions ?? [scene];
  for (const r of motions.flatMap(m => m.runs)) {
    r.time = decode(r.t[0]);
    for (const key of ['place', 'turn', 'wheel', 'axle', 'rolled', 'contact', 'force', 'rods'])
      r[key] = r[key].map(decode);
  }
  const g = scene.ground;
  for (const key of ['loop', 'mesh']) if (g[key]) g[key] = decode(g[key]);
  if (g.grid) { g.grid.z = decode(g.grid.z); if (g.grid.mu) g.grid.mu = decode(g.grid.mu); }
  if (scene.course) scene.course = decode(scene.course);
  let motion, runs, first, last;
  const move = k => {
    motion = motions[k] ?? motions[0];
    runs = motion.runs;
    first = Math.min(...runs.map(r => r.time[0]));
    last = Math.max(...runs.map(r => r.time[r.time.length - 1]));
  };
  move(0);

  // What a run is like at a time.
  const at = (r, t) => {
    const n = r.time.length;
    let lo = 0, hi = n - 1;
    while (hi - lo > 1) { const m = (lo + hi) >> 1; if (r.time[m] <= t) lo = m; else hi = m; }
    const span = r.time[hi] - r.time[lo], u = span > 0 ? Math.min(1, Math.max(0, (t - r.time[lo]) / span)) : 0;
    const mix = row => row[lo] + u * (row[hi] - row[lo]);
    const three = (rows, i) => [mix(rows[3 * i]), mix(rows[3 * i + 1]), mix(rows[3 * i + 2])];
    const same = r.turn.reduce((s, row) => s + row[lo] * row[hi], 0) < 0 ? -1 : 1;
    const q = r.turn.map(row => row[lo] + u * (same * row[hi] - row[lo])), length = Math.hypot(...q);
    const s = { place: three(r.place, 0), q: q.map(v => v / length), wheels: [], rods: [], frame: lo };
    for (let i = 0; i < r.radius.length; i++)
      s.wheels.push({ centre: three(r.wheel, i), axle: unit(three(r.axle, i)), rolled: mix(r.rolled[i]),
                      contact: three(r.contact, i), force: three(r.force, i) });
    for (let k = 0; k < r.rodWheel.length; k++)
      s.rods.push([three(r.rods, 2 * k), three(r.rods, 2 * k + 1)].map(v => add(s.place, turn(s.q, v))));
    return s;
  };

  // --- camera ---

  const state = { t: first, playing: false, speed: 1, view: 'outside', wheel: 0, lead: 0,
                  forces: !scene.bare, body: !scene.bare, azimuth: 0, height: 0.35, away: 9, pan: [0, 0, 0] };
  const heading = (() => { const x = turn(at(runs[0], first).q, [1, 0, 0]); return Math.atan2(x[1], x[0]); })();
  const size = Math.max(scene.bare ? 0.5 : 2, runs[0].box[0] + runs[0].box[1]);
  const camera = { focal: 1, eye: [0, 0, 0], target: [1, 0, 0], up: [0, 0, 1] };
  const choose = view => {
    if (view === 'wheel' && state.view === 'wheel') state.wheel = (state.wheel + 1) % 4;
    state.view = view;
    state.azimuth = heading + ({ above: Math.PI, front: 0, side: Math.PI / 2 }[view] ?? (scene.bare ? 0.7 : 2.5));
    state.height = { above: 1.5697, front: 0, side: 0 }[view] ?? 0.35;
    state.away = (scene.bare ? 1.25 : view === 'above' ? 7 : g.loop ? 3.5 : 2.1) * size;
    for (const b of document.querySelectorAll('[data-view]')) b.setAttribute('aria-pressed', b.dataset.view === view);
  };
  const aim = (s, r, w, h) => {
    const c = camera, up = turn(s.q, [0, 0, 1]), forward = turn(s.q, [1, 0, 0]);
    c.focal = 0.95 * Math.min(w, 1.5 * h);
    if (state.view === 'driver') {
      c.eye = add(s.place, turn(s.q, r.seat));
      c.target = add(c.eye, add(forward, up, -0.06));
      c.up = up;
      c.focal *= 0.75;
    } else if (state.view === 'wheel') {
      const wheel = s.wheels[state.wheel], side = state.wheel % 2 ? -1 : 1;
      const rest = turn([s.q[0], -s.q[1], -s.q[2], -s.q[3]], sub(wheel.centre, s.place));
      const size = r.radius[state.wheel], z = r.wheelZ[state.wheel], ahead = state.wheel < 2 ? 1 : -1;
      c.eye = add(s.place, turn(s.q, [rest[0] + 4.6 * ahead * size, rest[1] + 1.2 * side * size, z + 1.1 * size]));
      c.target = add(s.place, turn(s.q, [rest[0], rest[1] - 0.6 * side * size, z]));
      c.up = up;
    } else {
      const e = state.height, a = state.azimuth;
      c.target = s.place;
      c.eye = add(c.target, [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)], state.away);
      c.up = [0, 0, 1];
    }
    c.forward = unit(sub(c.target, c.eye));
    c.right = unit(cross(c.forward, c.up));
    c.above = cross(c.right, c.forward);
    c.x = w / 2;
    c.y = h / 2;
  };
  for (const r of runs) { // heights of the wheels over the body's origin, at the first frame
    const s = at(r, first);
    r.wheelZ = s.wheels.map(w => turn([s.q[0], -s.q[1], -s.q[2], -s.q[3]], sub(w.centre, s.place))[2]);
  }
  const near = 0.05;
  const seen = p => {
    const d = sub(p, camera.eye);
    return [dot(d, camera.right), dot(d, camera.above), dot(d, camera.forward)];
  };
  const screen = c => [camera.x + camera.focal * c[0] / c[2], camera.y - camera.focal * c[1] / c[2]];
  const cut = (a, b) => { const u = (near - a[2]) / (b[2] - a[2]); return add(a, sub(b, a), u); };
  // A polygon before the camera, as points of the screen; none if it is behind.
  const clip = points => {
    const out = [];
    for (let i = 0; i < points.length; i++) {
      const a = points[i], b = points[(i + 1) % points.length];
      if (a[2] >= near) out.push(a);
      if ((a[2] >= near) !== (b[2] >= near)) out.push(cut(a, b));
    }
    return out.map(screen);
  };

  // --- drawing ---

  let faces = []; // polygons and lines that may hide each other
  const trace = points => {
    pen.beginPath();
    points.forEach((p, i) => i ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1]));
  };
  const fill = (points, paint, edge) => {
    if (points.length < 3) return;
    trace(points);
    pen.closePath();
    if (paint) { pen.fillStyle = paint; pen.fill(); }
    if (edge) { pen.strokeStyle = edge; pen.lineWidth = 1; pen.stroke(); }
  };
  const face = (world, paint, edge, nearer = 0) => {
    const points = world.map(seen);
    const depth = points.reduce((s, p) => s + Math.hypot(...p), 0) / points.length - nearer;
    faces.push({ depth, points, paint, edge });
  };
  const segment = (a, b, colour, width, nearer = 0) => {
    const points = [seen(a), seen(b)];
    faces.push({ depth: 0.5 * (Math.hypot(...points[0]) + Math.hypot(...points[1])) - nearer, points, colour, width });
  };
  const line = (points, colour, width, dash = []) => {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    for (let i = 1; i < points.length; i++) {
      let a = points[i - 1], b = points[i];
      if (a[2] < near && b[2] < near) continue;
      if (a[2] < near) a = cut(a, b); else if (b[2] < near) b = cut(b, a);
      const p = screen(a), q = screen(b);
      pen.moveTo(p[0], p[1]);
      pen.lineTo(q[0], q[1]);
    }
    pen.stroke();
    pen.setLineDash([]);
  };
  const flush = () => {
    faces.sort((a, b) => b.depth - a.depth);
    for (const f of faces)
      if (f.colour) line(f.points, f.colour, f.width);
      else fill(clip(f.points), f.paint, f.edge);
    faces = [];
  };
  // Slippery ground is bluer; slopes are shaded.
  const ground = (mu, nx, ny, nz) => {
    const light = Math.max(0.35, Math.min(1, 0.86 * Math.abs(nz) + 0.3 * nx + 0.2 * ny));
    const slip = Math.max(0, Math.min(1, 1 - mu));
    const paint = [226 - 90 * slip, 229 - 30 * slip, 232 + 10 * slip];
    return `rgb(${paint.map(v => Math.round(v * (0.55 + 0.45 * light)))})`;
  };
  const cell = (x, y, k) => {
    const { grid } = g, j = (a, b) => b * grid.nx + a, i = [j(x, y), j(x + k, y), j(x + k, y + k), j(x, y + k)];
    const z = i.map(n => grid.z[n]);
    if (z.some(v => !(v === v))) return;
    const d = grid.cell * k, px = grid.x + grid.cell * x, py = grid.y + grid.cell * y;
    const n = unit([(z[0] - z[1] + z[3] - z[2]) / 2, (z[0] - z[3] + z[1] - z[2]) / 2, d]);
    const paint = ground(grid.mu ? grid.mu[i[0]] : g.mu, ...n);
    face([[px, py, z[0]], [px + d, py, z[1]], [px + d, py + d, z[2]], [px, py + d, z[3]]], paint, paint);
  };
  // Cells about the car: fine ones near it, coarse ones around them.
  const relief = focus => {
    const { grid } = g, fine = 32, coarse = Math.max(2, Math.ceil(1.2 / grid.cell)), reach = 26 * coarse;
    const snap = v => coarse * Math.round(v / coarse), block = coarse * Math.ceil(fine / coarse);
    const cx = snap((focus[0] - grid.x) / grid.cell), cy = snap((focus[1] - grid.y) / grid.cell);
    const each = (from, step, skip) => {
      for (let y = cy - from; y < cy + from; y += step)
        for (let x = cx - from; x < cx + from; x += step)
          if (x >= 0 && y >= 0 && x + step < grid.nx && y + step < grid.ny &&
              !(skip && Math.abs(x + step / 2 - cx) < block && Math.abs(y + step / 2 - cy) < block)) cell(x, y, step);
    };
    each(reach, coarse, true);
    each(block, 1, false);
    flush();
  };
  const plane = focus => {
    const [sx, sy, z0] = g.plane, far = 3000, high = (x, y) => sx * x + sy * y + z0, p = (x, y) => [x, y, high(x, y)];
    const quad = r => [[-r, -r], [r, -r], [r, r], [-r, r]].map(c => p(focus[0] + c[0], focus[1] + c[1]));
    fill(clip(quad(far).map(seen)), ground(g.mu, 0, 0, 1));
    for (const patch of g.patches || [])
      fill(clip(patch.p.map(seen)), ground(patch.mu, 0, 0, 1), 'rgba(0,114,178,.5)');
    const step = scene.bare ? 0.1 : state.away > 60 ? 10 : state.away > 25 ? 5 : 2, r = 25 * step, lines = [];
    for (let i = -25; i <= 25; i++) {
      const x = step * (Math.round(focus[0] / step) + i), y = step * (Math.round(focus[1] / step) + i);
      lines.push([p(x, focus[1] - r), p(x, focus[1] + r)], [p(focus[0] - r, y), p(focus[0] + r, y)]);
    }
    for (const l of lines) line(l.map(seen), 'rgba(90,100,112,.22)', 1);
  };
  const solid = focus => {
    for (let i = 0; g.loop && i + 12 <= g.loop.length; i += 6) {
      const c = k => [g.loop[i + k], g.loop[i + k + 1], g.loop[i + k + 2]];
      face([c(0), c(3), c(9), c(6)], 'rgba(150,160,170,.45)', 'rgba(90,100,112,.35)');
    }
    for (let i = 0; g.mesh && i < g.mesh.length; i += 9) {
      const c = [0, 3, 6].map(k => [g.mesh[i + k], g.mesh[i + k + 1], g.mesh[i + k + 2]]);
      if (Math.hypot(c[0][0] - focus[0], c[0][1] - focus[1]) > 150) continue;
      const n = unit(cross(sub(c[1], c[0]), sub(c[2], c[0])));
      face(c, ground(g.mu, ...(n[2] < 0 ? n.map(v => -v) : n)), 'rgba(90,100,112,.3)', -1);
    }
  };

  const wheel = (w, radius, half, colour, alpha, up) => {
    const top = unit(sub(up, w.axle.map(v => v * dot(up, w.axle)))), ahead = cross(w.axle, top), sides = 30;
    const ring = (r, side) => Array.from({ length: sides }, (_, i) => {
      const a = w.rolled + 2 * Math.PI * i / sides;
      return add(add(add(w.centre, top, r * Math.cos(a)), ahead, r * Math.sin(a)), w.axle, side * half);
    });
    const inner = ring(radius, -1), outer = ring(radius, 1), dark = rgba([40, 44, 50], alpha);
    for (let i = 0; i < sides; i++) {
      const j = (i + 1) % sides;
      face([inner[i], inner[j], outer[j], outer[i]], dark, rgba([90, 96, 104], alpha));
    }
    for (const side of [-1, 1]) {
      const out = unit(sub(camera.eye, w.centre)), facing = side * dot(out, w.axle) > 0;
      if (!facing) continue;
      face(side > 0 ? outer : inner, dark, null, 0.02);
      const rim = ring(0.66 * radius, side);
      face(rim, rgba([205, 210, 216], alpha), rgba(colour, alpha), 0.04);
      const hub = add(w.centre, w.axle, side * half);
      for (let k = 0; k < 5; k++) segment(hub, rim[6 * k], rgba([70, 76, 84], alpha), k ? 2 : 4, 0.06);
    }
  };

  const box = (s, r, colour, ghost, driver) => {
    const [ahead, behind, width, under, over] = r.box, high = over - under, h = width / 2, waist = under + 0.56 * high;
    const p = (x, y, z) => add(s.place, turn(s.q, [x, y, z]));
    const inside = state.view === 'driver' || state.view === 'wheel';
    const paint = rgba(colour, ghost ? 0.12 : inside ? 0.1 : 0.3), edge = rgba(colour, ghost ? 0.5 : 0.9);
    const prism = (low, top, z0, z1) => { // [rear, front, half width] below and above
      const q = (l, z) => [p(l[0], -l[2], z), p(l[1], -l[2], z), p(l[1], l[2], z), p(l[0], l[2], z)];
      const a = q(low, z0), b = q(top, z1);
      face(a, paint, edge);
      face(b, paint, edge);
      for (let i = 0; i < 4; i++) face([a[i], a[(i + 1) % 4], b[(i + 1) % 4], b[i]], paint, edge);
    };
    prism([-behind, ahead, h], [-behind, ahead - 0.03 * ahead, h], under, waist);
    if (!driver) prism([-0.88 * behind, 0.42 * ahead, 0.94 * h], [-0.55 * behind, 0.02 * ahead, 0.76 * h], waist, over);
  };

  const arrow = (from, vector, colour) => {
    const a = seen(from), b = seen(add(from, vector));
    if (a[2] < near || b[2] < near) return;
    const p = screen(a), q = screen(b), length = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (!(length > 3)) return;
    const x = (q[0] - p[0]) / length, y = (q[1] - p[1]) / length, head = Math.min(10, 0.5 * length);
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = 2.5;
    trace([p, [q[0] - head * x, q[1] - head * y]]);
    pen.stroke();
    fill([q, [q[0] - head * x - 0.5 * head * y, q[1] - head * y + 0.5 * head * x],
          [q[0] - head * x + 0.5 * head * y, q[1] - head * y - 0.5 * head * x]], colour);
  };

  const track = (r, s, colour, ghost) => {
    const n = r.time.length, step = Math.max(1, Math.floor(n / 700)), gone = [], rest = [];
    for (let i = 0; i < n; i += step)
      (i <= s.frame ? gone : rest).push(seen([r.place[0][i], r.place[1][i], r.place[2][i]]));
    gone.push(seen(s.place));
    rest.unshift(seen(s.place));
    line(gone, rgba(colour, ghost ? 0.6 : 1), 2);
    line(rest, rgba(colour, 0.4), 1.2, [4, 4]);
  };

  // Springs as coils, dampers, push rods, rockers.
  const element = ([a, b], kind) => {
    const way = sub(b, a), e = unit(way);
    const n = unit(cross(e, Math.abs(e[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])), m = cross(e, n);
    if (kind !== 1) return segment(a, b, rgba(kind === 2 ? colours[2] : colours[3], 1), kind === 2 ? 7 : 5, 1);
    let old = a;
    for (let i = 0; i <= 96; i++) {
      const angle = i * Math.PI / 6, now = add(add(add(a, way, 0.1 + 0.8 * i / 96), n, 0.045 * Math.cos(angle)), m,
                                               0.045 * Math.sin(angle));
      segment(old, now, rgba(colours[1], 1), 2.5, 1.05);
      old = now;
    }
    segment(old, b, rgba(colours[1], 1), 2.5, 1.05);
  };

  const car = (r, s, index) => {
    const colour = colours[index % colours.length], ghost = index !== state.lead, up = turn(s.q, [0, 0, 1]);
    const alpha = ghost ? 0.35 : 1, driver = !ghost && state.view === 'driver';
    s.wheels.forEach((w, i) => wheel(w, r.radius[i], r.half[i], colour, scene.bare ? 0.25 : alpha, up));
    s.rods.forEach((rod, k) => { // those of a linkage alone are seen through the wheel
      if (r.rodKind?.[k]) return element(rod, r.rodKind[k]);
      segment(rod[0], rod[1], rgba(scene.bare ? colour : [60, 66, 74], alpha), scene.bare ? 5 : 3, scene.bare ? 1 : 0);
      segment(rod[1], s.wheels[r.rodWheel[k]].centre, rgba([140, 148, 156], alpha), 2, scene.bare ? 0.9 : 0);
    });
    if (state.body) box(s, r, colour, ghost, driver);
  };

  const draw = () => {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.lineJoin = 'round';
    pen.fillStyle = '#f7f9fb';
    pen.fillRect(0, 0, w, h);
    const now = runs.map(r => at(r, state.t)), lead = now[state.lead];
    aim(lead, runs[state.lead], w, h);
    if (g.plane) plane(lead.place);
    if (g.grid) relief(lead.place);
    if (scene.course) {
      const points = [];
      for (let i = 0; i < scene.course.length; i += 3)
        points.push(seen([...scene.course.slice(i, i + 2), scene.course[i + 2] + 0.01]));
      line(points, 'rgba(60,66,74,.6)', 1.5, [8, 5]);
    }
    now.forEach((s, i) => track(runs[i], s, colours[i % colours.length], i !== state.lead));
    solid(lead.place);
    for (const c of scene.cones || []) {
      const r = Math.max(0.1, scene.cone), side = camera.right.map(v => v * r);
      face([add(c, side), sub(c, side), [c[0], c[1], c[2] + 0.5]], 'rgba(230,159,0,.95)', 'rgba(120,80,0,.9)');
    }
    now.forEach((s, i) => car(runs[i], s, i));
    flush();
    if (state.forces)
      now.forEach((s, i) => {
        if (i === state.lead)
          for (const wh of s.wheels)
            arrow(wh.contact, wh.force.map(v => v * 1.6 * runs[i].radius[0] * 4 / runs[i].weight), '#D55E00');
      });
    $('clock').textContent =
      scene.bare ? `${motion.name} ${state.t.toFixed(1)} ${motion.unit}` : `${state.t.toFixed(2)} s`;
    const slider = $('time');
    if (document.activeElement !== slider || state.playing) slider.value = state.t;
    for (const svg of document.querySelectorAll('svg[data-clock]')) {
      const [x0, wide, from, to] = svg.dataset.clock.split(' ').map(Number), u = (state.t - from) / (to - from);
      const cursor = svg.querySelector('.cursor');
      if (scene.motions) cursor.style.display = motions[svg.dataset.motion ?? 0] === motion ? '' : 'none';
      cursor.setAttribute('transform', `translate(${x0 + wide * Math.min(1, Math.max(0, u))} 0)`);
    }
    return now;
  };

  // --- controls ---

  let before = 0, asked = false;
  const tick = stamp => {
    asked = false;
    if (state.playing) {
      state.t += Math.min(0.1, before ? (stamp - before) / 1000 : 0) * state.speed * (motion.pace || 1);
      if (state.t >= last) { state.t = last; play(false); }
    }
    before = stamp;
    draw();
    if (state.playing) ask();
  };
  const ask = () => { if (!asked) { asked = true; requestAnimationFrame(tick); } };
  const play = on => {
    state.playing = on;
    before = 0;
    $('play').textContent = on ? 'Pause' : 'Play';
    if (on && state.t >= last) state.t = first;
    ask();
  };
  const slider = $('time');
  slider.step = 'any';
  const go = k => { // to the design position
    move(k);
    slider.min = first;
    slider.max = last;
    if (scene.bare) state.t = Math.min(last, Math.max(first, 0));
    for (const b of document.querySelectorAll('button[data-motion]'))
      b.setAttribute('aria-pressed', motions[b.dataset.motion] === motion);
  };
  for (const b of document.querySelectorAll('button[data-motion]'))
    b.addEventListener('click', () => { go(b.dataset.motion); play(false); });
  slider.addEventListener('input', () => { state.t = Number(slider.value); play(false); });
  $('play').addEventListener('click', () => play(!state.playing));
  $('speed').addEventListener('change', e => { state.speed = Number(e.target.value); });
  for (const key of ['forces', 'body'])
    $(key)?.addEventListener('change', e => { state[key] = e.target.checked; ask(); });
  for (const b of document.querySelectorAll('[data-view]'))
    b.addEventListener('click', () => { choose(b.dataset.view); ask(); });
  for (const b of document.querySelectorAll('[data-lead]'))
    b.addEventListener('change', () => { state.lead = Number(b.dataset.lead); ask(); });
  window.addEventListener('resize', ask);
  document.addEventListener('keydown', e => {
    if (/^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(e.target.tagName)) return;
    if (e.key === ' ') play(!state.playing);
    else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft')
      state.t = Math.min(last, Math.max(first, state.t + (motion.pace || 1) * (e.key === 'ArrowRight' ? 0.02 : -0.02)));
    else return;
    e.preventDefault();
    ask();
  });
  const fingers = new Map();
  const gap = () => { const p = [...fingers.values()]; return Math.hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]); };
  const zoom = k => { state.away = Math.min(500, Math.max(0.6 * size, state.away * k)); ask(); };
  canvas.addEventListener('pointerdown', e => {
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
  });
  canvas.addEventListener('pointermove', e => {
    const old = fingers.get(e.pointerId);
    if (!old) return;
    const wide = fingers.size === 2 ? gap() : 0;
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
    if (wide) { zoom(wide / Math.max(1, gap())); return; }
    state.azimuth -= 0.008 * (e.clientX - old[0]);
    state.height = Math.min(1.5697, Math.max(-0.3, state.height + 0.008 * (e.clientY - old[1])));
    ask();
  });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, e => fingers.delete(e.pointerId));
  canvas.addEventListener('wheel', e => { e.preventDefault(); zoom(Math.exp(0.0012 * e.deltaY)); }, { passive: false });

  // --- the address ---

  const follow = () => {
    const asks = new URLSearchParams(location.hash.slice(1));
    const view = asks.get('view');
    choose([...document.querySelectorAll('[data-view]')].some(b => b.dataset.view === view) ? view : 'outside');
    if (asks.has('wheel')) state.wheel = Number(asks.get('wheel')) & 3;
    go(Number(asks.get('motion') ?? 0));
    if (asks.has('t')) state.t = Math.min(last, Math.max(first, Number(asks.get('t')) || 0));
    const now = draw();
    if (asks.has('frames')) { // the pictures of an animation, so many seconds of the run apart
      const step = Number(asks.get('frames')) * (motion.pace || 1), shots = [];
      for (let i = 0; first + i * step <= last + 1e-9; i++) {
        state.t = first + i * step;
        draw();
        pen.fillStyle = '#1b1f24';
        pen.font = '600 16px sans-serif';
        pen.fillText($('clock').textContent, 12, 24);
        const image = pen.getImageData(0, 0, canvas.width, canvas.height), bytes = image.data;
        for (let k = 0; k < bytes.length; k++) bytes[k] = 17 * Math.round(bytes[k] / 17); // 16 levels pack well
        pen.putImageData(image, 0, 0);
        shots.push(canvas.toDataURL());
      }
      $('probe').textContent = JSON.stringify({ shots });
      return;
    }
    if (!asks.has('probe')) return;
    const { eye, target, up, focal } = camera;
    $('probe').textContent = JSON.stringify({ t: state.t, width: canvas.clientWidth, height: canvas.clientHeight,
      eye, target, up, focal, wheels: now.map(s => s.wheels.map(w => screen(seen(w.centre)))) });
  };
  window.addEventListener('hashchange', follow);
  follow();
})();
