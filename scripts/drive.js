// The page on which a car runs in the browser: a step steer, computed by the core of VDSim as WebAssembly (vdsim.js, by
// scripts/wasm). The cars are those of CARS (cars.js, by scripts/docs), scenarios that give a value for every key.
const CHANNELS = [
  ['yaw_rate_radps', 'yaw rate', 'deg/s', 180 / Math.PI], ['ay_mps2', 'lateral acceleration', 'm/s²', 1],
  ['roll_rad', 'roll', 'deg', 180 / Math.PI], ['sideslip_rad', 'side slip', 'deg', 180 / Math.PI]]
const FIGURES = [
  ['ay_steady_mps2', 'steady lateral acceleration', 'm/s²', 1],
  ['yaw_rate_gain_radps_per_rad', 'yaw rate over steering wheel angle', '1/s', 1],
  ['yaw_rate_response_time_s', 'response time of the yaw rate', 's', 1],
  ['yaw_rate_overshoot', 'overshoot of the yaw rate', '%', 100],
  ['roll_gradient_deg_per_g', 'roll gradient', 'deg/g', 1]]
const KEYS = [
  ['mass', 'vehicle.mass', 'kg', /^ {2}mass: (\S+)/m, 0.7, 1.5],
  ['front bar', 'vehicle.front.antiroll_stiffness', 'kN m/rad', /^ {2}front:[^]*?antiroll_stiffness: (\S+)/m, 0, 3],
  ['rear bar', 'vehicle.rear.antiroll_stiffness', 'kN m/rad', /^ {2}rear:[^]*?antiroll_stiffness: (\S+)/m, 0, 5]]
const DERIVED = ['unsprung_height', 'wheel_radius', 'loaded_radius', 'antiroll_wheel_rate']
const STEP = 0.01 // s, between the points of the curves
const KEEP_METRICS = 1, OK = 0, OVER = 1 // vdsim.h
const $ = id => document.getElementById(id)
let core

const text = address => core.UTF8ToString(address)
const copy = words => {
  const size = core.lengthBytesUTF8(words) + 1, address = core._malloc(size)
  core.stringToUTF8(words, address, size)
  return address
}
const pointer = (address, i = 0) => core.HEAPU32[(address >> 2) + i]
const within = (size, use) => { // memory for the time of a call
  const address = core._malloc(size)
  try { return use(address) } finally { core._free(address) }
}

// Runs a scenario with settings. Returns {t, curves, figures}, or {failure} with the reason.
const simulate = (scenario, settings) => {
  const words = [scenario, ...settings].map(copy)
  const loaded = within(4 * words.length, list => within(4, out => {
    settings.forEach((_, i) => { core.HEAPU32[(list >> 2) + i] = words[i + 1] })
    core._vd_load_text(words[0], core.lengthBytesUTF8(scenario), 0, list, settings.length, out)
    return pointer(out)
  }))
  words.forEach(core._free)
  const run = within(4, out => core._vd_build(loaded, KEEP_METRICS, out) === OK ? pointer(out) : 0)
  const result = run ? drive(loaded, run) : {failure: text(core._vd_messages_text(loaded)) || 'the car cannot be placed'}
  core._vd_run_free(run)
  core._vd_case_free(loaded)
  return result
}

const drive = (loaded, run) => {
  const find = name => { const at = copy(name), i = core._vd_channel_find(loaded, at); core._free(at); return i }
  const channel = CHANNELS.map(([name]) => find(name)), curves = CHANNELS.map(() => []), t = []
  let status = OK
  for (let k = 0; status === OK; k++) {
    if (k > 0) status = core._vd_advance(run, k * STEP)
    if (status > OVER) return {failure: text(core._vd_run_failure(run))}
    t.push(core._vd_time(run))
    channel.forEach((i, j) => curves[j].push(core._vd_value(run, i) * CHANNELS[j][3]))
  }
  return {t, curves, figures: figures(run)}
}

const figures = run => within(4, out => {
  const found = {}, size = 32 // bytes of a vd_figure: name, value at 8, unit, definition, reason
  core._vd_figures(run, 0, 0, out)
  const count = pointer(out)
  within(size * count, list => {
    core._vd_figures(run, list, count, out)
    for (let i = 0; i < count; i++) found[text(pointer(list + size * i))] = core.HEAPF64[(list + size * i + 8) >> 3]
  })
  return found
})

// ---- the page

const shipped = {} // results of the cars as they are, by name
let given = new URLSearchParams(location.search) // ?car=compact&mass=1500&front bar=20
const number = value => Number.isFinite(value) ? value.toPrecision(3) : '-'

const picture = (j, runs) => {
  const width = 560, height = 180, left = 46, bottom = 24, top = 22
  const all = runs.flatMap(r => r.curves[j]), end = runs[0].t.at(-1)
  const low = Math.min(0, ...all), high = Math.max(0, ...all), span = high - low || 1
  const x = t => left + (width - left - 8) * t / end, y = v => top + (height - top - bottom) * (high - v) / span
  const raw = span / 4, power = 10 ** Math.floor(Math.log10(raw)), tick = [1, 2, 5, 10].find(m => m * power >= raw) * power
  let marks = ''
  for (let k = Math.ceil(low / tick); k * tick <= high; k++)
    marks += `<line x1="${left}" x2="${width - 8}" y1="${y(k * tick)}" y2="${y(k * tick)}"/>` +
      `<text x="${left - 6}" y="${y(k * tick) + 4}" text-anchor="end">${+(k * tick).toPrecision(6)}</text>`
  for (let t = 0; t <= end + 1e-9; t++) marks += `<text x="${x(t)}" y="${height - 6}" text-anchor="middle">${t}</text>`
  const line = (r, k) => `<polyline class="run${k}" points="${r.t.map((t, i) =>
    `${x(t).toFixed(1)},${y(r.curves[j][i]).toFixed(1)}`).join(' ')}"/>`
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${CHANNELS[j][1]} over time">` +
    `<text x="${left}" y="14">${CHANNELS[j][1]}, ${CHANNELS[j][2]}</text><text x="${width - 8}" y="14" ` +
    `text-anchor="end">time, s</text>${marks}${runs.map(line).join('')}</svg>`
}

const show = () => {
  const name = $('car').value, begin = performance.now()
  const settings = KEYS.map(([, key], i) => `${key}=${$('key' + i).value} ${KEYS[i][2]}`)
  KEYS.forEach((k, i) => { $('value' + i).textContent = `${$('key' + i).value} ${k[2]}` })
  // the steering wheel angle stays fixed (no rules of `auto'); keys that depend on mass and bars are computed again
  const fixed = ['auto=[]', 'conditions=[]', 'run.v_low=auto', 'run.v_low_y=auto', ...DERIVED.flatMap(
    key => [`vehicle.front.${key}=auto`, `vehicle.rear.${key}=auto`])]
  shipped[name] ||= simulate(CARS[name], fixed)
  const now = simulate(CARS[name], [...fixed, ...settings]), before = shipped[name]
  $('said').textContent = now.failure || `computed in ${Math.round(performance.now() - begin)} ms`
  if (now.failure) return
  $('curves').innerHTML = CHANNELS.map((_, j) => picture(j, [before, now])).join('')
  $('figures').innerHTML = '<tr><th>figure</th><th>as shipped</th><th>changed</th><th>unit</th></tr>' + FIGURES.map(
    ([key, words, unit, factor]) => `<tr><td>${words}</td><td>${number(before.figures[key] * factor)}</td>` +
      `<td>${number(now.figures[key] * factor)}</td><td>${unit}</td></tr>`).join('')
}

const choose = () => {
  const scenario = CARS[$('car').value]
  KEYS.forEach(([, , unit, pattern, least, most], i) => {
    const value = +scenario.match(pattern)[1] / (unit.startsWith('k') && unit !== 'kg' ? 1000 : 1), slider = $('key' + i)
    slider.step = unit === 'kg' ? 1 : 0.1
    slider.min = (least * value).toFixed(1)
    slider.max = (most * value).toFixed(1)
    slider.value = given.get(KEYS[i][0]) ?? value
  })
  given = new URLSearchParams()
  show()
}

$('car').innerHTML = Object.keys(CARS).map(name => `<option value="${name}">${name.replace('_', ' ')}</option>`).join('')
$('keys').innerHTML = KEYS.map(([name], i) =>
  `<p><label for="key${i}">${name}</label> <input type="range" id="key${i}"> <output id="value${i}"></output></p>`).join('')
vdsim().then(module => {
  core = module
  let waits
  $('car').addEventListener('change', choose)
  $('again').addEventListener('click', choose)
  KEYS.forEach((_, i) => $('key' + i).addEventListener('input', () => {
    clearTimeout(waits)
    waits = setTimeout(show, 30)
  }))
  if (given.get('car') in CARS) $('car').value = given.get('car')
  choose()
})
