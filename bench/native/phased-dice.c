/*
 * Phased dice in C: the twin of assembly/phased-dice/, one battle after another in scalar code over the same tables.
 * A side is one of its states; a state has the rows that it rolls from and the state that follows so many hits.
 */
#include "warpool.h"

/* Words of the head and of a side, troops and forces: src/systems/phased-dice/encode.ts. */
enum { PHASES, MAX_ROUNDS, AIR_STALEMATE, RETREAT_AFTER, RETREAT_RATIO, NO_WAY_OUT, GOES_HOME, SIDES, SIDE_WORDS = 19 };
enum { TABLES = SIDES + 2 * SIDE_WORDS };
enum { TROOPS, MUSTER_BYTES, MUSTER, TROOP_TABLE, POOL_VALUES, POOLS, GROUPS = 10, GROUND = 14, WEIGHED, NAMED };
enum { RESERVE, UNITS, DICE, WEIGHT, AIR_DICE, BY_PHASE, BY_TROOP = 9, FORCE_MAX = 9 + 256 };
enum { ATTACKER, DEFENDER, MUTUAL, STALEMATE, RETREAT, DESTROYED, ENDS, NO_END = -1 };
enum { ARMED, UNARMED, AIR_ONLY, GONE };
enum { RATIO_STEPS = 1000000, CHUNK = 64, PHASE_BITS = 10 };

/* Top bits of a word that choose the byte of a row that holds its hits, or that they differ. */
enum { TOP = 11, LOW = 32 - TOP, ROLLS_MAX = 8, HITS_MAX = 255, STATES_MAX = 4096 };
enum { MIXED = 255 };

typedef struct {
  const uint8_t *table;
  int32_t dice;
  uint8_t hits[1 << TOP];
} Row;

typedef struct State State;
struct State {
  int32_t strength, class;
  uint32_t counts[ENDS];
  const Row *rows[4][ROLLS_MAX / 4];
  State *next[];
};

typedef struct {
  int32_t word[FORCE_MAX];
} Force;

typedef struct {
  const int32_t *word;
  int32_t rolls[4], hits;
  int states;
  State **state;
  Force *force;
} Side;

static const int32_t *scenario;
static Side sides[2];
static Row *laws[6][CHUNK + 1];
static Row none;

/* ---- Which units fall: assembly/phased-dice/allocation.ts ---- */

static const int32_t *at(int32_t offset) { return scenario + offset / 4; }

static int32_t onto(const Side *side, Force *force, const int32_t *list, int32_t hits) {
  int32_t left = hits;
  for (int32_t i = 0; i < list[0] && left > 0; i++) {
    const int32_t t = list[1 + i], *troop = at(side->word[TROOP_TABLE]) + 6 * t;
    int32_t living = force->word[BY_TROOP + t], fallen = left / troop[1];
    if (fallen > living) fallen = living;
    force->word[BY_TROOP + t] -= fallen;
    force->word[BY_PHASE + troop[4]] -= fallen;
    force->word[troop[5] / 4] -= fallen * troop[0];
    left -= fallen * troop[1];
    if (troop[4] == 0) continue;
    force->word[UNITS] -= fallen;
    force->word[DICE] -= fallen * troop[0];
    force->word[WEIGHT] -= fallen * troop[2];
  }
  return left;
}

static int32_t named(const Side *side, const Force *force, int32_t pool) {
  int32_t named = 0, most = -1;
  for (int32_t i = 0; i < scenario[PHASES] - 1; i++) {
    const int32_t phase = side->word[NAMED + i];
    if (force->word[BY_PHASE + phase] == 0) continue;
    if (!side->word[WEIGHED]) return phase;
    const int32_t *group = at(side->word[GROUPS + phase]);
    int32_t worth = 0;
    for (int32_t k = 1; k <= group[0]; k++) {
      const int32_t *troop = at(side->word[TROOP_TABLE]) + 6 * group[k];
      if (troop[1] <= pool) worth += force->word[BY_TROOP + group[k]] * troop[3];
    }
    if (worth > most) most = worth, named = phase;
  }
  return named;
}

static void place(const Side *side, Force *force, int phase, int32_t hits) {
  int32_t left = force->word[RESERVE] + hits;
  if (hits > 0) left = onto(side, force, at(side->word[GROUPS + (phase == 0 ? 0 : named(side, force, left))]), left);
  if (phase > 0 || force->word[BY_PHASE] == 0) left = onto(side, force, at(side->word[GROUND]), left);
  force->word[RESERVE] = left;
}

/* ---- States: assembly/phased-dice/states.ts ---- */

static Row *row_of(int32_t value, int32_t dice) {
  if (value > 6) value = 6;
  if (laws[value - 1][dice] != NULL) return laws[value - 1][dice];
  Row *row = laws[value - 1][dice] = zeroed(1, sizeof(Row));
  row->dice = dice;
  if (value < 6) row->table = scenario_table(scenario, TABLES + (value - 1) * CHUNK + dice - 1);
  for (uint32_t top = 0; top < 1u << TOP; top++) {
    const uint32_t first = top << LOW, last = first | ((1u << LOW) - 1);
    const int32_t from = value < 6 ? quantile(row->table, first) : dice;
    const int32_t to = value < 6 ? quantile(row->table, last) : dice;
    row->hits[top] = from == to ? from : MIXED;
  }
  return row;
}

static int32_t dice_of(const Side *side, const Force *force, int pool) {
  return force->word[BY_TROOP + side->word[TROOPS] + pool];
}

static int32_t all(const Force *force) { return force->word[UNITS] + force->word[BY_PHASE]; }

static int32_t strength(int which, const Force *force) {
  const int32_t weight = force->word[WEIGHT];
  if (force->word[UNITS] == 0) return which == 0 ? -1 : INT32_MAX;
  if (which == 0) return weight;
  if (weight == 0) return 1;
  const int64_t least = ((int64_t)scenario[RETREAT_RATIO] * weight + RATIO_STEPS - 1) / RATIO_STEPS;
  return least < INT32_MAX ? (int32_t)least : INT32_MAX;
}

static State *add(int which, const Force *force, int before_battle) {
  Side *side = &sides[which];
  if (side->states == STATES_MAX) die("too many states");
  State *state = zeroed(1, sizeof(State) + (side->hits + 1) * sizeof(State *));
  side->force[side->states] = *force;
  side->state[side->states++] = state;
  state->strength = strength(which, force);
  state->class = force->word[UNITS] > 0 ? force->word[DICE] > 0 ? ARMED : UNARMED : all(force) > 0 ? AIR_ONLY : GONE;
  for (int phase = 0; phase < scenario[PHASES]; phase++) {
    const Row **row = state->rows[phase];
    for (int pool = side->word[POOLS + phase]; pool < side->word[POOLS + phase + 1]; pool++) {
      int32_t left = (phase == 0) == before_battle ? dice_of(side, force, pool) : 0;
      for (; left > 0; left -= CHUNK) *row++ = row_of(at(side->word[POOL_VALUES])[pool], left < CHUNK ? left : CHUNK);
    }
    while (row < state->rows[phase] + side->rolls[phase]) *row++ = &none;
  }
  return state;
}

static State *state_of(int which, Force *force) {
  Side *side = &sides[which];
  if (force->word[UNITS] == 0) force->word[RESERVE] = 0;
  for (int s = 1; s < side->states; s++) {
    if (memcmp(side->force[s].word, force->word, side->word[MUSTER_BYTES]) == 0) return side->state[s];
  }
  return add(which, force, 0);
}

static void tabulate(int which) {
  Side *side = &sides[which];
  Force muster = {{0}};
  memcpy(muster.word, at(side->word[MUSTER]), side->word[MUSTER_BYTES]);
  add(which, &muster, 1);
  state_of(which, &muster);
  for (int s = 0; s < side->states; s++) {
    State *next = side->state[s > 0 ? s : 1];
    for (int32_t hits = 0; hits <= side->hits; hits++) {
      if (s == 0 ? hits > 0 : side->force[s].word[UNITS] > 0) {
        Force force = side->force[s];
        place(side, &force, s > 0, hits);
        next = state_of(which, &force);
      }
      side->state[s]->next[hits] = next;
    }
  }
}

static void muster(int which) {
  Side *side = &sides[which], *enemy = &sides[1 - which];
  side->word = scenario + SIDES + which * SIDE_WORDS;
  side->state = zeroed(STATES_MAX, sizeof(State *));
  side->force = zeroed(STATES_MAX, sizeof(Force));
  const int32_t *force = at(side->word[MUSTER]);
  for (int phase = 0; phase < scenario[PHASES]; phase++) {
    int32_t dice = 0;
    for (int pool = side->word[POOLS + phase]; pool < side->word[POOLS + phase + 1]; pool++) {
      const int32_t rolled = force[BY_TROOP + side->word[TROOPS] + pool];
      side->rolls[phase] += (rolled + CHUNK - 1) / CHUNK;
      dice += rolled;
    }
    if (side->rolls[phase] > ROLLS_MAX / 4) die("more rolls than this program is made for");
    if (dice > enemy->hits) enemy->hits = dice;
  }
  if (enemy->hits > HITS_MAX) die("more dice than this program is made for");
}

static int has_dice(const Side *side) { return (side->rolls[0] | side->rolls[1] | side->rolls[2] | side->rolls[3]) != 0; }

/* ---- Battles: assembly/phased-dice/batch.ts ---- */

static inline uint32_t hits_of(const Row *row, uint32_t word) {
  const uint32_t hits = row->hits[word >> LOW];
  return __builtin_expect(hits != MIXED, 1) ? hits : (uint32_t)quantile(row->table, word);
}

static inline uint32_t roll(const State *state, int phase, int rolls, Stream stream, uint32_t word) {
  uint32_t hits = 0;
  for (int r = 0; r < rolls; r++) hits += hits_of(state->rows[phase][r], stream_word(stream, word + r));
  return hits;
}

/* How losses end a battle within a round. */
static int ending(const State *a, const State *d) {
  if (a->class == GONE) return d->class == GONE ? MUTUAL : DEFENDER;
  if (d->class == GONE) return ATTACKER;
  if (d->class < AIR_ONLY) return NO_END;
  return a->class == AIR_ONLY || scenario[AIR_STALEMATE] ? STALEMATE : ATTACKER;
}

/* How a battle ends after a round: attackers with aircraft alone go home by any policy that ever retreats. */
static int ending_after(const State *a, const State *d, int undecided) {
  const int end = ending(a, d), home = scenario[NO_WAY_OUT] ? DESTROYED : RETREAT;
  if (end != NO_END) return end;
  if (a->class < AIR_ONLY) return undecided;
  return scenario[GOES_HOME] ? home : scenario[AIR_STALEMATE] ? STALEMATE : DEFENDER;
}

/* How a battle ends after so many rounds, if it does. */
static inline int ending_of(const State *a, const State *d, int round, int leaving) {
  if (round == scenario[RETREAT_AFTER]) return ending_after(a, d, leaving);
  if (a->strength < d->strength) return ending_after(a, d, d->class == UNARMED ? STALEMATE : leaving);
  return round == scenario[MAX_ROUNDS] ? STALEMATE : NO_END;
}

static inline void fight(State **a, State **d, int round, int phase, Stream stream) {
  const uint32_t word = (((uint32_t)round << 3) | ((uint32_t)phase << 1)) << PHASE_BITS;
  const uint32_t dealt = roll(*a, phase, sides[0].rolls[phase], stream, word);
  const uint32_t taken = roll(*d, phase, sides[1].rolls[phase], stream, word + (1u << PHASE_BITS));
  *a = (*a)->next[taken];
  *d = (*d)->next[dealt];
}

static void play(Run *run, Stream stream) {
  const int phases = scenario[PHASES], leaving = scenario[NO_WAY_OUT] ? DESTROYED : RETREAT;
  State *a = sides[0].state[0], *d = sides[1].state[0];
  int round = 1;
  fight(&a, &d, 1, 0, stream);
  int end = ending(a, d); /* at once: what waits in reserve must not fall any more */
  while (end == NO_END) {
    for (int phase = 1; phase < phases; phase++) fight(&a, &d, round, phase, stream);
    end = ending_of(a, d, round, leaving);
    round += end == NO_END;
  }
  a->counts[end]++;
  d->counts[end]++;
  run->columns[0].counts[(end == DESTROYED ? DEFENDER : end) * run->columns[0].bins + round]++;
}

/* Adds what was counted by states to the counters of the metrics. */
static void settle(Run *run) {
  for (int which = 0; which < 2; which++) {
    const Side *side = &sides[which];
    const int first = which == 0 ? 3 : 3 + sides[0].word[TROOPS];
    for (int s = 1; s < side->states; s++) {
      for (int end = 0; end < ENDS; end++) {
        const uint32_t battles = side->state[s]->counts[end];
        const int outcome = end == DESTROYED ? DEFENDER : end, gone = end == DESTROYED && which == 0;
        const Column *units = &run->columns[1 + which];
        if (which == 0) run->outcome_counts[outcome] += battles;
        units->counts[outcome * units->bins + (gone ? 0 : all(&side->force[s]))] += battles;
        for (int t = 0; t < side->word[TROOPS]; t++) {
          const Column *column = &run->columns[first + t];
          column->counts[outcome * column->bins + (gone ? 0 : side->force[s].word[BY_TROOP + t])] += battles;
        }
      }
    }
  }
}

int main(int argc, char **argv) {
  Run run = run_open(argc, argv);
  scenario = run.scenario;
  muster(0);
  muster(1);
  if (!has_dice(&sides[0]) && !has_dice(&sides[1])) die("nobody has dice");
  tabulate(0);
  tabulate(1);
  const double start = seconds_now();
  for (uint64_t i = 0; i < run.count; i++) play(&run, stream_open(run.key, run.from + i));
  const double seconds = seconds_now() - start;
  settle(&run);
  run_report(&run, seconds);
  return 0;
}
