/** Compiles the scenarios of a configuration for the kernel decision-automaton. */

import { pause } from '#platform/pause';
import { formatGrouped, InputError } from '../../core/index.ts';
import { getErrorMessage, type Scenario } from '../../rules/index.ts';
import { HEAD_BYTES } from '../buffers.ts';
import type { EnvSpec, Variant } from '../env-spec.ts';
import { NONE } from '../layout.ts';
import type { TurnState } from '../reference-battle.ts';
import { type DecisionLeaf, exploreDecisions } from './decision-graph.ts';
import { encodeDecisions } from './encode-decisions.ts';

/** Name of the kernel. */
export const DECISION_KERNEL = 'decision-automaton';

/** Maximum size of a compiled scenario in words: 64 MiB. */
const WORDS_MAX = 2 ** 24;

/** A compiled scenario. */
export interface CompiledVariant {
  readonly words: Int32Array<ArrayBuffer>;
  /** Decodes the state of an environment at a decision. */
  decode(state: Uint8Array): TurnState;
}

/** Compiled scenarios of a configuration in its order, or the reason why one of them cannot be compiled. */
export type DecisionCompilation = readonly CompiledVariant[] | string;

/** Cache of compiled scenarios, by everything else on which they depend. */
const compiledVariants = new WeakMap<Scenario, Map<string, CompiledVariant | string>>();

/** Decodes states with the leaves of a scenario. */
function createDecoder({ model }: Variant, roundWords: number, leaves: readonly DecisionLeaf[]) {
  const known = leaves.map(({ point, begun }) => ({ point, begun }));
  return (bytes: Uint8Array): TurnState => {
    const [leaf = 0, moved = 0] = new Uint32Array(Uint8Array.from(bytes.subarray(HEAD_BYTES, HEAD_BYTES + 8)).buffer);
    const { point, begun } = known[leaf] ?? {};
    if (point === undefined || begun === undefined)
      throw new InputError('state', 'a state of such environments', 'other bytes');
    if (roundWords === 0) return begun;
    // Decisions at the start of a round belong to it, but the state still has the number of the previous one.
    const early = point !== NONE && model.resting(begun.state);
    const round = Math.min(model.maxRounds, moved / roundWords) - Number(early);
    return { ...begun, state: { ...begun.state, round } };
  };
}

/** Compiles a scenario, with a pause after each yield. */
function* compileVariant(configuration: EnvSpec, variant: Variant): Generator<undefined, CompiledVariant | string> {
  const { decisionPoints, compileSteps } = configuration;
  try {
    const graph = yield* exploreDecisions(variant, decisionPoints, compileSteps);
    const words = encodeDecisions(graph, configuration, variant);
    if (words.length > WORDS_MAX) return `its tables have more than ${formatGrouped(WORDS_MAX)} words`;
    return { words, decode: createDecoder(variant, graph.roundWords, graph.leaves) };
  } catch (error) {
    // If rules fail, the reference engine reports it at the battle.
    return getErrorMessage(error);
  }
}

function* compileAll(configuration: EnvSpec): Generator<undefined, DecisionCompilation> {
  const { variants, decisionPoints, features, compileSteps } = configuration;
  if (compileSteps === 0) return 'compileSteps is 0';
  const key = JSON.stringify([decisionPoints, features.map(({ name }) => name), compileSteps]);
  const all: CompiledVariant[] = [];
  for (const variant of variants) {
    const byKey = compiledVariants.get(variant.scenario) ?? new Map<string, CompiledVariant | string>();
    compiledVariants.set(variant.scenario, byKey);
    const compiled = byKey.get(key) ?? (yield* compileVariant(configuration, variant));
    byKey.set(key, compiled);
    if (typeof compiled === 'string') return compiled;
    all.push(compiled);
  }
  return all;
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 20;

/** Compiles all scenarios of a configuration, with pauses for timers and signals. */
export async function compileDecisions(configuration: EnvSpec): Promise<DecisionCompilation> {
  const work = compileAll(configuration);
  let paused = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - paused < PAUSE_EVERY) continue;
    await pause();
    paused = performance.now();
  }
}

/** Compiles all scenarios of a configuration without pauses. */
export function compileDecisionsSync(configuration: EnvSpec): DecisionCompilation {
  const work = compileAll(configuration);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
