/* Saves the state of a run as bytes, and restores it. */
#include "vdsim_impl.h"

#include "base/memory.h"

#include <string.h>

/* FNV-1a by Fowler, Noll and Vo, applied to words. */
uint64_t vd_state_hash(uint64_t seed, const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  uint64_t sum = seed ^ length;
  for (size_t i = 0; i < length; i += sizeof sum) {
    uint64_t word = 0;
    memcpy(&word, p + i, length - i < sizeof word ? length - i : sizeof word);
    sum = (sum ^ word) * UINT64_C(0x100000001b3);
    sum ^= sum >> 32; /* so that high bits affect low ones */
  }
  return sum;
}

/* Header of a saved state. */
typedef struct header {
  char magic[8];
  /* hash of the case; checksum of all bytes behind the header; size including the header */
  uint64_t identity, sum, size;
  uint64_t sim, recorder; /* sizes of the structs, which depend on the machine and the compiler */
} header;

static const char magic[8] = "vdstate";

/* Destination or source of bytes. */
typedef struct stream {
  unsigned char *to;         /* set when saving; NULL: bytes are only counted */
  const unsigned char *from; /* set when restoring */
  size_t at;
} stream;

static void save(stream *s, const void *bytes, size_t size) {
  if (s->to && size > 0)
    memcpy(s->to + s->at, bytes, size);
  s->at += size;
}

static void load(stream *s, void *bytes, size_t size) {
  if (size > 0)
    memcpy(bytes, s->from + s->at, size);
  s->at += size;
}

/* Converts a pointer to a profile to a number: 0: none; 1: of the scenario; 2: set by vd_set; 3: written by a
 * controller; 4 and above: of the events. */
static const vd_profile *encode(const vd_instance *in, int i, const vd_profile *p) {
  const vd_event_def *event = in->def->events.item;
  uintptr_t code = !p ? 0 : p == &in->def->inputs.input[i].profile ? 1 : p == &in->outside.input[i].profile ? 2 : 3;
  for (size_t k = 0; k < in->def->events.count && code >= 3; k++)
    if (p == &event[k].inputs.input[i].profile)
      code = 4 + k;
  return (const vd_profile *)code;
}

static const vd_profile *decode(const vd_instance *in, int i, const vd_profile *p) {
  const vd_event_def *event = in->def->events.item;
  uintptr_t code = (uintptr_t)p;
  switch (code) {
  case 0: return NULL;
  case 1: return &in->def->inputs.input[i].profile;
  case 2: return &in->outside.input[i].profile;
  case 3: return &vd_input_written;
  default: return &event[code - 4].inputs.input[i].profile;
  }
}

/* Returns the input to which the previous steering command belongs: steer or steering_wheel. */
static int before(const vd_instance *in, const vd_profile *p) {
  const vd_event_def *event = in->def->events.item;
  bool steer = p == &in->def->inputs.input[VD_IN_STEER].profile || p == &in->outside.input[VD_IN_STEER].profile;
  for (size_t k = 0; k < in->def->events.count; k++)
    steer |= p == &event[k].inputs.input[VD_IN_STEER].profile;
  return steer ? VD_IN_STEER : VD_IN_STEERING_WHEEL;
}

static void save_sim(stream *s, const vd_instance *in, const vd_sim *sim) {
  vd_sim copy;
  vd_sim_copy(sim, &copy);
  int steering = before(in, sim->inputs.before.profile);
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    copy.inputs.active[i].profile = encode(in, i, sim->inputs.active[i].profile);
  copy.inputs.before.profile = encode(in, steering, sim->inputs.before.profile);
  copy.inputs.steering = NULL;
  copy.model = NULL;
  copy.driver_def = NULL;
  copy.controls = NULL;
  copy.events.def = NULL;
  memset(copy.events.channel, 0, sizeof copy.events.channel);
  save(s, &steering, sizeof steering);
  save(s, &copy, vd_sim_size(sim->driver_def));
}

static void load_sim(stream *s, const vd_instance *in, vd_sim *sim) {
  vd_events events = in->sim.events; /* the definitions of the events are kept */
  int steering;
  load(s, &steering, sizeof steering);
  load(s, sim, vd_sim_size(&in->def->driver));
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    sim->inputs.active[i].profile = decode(in, i, sim->inputs.active[i].profile);
  sim->inputs.before.profile = decode(in, steering, sim->inputs.before.profile);
  sim->inputs.steering = &in->model.vehicle.steering;
  sim->model = &in->model;
  sim->driver_def = &in->def->driver;
  sim->controls = in->controls;
  sim->events.def = events.def;
  memcpy(sim->events.channel, events.channel, sizeof events.channel);
}

/* The flags and values of inputs that were set. */
typedef struct saved_inputs {
  int kept;
  bool acceleration, set[VD_INPUT_KINDS], given[VD_INPUT_KINDS];
  size_t points[VD_INPUT_KINDS];
} saved_inputs;

static void save_inputs(stream *s, const vd_instance *in) {
  saved_inputs saved;
  memset(&saved, 0, sizeof saved);
  saved.kept = (int)in->kept;
  saved.acceleration = in->model.options.acceleration_control;
  memcpy(saved.set, in->set, sizeof saved.set);
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    saved.given[i] = in->outside.input[i].profile.type != VD_PROFILE_NONE;
    saved.points[i] = saved.given[i] ? in->outside.input[i].profile.as.table.points.count : 0;
  }
  save(s, &saved, sizeof saved);
  for (int i = 0; i < VD_INPUT_KINDS; i++)
    save(s, in->points[i], 2 * saved.points[i] * sizeof *in->points[i]);
}

static void load_inputs(stream *s, vd_instance *in) {
  saved_inputs saved;
  load(s, &saved, sizeof saved);
  vd_instance_reserve(in, saved.points, saved.acceleration);
  in->kept = (enum vd_instance_back)saved.kept;
  in->unsettled = false;
  memcpy(in->set, saved.set, sizeof in->set);
  for (int i = 0; i < VD_INPUT_KINDS; i++) {
    vd_instance_outside(in, (enum vd_input)i, saved.given[i], saved.points[i]);
    load(s, in->points[i], 2 * saved.points[i] * sizeof *in->points[i]);
  }
}

static void save_record(stream *s, const vd_recorder *r) {
  vd_recorder copy = *r;
  copy.sample = NULL;
  copy.ride = NULL;
  copy.stunt = NULL;
  copy.budget = NULL;
  copy.model = NULL;
  copy.command = NULL;
  copy.capacity = 0;
  memset(&copy.car, 0, sizeof copy.car);
  save(s, &copy, sizeof copy);
  save(s, r->sample, r->count * sizeof *r->sample);
#define SAVE(need, member, type) save(s, r->member, r->member ? r->count * sizeof(type) : 0);
  VD_FURTHER_SAMPLES(SAVE)
}

static void load_record(stream *s, const vd_instance *in, vd_recorder *r) {
  vd_recorder saved;
  load(s, &saved, sizeof saved);
  r->keeps = saved.keeps;
  vd_recorder_reserve(r, saved.count);
  saved.sample = r->sample;
#define KEEP_MEMORY(need, member, type) saved.member = r->member;
  VD_FURTHER_SAMPLES(KEEP_MEMORY)
  saved.model = &in->model;
  saved.command = &in->sim.command;
  saved.capacity = r->capacity;
  *r = saved;
  if (r->rows > 0)
    r->car = vd_metrics_car_of(&in->model);
  load(s, r->sample, r->count * sizeof *r->sample);
#define LOAD(need, member, type) load(s, r->member, r->member ? r->count * sizeof(type) : 0);
  VD_FURTHER_SAMPLES(LOAD)
}

/* Saves the states of the controllers, behind their size. False: a controller cannot give its state. */
static bool save_controls(stream *s, const vd_instance *in) {
  vd_buf bytes = {0};
  bool good = !in->controls || vd_controls_save(in->controls, &bytes);
  save(s, &bytes.length, sizeof bytes.length);
  save(s, bytes.text, bytes.length);
  vd_buf_finish(&bytes);
  return good;
}

static bool load_controls(stream *s, vd_instance *in) {
  size_t size;
  load(s, &size, sizeof size);
  const unsigned char *bytes = s->from + s->at;
  s->at += size;
  return !in->controls || vd_controls_restore(in->controls, bytes, size);
}

/* Writes the state and returns its size; 0: a controller cannot give its state. bytes may be NULL. */
static size_t write_state(vd_run *run, unsigned char *bytes) {
  stream s = {.to = bytes};
  header head;
  vd_instance *in = &run->instance;
  vd_instance_apply_inputs(in);
  memset(&head, 0, sizeof head);
  save(&s, &head, sizeof head);
  save_inputs(&s, in);
  save_sim(&s, in, &in->sim);
  if (in->kept != VD_BACK_NONE)
    save_sim(&s, in, &in->back);
  save_record(&s, &run->recorder);
  if (!save_controls(&s, in))
    return 0;
  if (!bytes)
    return s.at;
  memcpy(head.magic, magic, sizeof magic);
  head.identity = run->of->identity;
  head.sum = vd_state_hash(0, bytes + sizeof head, s.at - sizeof head);
  head.size = s.at;
  head.sim = sizeof(vd_sim);
  head.recorder = sizeof(vd_recorder);
  memcpy(bytes, &head, sizeof head);
  return s.at;
}

size_t vd_state_size(vd_run *run) {
  return run ? write_state(run, NULL) : 0;
}

vd_status vd_state_save(vd_run *run, void *bytes, size_t size) {
  const size_t needed = vd_state_size(run);
  if (!run || !bytes || size < needed)
    return VD_BAD_ARGUMENT;
  return needed > 0 && write_state(run, bytes) == needed ? VD_OK : VD_UNAVAILABLE;
}

typedef struct restoring {
  vd_run *run;
  const unsigned char *bytes;
  bool good; /* the controllers took their states */
} restoring;

static void restore_work(void *context) {
  restoring *r = context;
  vd_instance *in = &r->run->instance;
  stream s = {.from = r->bytes, .at = sizeof(header)};
  r->run->fresh = false;
  load_inputs(&s, in);
  load_sim(&s, in, &in->sim);
  if (in->kept != VD_BACK_NONE)
    load_sim(&s, in, &in->back);
  load_record(&s, in, &r->run->recorder);
  r->good = load_controls(&s, in);
  vd_run_recut(r->run);
}

vd_status vd_state_restore(vd_run *run, const void *bytes, size_t size) {
  header head;
  const unsigned char *from = bytes;
  if (!run || !bytes)
    return VD_BAD_ARGUMENT;
  if (size < sizeof head)
    return VD_MISMATCH;
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic) != 0 || head.identity != run->of->identity || head.size > size ||
      head.size < sizeof head || head.sim != sizeof(vd_sim) || head.recorder != sizeof(vd_recorder) ||
      head.sum != vd_state_hash(0, from + sizeof head, (size_t)head.size - sizeof head))
    return VD_MISMATCH;
  restoring work = {.run = run, .bytes = from};
  if (!vd_memory_try(restore_work, &work))
    return VD_NO_MEMORY;
  return work.good ? vd_run_status(run) : VD_UNAVAILABLE;
}
