/*
 * Native twin of assembly/engines/automaton.ts: a compiled scenario, played one word after the other, scalar, some
 * battles in turn so that their looks overlap. The scenario is: byte offsets of the record where battles start and of
 * the first that is no ending, then the records as src/engines/automaton/encode.ts lays them out. What it counts are endings.
 */
#include "generated/automaton.h"
#include "warpool.h"

enum { ENDING_WORDS = LOOK_WORDS + SLOT_WORDS, TOGETHER = 8 };

static inline uint32_t rotated(uint32_t word, uint32_t by) { return (word << (by & 31)) | (word >> (-by & 31)); }

/* The record, in bytes from the first, that a word leads to. */
static inline uint32_t next(const uint32_t *records, uint32_t at, Stream stream) {
  const uint32_t *record = records + at / 4;
  const uint32_t word = stream_word(stream, record[LOOK_PLACE]);
  const uint32_t *slot = record + LOOK_WORDS + (rotated(word, record[LOOK_ROTATION]) & record[LOOK_MASK]) / 4;
  return word < slot[SLOT_THRESHOLD] ? slot[SLOT_BELOW] : slot[SLOT_ABOVE];
}

int main(int argc, char **argv) {
  Run run = run_open(argc, argv);
  const uint32_t start = (uint32_t)run.scenario[0];
  const uint32_t nodes = (uint32_t)run.scenario[1];
  const uint32_t *records = (const uint32_t *)run.scenario + 2;
  const double began = seconds_now();
  for (uint64_t k = 0; k < run.count; k += TOGETHER) {
    const int battles = run.count - k < TOGETHER ? (int)(run.count - k) : TOGETHER;
    Stream stream[TOGETHER];
    uint32_t at[TOGETHER];
    for (int b = 0; b < battles; b++) stream[b] = stream_open(run.key, run.from + k + (uint64_t)b);
    for (int b = 0; b < battles; b++) at[b] = start;
    for (int open = 1; open;) {
      open = 0;
      for (int b = 0; b < battles; b++) {
        at[b] = next(records, at[b], stream[b]);
        open |= at[b] >= nodes;
      }
    }
    for (int b = 0; b < battles; b++) run.outcome_counts[at[b] / (4 * ENDING_WORDS)]++;
  }
  run_report(&run, seconds_now() - began);
  return 0;
}
