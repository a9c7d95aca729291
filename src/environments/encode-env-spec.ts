/** Encodes configurations as words for kernels: layout.ts. */
import { InputError } from '../core/index.ts';
import { getBoundScenario, type Scenario } from '../rules/index.ts';
import type { EnvSpec, Variant } from './env-spec.ts';
import { ABI, AUTORESETS, CONFIGURATION, FLAGS, VARIANT } from './layout.ts';

/** Buffer of words with byte offsets. */
class WordBuffer {
  readonly words: number[];

  constructor(size: number) {
    this.words = new Array<number>(size).fill(0);
  }

  add(values: ArrayLike<number>): number {
    const offset = this.words.length * 4;
    for (let k = 0; k < values.length; k++) this.words.push(values[k] ?? 0);
    return offset;
  }

  /** Aligns doubles to 8 bytes. */
  doubles(values: readonly number[]): number {
    if (this.words.length % 2 === 1) this.words.push(0);
    return this.add(new Int32Array(Float64Array.from(values).buffer));
  }
}

/** Computes the thresholds of the random word that chooses a variant. */
export function computeThresholds(variants: readonly Variant[]): number[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  return variants.map(({ weight }) => {
    sum += weight;
    return Math.min(2 ** 32 - 1, Math.round((sum / total) * 2 ** 32));
  });
}

function encodeScenario(scenario: Scenario): Int32Array {
  const words = getBoundScenario(scenario).encodeWords();
  if (words === undefined) throw new InputError('system', 'a system with a kernel', scenario.system);
  return words;
}

function computeFlags({ byMetric, slotOf }: Variant, { decisionPoints, features }: EnvSpec): number {
  const rewardsMetrics = byMetric.flat().some((weight) => weight !== 0);
  const lacksFeatures = slotOf.filter((slot) => slot >= 0).length + decisionPoints.length + 1 < features.length;
  return (rewardsMetrics ? FLAGS.rewardsMetrics : 0) | (lacksFeatures ? FLAGS.lacksFeatures : 0);
}

/** Writes the data of a variant, and returns its words. */
function encodeVariant(
  layout: WordBuffer,
  configuration: EnvSpec,
  variant: Variant,
  threshold: number,
  body: ArrayLike<number> | undefined,
): number[] {
  const { scenario, spec, players, agentOf, actionOf, slotOf, outcomes, byOutcome, metrics, byMetric, byStep } =
    variant;
  return VARIANT.pack({
    body: layout.add(body ?? encodeScenario(scenario)),
    threshold,
    players: players.length,
    agents: layout.add(agentOf),
    actions: actionOf.length,
    actionOf: layout.add(actionOf),
    localOf: layout.add(configuration.actions.map((_, a) => actionOf.indexOf(a))),
    // Omitted features are written to the slot of the player, which is written later.
    slotOf: layout.add(slotOf.map((slot) => Math.max(0, slot))),
    features: slotOf.length,
    outcomes: outcomes.length,
    byOutcome: layout.doubles(byOutcome.flat()),
    metrics: metrics.length,
    byMetric: layout.doubles(byMetric.flat()),
    extras: layout.add(spec.kernel?.encode() ?? []),
    flags: computeFlags(variant, configuration),
    byStep: layout.doubles(byStep),
  });
}

/** Encodes a configuration for kernels; a reset sets the seed. @param compiled scenarios for decision-automaton */
export function encodeEnvSpec(
  configuration: EnvSpec,
  compiled: readonly { readonly words: Int32Array }[] = [],
): Int32Array<ArrayBuffer> {
  const { variants, agents, decisionPoints, decisions, actions, features, metrics, autoreset, maxSteps } =
    configuration;
  const layout = new WordBuffer(CONFIGURATION.size + VARIANT.size * variants.length);
  const head = CONFIGURATION.pack({
    abi: ABI,
    variants: variants.length,
    actions: actions.length,
    features: features.length,
    agents: agents.length,
    metrics,
    autoreset: AUTORESETS.indexOf(autoreset),
    maxSteps,
    ...{ seedLow: 0, seedHigh: 0 },
    points: decisionPoints.length,
    unasked: decisionPoints.reduce((bits, point, p) => bits | (decisions.includes(point) ? 0 : 1 << p), 0),
    unused: [0, 0, 0, 0],
  });
  const bounds = computeThresholds(variants);
  const entries = variants.flatMap((variant, v) =>
    encodeVariant(layout, configuration, variant, bounds[v] ?? 0, compiled[v]?.words),
  );
  layout.words.splice(0, head.length + entries.length, ...head, ...entries);
  return Int32Array.from(layout.words);
}
