/** The words of a configuration as kernels read them: assembly/rollout/fields.ts. */
import { InputError } from '../errors.ts';
import { opened } from '../systems/opened.ts';
import type { Scenario } from '../systems/system.ts';
import { AUTORESETS, type Configuration, type Variant } from './configuration.ts';
import { ABI, AUTORESET_WORD, MAX_STEPS_WORD, UNASKED_WORD } from './layout.ts';

/** Words before the variants, and of a variant. */
const HEAD = 16;
const VARIANT = 16;

const POINTS_WORD = 10;

const REWARDS_METRICS = 1;
const LACKS_FEATURES = 2;

/** Words after words, with the offsets in bytes at which they lie. */
class Words {
  readonly words: number[];

  constructor(size: number) {
    this.words = new Array<number>(size).fill(0);
  }

  add(values: Iterable<number>): number {
    const offset = this.words.length * 4;
    for (const value of values) this.words.push(value);
    return offset;
  }

  /** Doubles begin at a multiple of 8 bytes. */
  doubles(values: readonly number[]): number {
    if (this.words.length % 2 === 1) this.words.push(0);
    return this.add(new Int32Array(Float64Array.from(values).buffer));
  }
}

/** Below which word each variant is drawn, unless one before it is. */
export function thresholds(variants: readonly Variant[]): number[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  return variants.map(({ weight }) => {
    sum += weight;
    return Math.min(2 ** 32 - 1, Math.round((sum / total) * 2 ** 32));
  });
}

function wordsOf(scenario: Scenario): Int32Array {
  const words = opened(scenario).words();
  if (words === undefined) throw new InputError('system', 'a system with a kernel', scenario.system);
  return words;
}

/** A configuration as kernels read it; the seed is set where environments are reset. */
export function encodeConfiguration(configuration: Configuration): Int32Array<ArrayBuffer> {
  const { variants, agents, points, asked, actions, features, metrics, autoreset, maxSteps } = configuration;
  const layout = new Words(HEAD + VARIANT * variants.length);
  const { words } = layout;
  const head = [ABI, variants.length, actions.length, features.length, agents.length, metrics];
  words.splice(0, head.length, ...head);
  words[AUTORESET_WORD] = AUTORESETS.indexOf(autoreset);
  words[MAX_STEPS_WORD] = maxSteps;
  words[POINTS_WORD] = points.length;
  words[UNASKED_WORD] = points.reduce((bits, point, p) => bits | (asked.includes(point) ? 0 : 1 << p), 0);
  const bounds = thresholds(variants);
  for (const [v, variant] of variants.entries()) {
    const { scenario, spec, players, agentOf, actionOf, slotOf, outcomes, byOutcome, byMetric } = variant;
    const flags =
      (byMetric.flat().some((weight) => weight !== 0) ? REWARDS_METRICS : 0) |
      (slotOf.filter((slot) => slot >= 0).length + points.length + 1 < features.length ? LACKS_FEATURES : 0);
    const entry = [
      layout.add(wordsOf(scenario)),
      bounds[v] ?? 0,
      players.length,
      layout.add(agentOf),
      actionOf.length,
      layout.add(actionOf),
      layout.add(actions.map((_, a) => actionOf.indexOf(a))),
      // What is left out is written where the player is written later.
      layout.add(slotOf.map((slot) => Math.max(0, slot))),
      slotOf.length,
      outcomes.length,
      layout.doubles(byOutcome.flat()),
      variant.metrics.length,
      layout.doubles(byMetric.flat()),
      layout.add(spec.kernel?.encode() ?? []),
      flags,
    ];
    words.splice(HEAD + VARIANT * v, entry.length, ...entry);
  }
  return Int32Array.from(words);
}
