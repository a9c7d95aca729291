/* Native twin of assembly/systems/cube-bag.ts: one battle after the other, scalar. */
#include "generated/cube-bag.h"
#include "warpool.h"

enum { TYPES_MAX = 128 };

typedef struct {
  TARGET_FIELDS
} Target;

/* What the scenario fixes of a side. */
typedef struct {
  int32_t courage, troops, types, structures, targets;
  int32_t conversions, conversion, recoveries, recovery;
  int32_t redraw, redraw_if_behind;
  const int32_t *muster, *taken;
  const Target *target;
} Party;

typedef struct {
  int32_t cubes[3]; /* attacker, defender, neutral */
  int32_t draw, extra_draw, discard_failed, marks;
  int32_t strength[2];
  Party party[2];
} Plan;

/* What has come of a side. */
typedef struct {
  int32_t units[TYPES_MAX], fallen[TYPES_MAX];
  int32_t conversions, recoveries, experience, units_lost, lost, left;
} Force;

typedef struct {
  int32_t inside[3], drawn[3], marks;
  Stream stream;
  Force force[2];
} Battle;

static Plan plan_of(const int32_t *scenario) {
  Plan plan = {
      .draw = scenario[HEAD_DRAW],
      .extra_draw = scenario[HEAD_EXTRA_DRAW],
      .discard_failed = scenario[HEAD_DISCARD_FAILED],
      .marks = scenario[HEAD_MARKS]};
  if (scenario[HEAD_BY_CUBE]) die("cubes that are drawn one by one");
  memcpy(plan.cubes, scenario + HEAD_ATTACKER_CUBES, sizeof plan.cubes);
  for (int side = 0; side < 2; side++) {
    const int at = HEAD_SIDES + side * SIDE_WORDS;
    const int32_t *word = scenario + at;
    Party *party = &plan.party[side];
    *party = (Party){
        .courage = word[SIDE_COURAGE],
        .troops = word[SIDE_TROOPS],
        .types = word[SIDE_SLOTS],
        .structures = word[SIDE_STRUCTURES],
        .muster = (const int32_t *)scenario_table(scenario, at + SIDE_MUSTER),
        .target = (const Target *)scenario_table(scenario, at + SIDE_TARGETS),
        .targets = word[SIDE_TARGET_COUNT],
        .taken = (const int32_t *)scenario_table(scenario, at + SIDE_TAKEN),
        .conversions = word[SIDE_CONVERSIONS],
        .conversion = word[SIDE_CONVERSION],
        .recoveries = word[SIDE_RECOVERIES],
        .recovery = word[SIDE_RECOVERY],
        .redraw = word[SIDE_REDRAW] >> 1,
        .redraw_if_behind = word[SIDE_REDRAW] & 1,
    };
    if (party->types > TYPES_MAX) die("more types than a side can have");
    if (word[SIDE_MIXED] || word[SIDE_PREY_COUNT] || word[SIDE_KINDS] != party->types) die("armies that are told apart");
    for (int type = 0; type < party->troops; type++) plan.strength[side] += party->muster[type];
  }
  return plan;
}

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t greatest(int32_t a, int32_t b) { return a > b ? a : b; }

/* ---- The bag: src/core/chance/bag.ts, operation by operation ---- */

/* How many marked cubes are among `count` drawn from `size` cubes of which `marked` are marked. */
static int32_t marked_among(int32_t size, int32_t marked, int32_t count, uint32_t word) {
  const int32_t others = size - marked;
  const int exhausted = count > others;
  const int32_t most = least(count, marked);
  int32_t drawn = exhausted ? count - others : 0;
  if (drawn == most) return drawn;
  const int32_t a = exhausted ? size - count : count;
  const int32_t b = exhausted ? others : marked;
  const int32_t top = size - greatest(a, b);
  double share = 4294967296.0;
  for (int32_t i = 0, factors = least(a, b); i < factors; i++) share = share * (double)(top - i) / (double)(size - i);
  double below = share;
  const double above = (double)word + 1.0;
  while (drawn < most && below < above) {
    share = share * (double)((marked - drawn) * (count - drawn)) /
            (double)((drawn + 1) * (others - count + drawn + 1));
    below += share;
    drawn++;
  }
  return drawn;
}

static inline int32_t size_of(const int32_t *cubes) { return cubes[0] + cubes[1] + cubes[2]; }

static inline void look(const Battle *battle, int32_t count, uint32_t place, int32_t *hand) {
  const int32_t *inside = battle->inside;
  const int32_t size = size_of(inside);
  hand[0] = marked_among(size, inside[0], count, stream_word(battle->stream, place));
  hand[1] = marked_among(size - inside[0], inside[1], count - hand[0], stream_word(battle->stream, place + 1));
  hand[2] = count - hand[0] - hand[1];
}

static inline void move(int32_t *from, int32_t *to, const int32_t *hand) {
  for (int colour = 0; colour < 3; colour++) {
    from[colour] -= hand[colour];
    to[colour] += hand[colour];
  }
}

static inline void draw(Battle *battle, int32_t count, uint32_t place) {
  int32_t hand[3];
  look(battle, count, place, hand);
  move(battle->inside, battle->drawn, hand);
}

/* ---- A battle ---- */

static void muster(const Plan *plan, Battle *battle) {
  memcpy(battle->inside, plan->cubes, sizeof battle->inside);
  memset(battle->drawn, 0, sizeof battle->drawn);
  battle->marks = plan->marks;
  for (int side = 0; side < 2; side++) {
    const Party *party = &plan->party[side];
    Force *force = &battle->force[side];
    memcpy(force->units, party->muster, (size_t)party->troops * sizeof *force->units);
    memset(force->fallen, 0, (size_t)party->types * sizeof *force->fallen);
    force->conversions = force->recoveries = force->experience = force->units_lost = force->lost = 0;
    force->left = plan->strength[side];
  }
}

/* A check of a side; true if it passes. */
static int check(const Plan *plan, Battle *battle, int side, int32_t complexity, uint32_t place) {
  const int32_t cubes = least(complexity, size_of(battle->inside));
  if (cubes == 0) return 0;
  int32_t hand[3];
  look(battle, cubes, place, hand);
  const int passed = hand[1 - side] == 0;
  if (passed) battle->force[side].experience += hand[side];
  if (passed || plan->discard_failed) {
    for (int colour = 0; colour < 3; colour++) battle->inside[colour] -= hand[colour];
  }
  return passed;
}

static void convert(const Plan *plan, Battle *battle, int side) {
  const Party *party = &plan->party[side], *other = &plan->party[1 - side];
  Force *enemy = &battle->force[1 - side];
  for (int i = 0; i < party->conversions && enemy->left > 0; i++) {
    if (!check(plan, battle, side, party->conversion, PLACES_at(PURPOSE_CONVERSION, side, i))) continue;
    battle->force[side].conversions++;
    const int32_t *taken = other->taken;
    while (enemy->units[*taken] == 0) taken++;
    enemy->units[*taken]--;
    enemy->left--;
  }
}

static void extra_draw(const Plan *plan, Battle *battle) {
  if (plan->extra_draw == EXTRA_DRAWS_NONE) return;
  if (plan->extra_draw == EXTRA_DRAWS_IF_BEHIND && battle->drawn[1] >= battle->drawn[0]) return;
  const int32_t cubes = least(plan->party[1].courage - size_of(battle->drawn), size_of(battle->inside));
  if (cubes > 0) draw(battle, cubes, PLACES_at(PURPOSE_DRAW, 1, 0));
}

static void redraw(const Plan *plan, Battle *battle, int side) {
  const Party *party = &plan->party[side];
  const int32_t enemy = battle->drawn[1 - side];
  if (party->redraw_if_behind && battle->drawn[side] >= enemy) return;
  const int32_t cubes = least(party->redraw, enemy + battle->drawn[2]);
  if (cubes == 0) return;
  int32_t hand[3] = {0, 0, 0};
  hand[1 - side] = least(cubes, enemy);
  hand[2] = cubes - hand[1 - side];
  move(battle->drawn, battle->inside, hand);
  draw(battle, cubes, PLACES_at(PURPOSE_REDRAW, side, 0));
}

/* Places damage on a side group by group, as long as nothing of a group stands. */
static void place_damage(const Party *party, Battle *battle, Force *force, int32_t damage) {
  int32_t group = 0;
  int standing = 0;
  for (int t = 0; t < party->targets; t++) {
    const Target target = party->target[t];
    if (target.group != group) {
      if (standing) return;
      group = target.group;
    }
    if (target.marks < 0) {
      const int32_t count = force->units[target.slot];
      const int32_t felled = target.need == 1 ? least(count, damage) : least(count, damage / target.need);
      force->units[target.slot] = count - felled;
      force->fallen[target.slot] = felled;
      force->units_lost += felled;
      force->lost += felled;
      force->left -= felled;
      damage -= felled * target.need;
      standing |= felled < count;
    } else if (target.need > damage) {
      battle->marks += damage;
      damage = 0;
      standing = 1;
    } else {
      force->fallen[target.slot]++;
      force->lost++;
      battle->marks -= target.marks;
      damage -= target.need;
    }
  }
}

static void recover(const Plan *plan, Battle *battle, int side) {
  const Party *party = &plan->party[side];
  Force *force = &battle->force[side];
  for (int i = 0; i < party->recoveries && force->recoveries < force->units_lost; i++) {
    force->recoveries += check(plan, battle, side, party->recovery, PLACES_at(PURPOSE_RECOVERY, side, i));
  }
}

static int gone(const Plan *plan, const Force *force, int side) {
  return force->left == 0 && force->lost - force->units_lost == plan->party[side].structures;
}

static int outcome_of(const Plan *plan, const Battle *battle) {
  const int defender_gone = gone(plan, &battle->force[1], 1);
  if (gone(plan, &battle->force[0], 0)) return defender_gone ? OUTCOMES_MUTUAL : OUTCOMES_DEFENDER;
  return defender_gone ? OUTCOMES_ATTACKER : OUTCOMES_NONE;
}

static int report(const Plan *plan, const Battle *battle, int32_t *values) {
  memcpy(values + METRICS_DRAWN, battle->drawn, sizeof battle->drawn);
  int types = 0;
  for (int side = 0; side < 2; side++) {
    values[METRICS_LOSSES + side] = battle->force[side].lost;
    for (int type = 0; type < plan->party[side].types; type++) values[METRICS_TYPES + types++] = battle->force[side].fallen[type];
  }
  for (int side = 0; side < 2; side++) {
    values[METRICS_conversions(types) + side] = battle->force[side].conversions;
    values[METRICS_recoveries(types) + side] = battle->force[side].recoveries;
    values[METRICS_experience(types) + side] = battle->force[side].experience;
  }
  values[METRICS_marks(types)] = battle->marks;
  return METRICS_marks(types) + 1;
}

static void battle_play(const Plan *plan, Battle *battle) {
  muster(plan, battle);
  convert(plan, battle, 1);
  convert(plan, battle, 0);
  const int32_t cubes = least(plan->draw, size_of(battle->inside));
  if (cubes > 0) draw(battle, cubes, PLACES_at(PURPOSE_DRAW, 0, 0));
  extra_draw(plan, battle);
  redraw(plan, battle, 0);
  redraw(plan, battle, 1);
  place_damage(&plan->party[1], battle, &battle->force[1], battle->drawn[0]);
  place_damage(&plan->party[0], battle, &battle->force[0], battle->drawn[1]);
  recover(plan, battle, 1);
  recover(plan, battle, 0);
}

int main(int argc, char **argv) {
  Run run = run_open(argc, argv);
  const Plan plan = plan_of(run.scenario);
  static Battle battle;
  const double began = seconds_now();
  for (uint64_t k = 0; k < run.count; k++) {
    int32_t values[METRICS_MAX];
    battle.stream = stream_open(run.key, run.from + k);
    battle_play(&plan, &battle);
    const int metrics = report(&plan, &battle, values);
    run_count(&run, outcome_of(&plan, &battle), values, metrics);
  }
  run_report(&run, seconds_now() - began);
  return 0;
}
