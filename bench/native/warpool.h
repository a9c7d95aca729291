/*
 * What the native twins of the kernels share: command line, scenario, stream, counters and report.
 *
 *   twin words.bin runKey from count
 *
 * words.bin holds the little-endian 32-bit words that src/engines/kernel/kernel.ts writes for a kernel: the shape of the
 * counts (outcomes, metrics, least value and bins of each), then the scenario as its encode.ts lays it out. The twin
 * plays battles from..from+count-1 of the run and prints the seconds that took, the count of each outcome, and the
 * sum of each metric's values. Counters are those of assembly/core/counts.ts, so counts and sums equal the kernel's.
 */
#ifndef WARPOOL_H
#define WARPOOL_H

#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "generated/kernel.h"
#include "generated/rules.h"

/* ---- The stream of a battle: src/core/chance/stream.ts ---- */

typedef struct {
  uint32_t low, high;
} Stream;

static inline uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline Stream stream_open(uint64_t run_key, uint64_t index) {
  uint64_t key = mix64(run_key + (index + 1) * 0x9e3779b97f4a7c15u);
  return (Stream){(uint32_t)key, (uint32_t)(key >> 32)};
}

/* Word `counter` of a stream. */
static inline uint32_t stream_word(Stream stream, uint32_t counter) {
  uint32_t x = counter + stream.low;
  x = (x ^ (x >> 17)) * 0xed5ad4bbu;
  x = (x ^ (x >> 11)) + stream.high;
  x *= 0xac4c1b51u;
  x = (x ^ (x >> 15)) * 0x31848babu;
  return x ^ (x >> 14);
}

/* ---- The scenario: src/rules/layout.ts ---- */

/* The table that lies as many bytes after the scenario's head as its word `index` says. */
static inline const uint8_t *scenario_table(const int32_t *scenario, int index) {
  return (const uint8_t *)scenario + scenario[index];
}

/* How many thresholds of a quantile table are <= word. */
static inline int quantile(const uint8_t *table, uint32_t word) {
  int32_t count;
  memcpy(&count, table + QUANTILES_COUNT, 4);
  const uint32_t *threshold = (const uint32_t *)(table + QUANTILES_THRESHOLDS);
  int k = table[QUANTILES_GUIDE + (word >> 28)];
  while (k < count && threshold[k] <= word) k++;
  return k;
}

/* ---- A run and its counters ---- */

typedef struct {
  int32_t least, bins;
  uint32_t *counts; /* bins of outcome 0, then of outcome 1, ... */
} Column;

typedef struct {
  uint64_t key, from, count;
  const int32_t *scenario;
  int32_t outcomes, metrics;
  uint32_t *outcome_counts;
  Column columns[METRICS_MAX];
} Run;

static inline void die(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(2);
}

static inline void *zeroed(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) die("out of memory");
  return memory;
}

static inline int32_t *words_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) die("cannot open the file of words");
  if (fseek(file, 0, SEEK_END) != 0) die("cannot read the file of words");
  long bytes = ftell(file);
  rewind(file);
  int32_t *words = zeroed((size_t)bytes + 4, 1);
  if (bytes < 8 || fread(words, 1, (size_t)bytes, file) != (size_t)bytes) die("cannot read the file of words");
  fclose(file);
  return words;
}

/* Reads command line and words; nothing is counted yet. */
static inline Run run_open(int argc, char **argv) {
  if (argc != 5) die("usage: twin words.bin runKey from count");
  const int32_t *words = words_of(argv[1]);
  Run run = {.key = strtoull(argv[2], NULL, 10), .from = strtoull(argv[3], NULL, 10), .count = strtoull(argv[4], NULL, 10)};
  run.outcomes = words[SHAPE_OUTCOMES];
  run.metrics = words[SHAPE_METRICS];
  if (run.metrics < 0 || run.metrics > METRICS_MAX) die("more metrics than a kernel holds");
  run.outcome_counts = zeroed((size_t)run.outcomes, sizeof(uint32_t));
  for (int m = 0; m < run.metrics; m++) {
    const int32_t *range = words + SHAPE_WORDS + m * RANGE_WORDS;
    int32_t bins = range[RANGE_BINS];
    run.columns[m] = (Column){range[RANGE_LEAST], bins, zeroed((size_t)bins * (size_t)run.outcomes, sizeof(uint32_t))};
  }
  run.scenario = words + SHAPE_WORDS + run.metrics * RANGE_WORDS;
  return run;
}

/* Counts a battle; `metrics` values, as many as the run has, a constant where the system knows it. */
static inline void run_count(Run *run, int outcome, const int32_t *values, int metrics) {
  run->outcome_counts[outcome]++;
  for (int m = 0; m < metrics; m++) {
    const Column *column = &run->columns[m];
    column->counts[outcome * column->bins + values[m] - column->least]++;
  }
}

static inline double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the report; `seconds` is the time that playing took, tables read before and this not counted. */
static inline void run_report(const Run *run, double seconds) {
  printf("%.9f\n", seconds);
  for (int o = 0; o < run->outcomes; o++) printf("%s%" PRIu32, o > 0 ? " " : "", run->outcome_counts[o]);
  printf("\n");
  for (int m = 0; m < run->metrics; m++) {
    const Column *column = &run->columns[m];
    int64_t sum = 0;
    for (int64_t k = 0; k < (int64_t)column->bins * run->outcomes; k++) {
      sum += (int64_t)column->counts[k] * (column->least + k % column->bins);
    }
    printf("%s%" PRId64, m > 0 ? " " : "", sum);
  }
  printf("\n");
}

#endif
