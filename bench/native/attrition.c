/*
 * Native twin of assembly/systems/attrition.ts, direct and indirect mode: one battle after the other, scalar. The
 * damages of both sides are tabled for every slot, sign and column, so that a round has no branch but its own end.
 */
#include "generated/attrition.h"
#include "generated/rules.h"
#include "warpool.h"

enum { ATTACKER, DEFENDER, MUTUAL, UNDECIDED };

enum { SLOTS = DIFFERENCE_PRIMARY, COLUMNS = 2, SIGNS = 2 };

/* In the place of a damage: the draw goes on to the residual law. */
enum { ESCAPED = 1 << 30 };

typedef struct {
  int32_t bonus, prey;
  int32_t damage[COLUMNS * SIGNS * SLOTS];
} Blow;

typedef struct {
  int32_t attacker, defender, limit;
  uint8_t cut[SLOTS];
  Blow forth, back;
  const uint8_t *residual;
} Duel;

static int32_t damage_of(const Blow *blow, int32_t difference) {
  int32_t through = difference + blow->bonus;
  return through > 0 ? through + blow->prey : 0;
}

static Blow blow_of(int32_t bonus, int32_t prey, const int16_t *distances) {
  Blow blow = {.bonus = bonus, .prey = prey};
  for (int column = 0; column < COLUMNS; column++) {
    for (int sign = 0; sign < SIGNS; sign++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        int32_t distance = distances[column * SLOTS + slot];
        int32_t damage = distance < 0 ? ESCAPED : damage_of(&blow, sign ? -distance : distance);
        blow.damage[(column * SIGNS + sign) * SLOTS + slot] = damage;
      }
    }
  }
  return blow;
}

/* The table of differences: cuts in bytes, distances in half words, the residual law (src/rules/layout.ts). */
static Duel duel_of(const int32_t *scenario) {
  if (scenario[TERMS_MODE] == MODES_MASS) die("only direct and indirect combat");
  const uint8_t *table = scenario_table(scenario, TERMS_DIFFERENCES);
  int16_t distances[COLUMNS * SLOTS];
  memcpy(distances, table + DIFFERENCE_PRIMARY, sizeof distances);
  Duel duel = {
      .attacker = scenario[TERMS_ATTACKER_HP],
      .defender = scenario[TERMS_DEFENDER_HP],
      .limit = scenario[TERMS_ROUNDS],
      .forth = blow_of(scenario[TERMS_FORTH], scenario[TERMS_FORTH_PREY], distances),
      .back = blow_of(scenario[TERMS_BACK], scenario[TERMS_BACK_PREY], distances),
      .residual = table + DIFFERENCE_RESIDUAL,
  };
  memcpy(duel.cut, table + DIFFERENCE_CUT, SLOTS);
  return duel;
}

static inline int32_t tabled(const Duel *duel, const Blow *blow, uint32_t bits) {
  uint32_t slot = bits & 31, above = bits >> 8 >= duel->cut[slot];
  return blow->damage[above << 6 | (bits >> 2 & 32) | slot];
}

static int32_t escaped(const Duel *duel, const Blow *blow, Stream stream, uint32_t bits, uint32_t place, uint32_t half) {
  int32_t distance = quantile(duel->residual, stream_word(stream, ESCAPES_at(place, half)));
  return damage_of(blow, bits >> 7 & 1 ? -distance : distance);
}

static inline int duel_play(const Duel *duel, Stream stream, int32_t *values) {
  int32_t attacker = duel->attacker, defender = duel->defender;
  uint32_t round = 0, limit = (uint32_t)duel->limit;
  /* A word ahead, so that no round waits for its own. */
  uint32_t next = stream_word(stream, PLACES_at(1));
  while (attacker > 0 && defender > 0 && round < limit) {
    round++;
    uint32_t word = next;
    next = stream_word(stream, PLACES_at(round + 1));
    int32_t forth = tabled(duel, &duel->forth, word & 0xffff);
    int32_t back = tabled(duel, &duel->back, word >> 16);
    if (__builtin_expect((forth | back) >= ESCAPED, 0)) {
      if (forth == ESCAPED) forth = escaped(duel, &duel->forth, stream, word & 0xffff, round, 0);
      if (back == ESCAPED) back = escaped(duel, &duel->back, stream, word >> 16, round, 1);
    }
    defender -= forth;
    attacker -= back;
  }
  values[METRICS_ROUNDS] = (int32_t)round;
  values[METRICS_HP] = attacker > 0 ? attacker : 0;
  values[METRICS_HP + 1] = defender > 0 ? defender : 0;
  if (attacker > 0) return defender > 0 ? UNDECIDED : ATTACKER;
  return defender > 0 ? DEFENDER : MUTUAL;
}

/* Streams that are opened ahead, so that no battle waits for its key. */
enum { AHEAD = 1024 };

static void play(Run *run, const Duel *duel, uint64_t from, int count) {
  Stream streams[AHEAD];
  for (int k = 0; k < count; k++) streams[k] = stream_open(run->key, from + (uint64_t)k);
  for (int k = 0; k < count; k++) {
    int32_t values[METRICS_COUNT];
    int outcome = duel_play(duel, streams[k], values);
    run_count(run, outcome, values, METRICS_COUNT);
  }
}

int main(int argc, char **argv) {
  Run run = run_open(argc, argv);
  const Duel duel = duel_of(run.scenario);
  const double began = seconds_now();
  for (uint64_t played = 0; played < run.count; played += AHEAD) {
    uint64_t left = run.count - played;
    play(&run, &duel, run.from + played, left < AHEAD ? (int)left : AHEAD);
  }
  run_report(&run, seconds_now() - began);
  return 0;
}
