/*
 * Phased dice in C: the twin of assembly/phased-dice/, one battle after another in scalar code over the same tables.
 * A side is one of its states; a state has the rows that it rolls from and the state that follows so many hits.
 */
#include "generated/phased-dice.h"
#include "warpool.h"

enum { BY_TROOP = FORCE_WORDS, FORCE_MAX = FORCE_WORDS + 256 };

/* Ends are outcomes, and a retreat that destroys the attacker. */
enum { DESTROYED = OUTCOMES_RETREAT + 1, ENDS, NO_END = -1 };
enum { ARMED, UNARMED, AIR_ONLY, GONE };

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
static Row *laws[6][POOL_CHUNK + 1];
static Row none;

/* ---- Which units fall: assembly/phased-dice/side.ts ---- */

static const int32_t *at(int32_t offset) { return scenario + offset / 4; }

static int32_t onto(const Side *side, Force *force, const int32_t *list, int32_t hits) {
  int32_t left = hits;
  for (int32_t i = 0; i < list[0] && left > 0; i++) {
    const int32_t t = list[1 + i], *troop = at(side->word[SIDE_TROOP_TABLE]) + 6 * t;
    int32_t living = force->word[BY_TROOP + t], fallen = left / troop[TROOP_HITS];
    if (fallen > living) fallen = living;
    force->word[BY_TROOP + t] -= fallen;
    force->word[FORCE_BY_PHASE + troop[TROOP_PHASE]] -= fallen;
    force->word[troop[TROOP_POOL] / 4] -= fallen * troop[TROOP_DICE];
    left -= fallen * troop[TROOP_HITS];
    if (troop[TROOP_PHASE] == 0) continue;
    force->word[FORCE_UNITS] -= fallen;
    force->word[FORCE_DICE] -= fallen * troop[TROOP_DICE];
    force->word[FORCE_WEIGHT] -= fallen * troop[TROOP_WEIGHT];
  }
  return left;
}

static int32_t named(const Side *side, const Force *force, int32_t pool) {
  int32_t named = 0, most = -1;
  for (int32_t i = 0; i < scenario[HEAD_PHASES] - 1; i++) {
    const int32_t phase = side->word[SIDE_NAMED + i];
    if (force->word[FORCE_BY_PHASE + phase] == 0) continue;
    if (!side->word[SIDE_WEIGHED]) return phase;
    const int32_t *group = at(side->word[SIDE_GROUPS + phase]);
    int32_t worth = 0;
    for (int32_t k = 1; k <= group[0]; k++) {
      const int32_t *troop = at(side->word[SIDE_TROOP_TABLE]) + TROOP_WORDS * group[k];
      if (troop[TROOP_HITS] <= pool) worth += force->word[BY_TROOP + group[k]] * troop[TROOP_WORTH];
    }
    if (worth > most) most = worth, named = phase;
  }
  return named;
}

static void place(const Side *side, Force *force, int phase, int32_t hits) {
  int32_t left = force->word[FORCE_RESERVE] + hits;
  if (hits > 0) left = onto(side, force, at(side->word[SIDE_GROUPS + (phase == 0 ? 0 : named(side, force, left))]), left);
  if (phase > 0 || force->word[FORCE_BY_PHASE] == 0) left = onto(side, force, at(side->word[SIDE_GROUND]), left);
  force->word[FORCE_RESERVE] = left;
}

/* ---- States: assembly/phased-dice/states.ts ---- */

static Row *row_of(int32_t value, int32_t dice) {
  if (value > 6) value = 6;
  if (laws[value - 1][dice] != NULL) return laws[value - 1][dice];
  Row *row = laws[value - 1][dice] = zeroed(1, sizeof(Row));
  row->dice = dice;
  if (value < 6) row->table = scenario_table(scenario, HEAD_HITS + (value - 1) * POOL_CHUNK + dice - 1);
  for (uint32_t top = 0; top < 1u << TOP; top++) {
    const uint32_t first = top << LOW, last = first | ((1u << LOW) - 1);
    const int32_t from = value < 6 ? quantile(row->table, first) : dice;
    const int32_t to = value < 6 ? quantile(row->table, last) : dice;
    row->hits[top] = from == to ? from : MIXED;
  }
  return row;
}

static int32_t dice_of(const Side *side, const Force *force, int pool) {
  return force->word[BY_TROOP + side->word[SIDE_TROOPS] + pool];
}

static int32_t all(const Force *force) { return force->word[FORCE_UNITS] + force->word[FORCE_BY_PHASE]; }

static int32_t strength(int which, const Force *force) {
  const int32_t weight = force->word[FORCE_WEIGHT];
  if (force->word[FORCE_UNITS] == 0) return which == 0 ? -1 : INT32_MAX;
  if (which == 0) return weight;
  if (weight == 0) return 1;
  const int64_t least = ((int64_t)scenario[HEAD_RETREAT_RATIO] * weight + RATIO_STEPS - 1) / RATIO_STEPS;
  return least < INT32_MAX ? (int32_t)least : INT32_MAX;
}

static State *add(int which, const Force *force, int before_battle) {
  Side *side = &sides[which];
  if (side->states == STATES_MAX) die("too many states");
  State *state = zeroed(1, sizeof(State) + (side->hits + 1) * sizeof(State *));
  side->force[side->states] = *force;
  side->state[side->states++] = state;
  state->strength = strength(which, force);
  state->class = force->word[FORCE_UNITS] > 0 ? force->word[FORCE_DICE] > 0 ? ARMED : UNARMED : all(force) > 0 ? AIR_ONLY : GONE;
  for (int phase = 0; phase < scenario[HEAD_PHASES]; phase++) {
    const Row **row = state->rows[phase];
    for (int pool = side->word[SIDE_POOLS + phase]; pool < side->word[SIDE_POOLS + phase + 1]; pool++) {
      int32_t left = (phase == 0) == before_battle ? dice_of(side, force, pool) : 0;
      for (; left > 0; left -= POOL_CHUNK) *row++ = row_of(at(side->word[SIDE_POOL_VALUES])[pool], left < POOL_CHUNK ? left : POOL_CHUNK);
    }
    while (row < state->rows[phase] + side->rolls[phase]) *row++ = &none;
  }
  return state;
}

static State *state_of(int which, Force *force) {
  Side *side = &sides[which];
  if (force->word[FORCE_UNITS] == 0) force->word[FORCE_RESERVE] = 0;
  for (int s = 1; s < side->states; s++) {
    if (memcmp(side->force[s].word, force->word, side->word[SIDE_FORCE_BYTES]) == 0) return side->state[s];
  }
  return add(which, force, 0);
}

static void tabulate(int which) {
  Side *side = &sides[which];
  Force muster = {{0}};
  memcpy(muster.word, at(side->word[SIDE_FORCE]), side->word[SIDE_FORCE_BYTES]);
  add(which, &muster, 1);
  state_of(which, &muster);
  for (int s = 0; s < side->states; s++) {
    State *next = side->state[s > 0 ? s : 1];
    for (int32_t hits = 0; hits <= side->hits; hits++) {
      if (s == 0 ? hits > 0 : side->force[s].word[FORCE_UNITS] > 0) {
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
  side->word = scenario + HEAD_SIDES + which * SIDE_WORDS;
  side->state = zeroed(STATES_MAX, sizeof(State *));
  side->force = zeroed(STATES_MAX, sizeof(Force));
  const int32_t *force = at(side->word[SIDE_FORCE]);
  for (int phase = 0; phase < scenario[HEAD_PHASES]; phase++) {
    int32_t dice = 0;
    for (int pool = side->word[SIDE_POOLS + phase]; pool < side->word[SIDE_POOLS + phase + 1]; pool++) {
      const int32_t rolled = force[BY_TROOP + side->word[SIDE_TROOPS] + pool];
      side->rolls[phase] += (rolled + POOL_CHUNK - 1) / POOL_CHUNK;
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
  if (a->class == GONE) return d->class == GONE ? OUTCOMES_MUTUAL : OUTCOMES_DEFENDER;
  if (d->class == GONE) return OUTCOMES_ATTACKER;
  if (d->class < AIR_ONLY) return NO_END;
  return a->class == AIR_ONLY || scenario[HEAD_AIR_STALEMATE] ? OUTCOMES_STALEMATE : OUTCOMES_ATTACKER;
}

/* How a battle ends after a round: attackers with aircraft alone go home by any policy that ever retreats. */
static int ending_after(const State *a, const State *d, int undecided) {
  const int end = ending(a, d), home = scenario[HEAD_NO_WAY_OUT] ? DESTROYED : OUTCOMES_RETREAT;
  if (end != NO_END) return end;
  if (a->class < AIR_ONLY) return undecided;
  return scenario[HEAD_GOES_HOME] ? home : scenario[HEAD_AIR_STALEMATE] ? OUTCOMES_STALEMATE : OUTCOMES_DEFENDER;
}

/* How a battle ends after so many rounds, if it does. */
static inline int ending_of(const State *a, const State *d, int round, int leaving) {
  if (round == scenario[HEAD_RETREAT_AFTER]) return ending_after(a, d, leaving);
  if (a->strength < d->strength) return ending_after(a, d, d->class == UNARMED ? OUTCOMES_STALEMATE : leaving);
  return round == scenario[HEAD_MAX_ROUNDS] ? OUTCOMES_STALEMATE : NO_END;
}

static inline void fight(State **a, State **d, int round, int phase, Stream stream) {
    const uint32_t dealt = roll(*a, phase, sides[0].rolls[phase], stream, PLACES_at(round, phase, 0));
  const uint32_t taken = roll(*d, phase, sides[1].rolls[phase], stream, PLACES_at(round, phase, 1));
  *a = (*a)->next[taken];
  *d = (*d)->next[dealt];
}

static void play(Run *run, Stream stream) {
  const int phases = scenario[HEAD_PHASES], leaving = scenario[HEAD_NO_WAY_OUT] ? DESTROYED : OUTCOMES_RETREAT;
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
  const Column *rounds = &run->columns[METRICS_ROUNDS];
  rounds->counts[(end == DESTROYED ? OUTCOMES_DEFENDER : end) * rounds->bins + round]++;
}

/* Adds what was counted by states to the counters of the metrics. */
static void settle(Run *run) {
  for (int which = 0; which < 2; which++) {
    const Side *side = &sides[which];
    const int first = which == 0 ? METRICS_TYPES : METRICS_TYPES + sides[0].word[SIDE_TROOPS];
    for (int s = 1; s < side->states; s++) {
      for (int end = 0; end < ENDS; end++) {
        const uint32_t battles = side->state[s]->counts[end];
        const int outcome = end == DESTROYED ? OUTCOMES_DEFENDER : end, gone = end == DESTROYED && which == 0;
        const Column *units = &run->columns[METRICS_LEFT + which];
        if (which == 0) run->outcome_counts[outcome] += battles;
        units->counts[outcome * units->bins + (gone ? 0 : all(&side->force[s]))] += battles;
        for (int t = 0; t < side->word[SIDE_TROOPS]; t++) {
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
