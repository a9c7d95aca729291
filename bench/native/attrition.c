/* Native twin of assembly/systems/attrition.ts, direct and indirect mode: one battle after the other, scalar. */
#include "warpool.h"

enum { ATTACKER, DEFENDER, MUTUAL, UNDECIDED };

enum { SLOTS = 32 };

/* Where the words of escaped draws begin. */
static const uint32_t ESCAPES = 0x80000000u;

/* An alias table of differences (src/chance/alias.ts). */
typedef struct {
  uint8_t cut[SLOTS];
  int16_t distance[2][SLOTS];
  const uint8_t *residual;
} Differences;

typedef struct {
  int32_t attacker, defender, limit;
  int32_t forth, forth_prey, back, back_prey;
  Differences differences;
} Duel;

static Duel duel_of(const int32_t *scenario) {
  if (scenario[0] > 1) die("only direct and indirect combat");
  const uint8_t *table = scenario_table(scenario, 8);
  Duel duel = {
      .attacker = scenario[1],
      .defender = scenario[2],
      .forth = scenario[3],
      .forth_prey = scenario[4],
      .back = scenario[5],
      .back_prey = scenario[6],
      .limit = scenario[7],
  };
  memcpy(duel.differences.cut, table, SLOTS);
  memcpy(duel.differences.distance, table + SLOTS, sizeof duel.differences.distance);
  duel.differences.residual = table + SLOTS + sizeof duel.differences.distance;
  return duel;
}

static inline int32_t difference(const Differences *table, Stream stream, uint32_t bits, uint32_t escape) {
  uint32_t slot = bits & 31;
  int32_t distance = table->distance[bits >> 8 >= table->cut[slot]][slot];
  if (__builtin_expect(distance < 0, 0)) distance = quantile(table->residual, stream_word(stream, ESCAPES + escape));
  int32_t sign = -(int32_t)((bits >> 7) & 1);
  return (distance ^ sign) - sign;
}

static inline int32_t damage(int32_t difference, int32_t bonus, int32_t prey) {
  int32_t through = difference + bonus;
  return through > 0 ? through + prey : 0;
}

static inline int duel_play(const Duel *duel, Stream stream, int32_t *values) {
  int32_t attacker = duel->attacker, defender = duel->defender, round = 0;
  while (attacker > 0 && defender > 0 && round < duel->limit) {
    round++;
    uint32_t word = stream_word(stream, (uint32_t)round);
    int32_t forth = difference(&duel->differences, stream, word & 0xffff, 2 * (uint32_t)round);
    int32_t back = difference(&duel->differences, stream, word >> 16, 2 * (uint32_t)round + 1);
    defender -= damage(forth, duel->forth, duel->forth_prey);
    attacker -= damage(back, duel->back, duel->back_prey);
  }
  values[0] = round;
  values[1] = attacker > 0 ? attacker : 0;
  values[2] = defender > 0 ? defender : 0;
  if (attacker > 0) return defender > 0 ? UNDECIDED : ATTACKER;
  return defender > 0 ? DEFENDER : MUTUAL;
}

int main(int argc, char **argv) {
  Run run = run_open(argc, argv);
  const Duel duel = duel_of(run.scenario);
  const double began = seconds_now();
  for (uint64_t k = 0; k < run.count; k++) {
    int32_t values[3];
    int outcome = duel_play(&duel, stream_open(run.key, run.from + k), values);
    run_count(&run, outcome, values, 3);
  }
  run_report(&run, seconds_now() - began);
  return 0;
}
