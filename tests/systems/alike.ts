/** Tests that apply to every battle system; the test files of the systems call them with generated scenarios. */
import { beforeAll, expect, it } from 'vitest';
import { RecordedChance, type ReplayEvent } from '../../src/core/chance/recorded-chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { computeBattleKey, Stream } from '../../src/core/chance/stream.ts';
import { type ExactDistribution, solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { ReferenceBattle } from '../../src/environments/reference-battle.ts';
import { computeBattleIndex } from '../../src/environments/reference-env.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { findOutcome, playBattle } from '../../src/rules/play-battle.ts';
import type { KernelSystem, Key, Model, Scenario, State } from '../../src/rules/system.ts';
import { addBattle, createCountsShape, createEmptyCounts, listValueCounts } from '../../src/stats/counts.ts';
import { within } from '../exact/budgets.ts';

interface Dealt<C extends Scenario = Scenario> {
  readonly system: KernelSystem<C>;
  readonly scenarios: readonly C[];
  readonly seed: bigint;
}

/** Comparison of both builds of a kernel with the reference: battle by battle, and the counts of a run in two parts. */
export class Twins<C extends Scenario> {
  readonly modules: WebAssembly.Module[] = [];
  /** Number of battles by outcome. */
  readonly seen = new Map<string, number>();
  readonly #system: KernelSystem<C>;
  readonly #seed: bigint;

  /** Loads the kernels before the tests of the enclosing `describe`. */
  constructor({ system, seed }: Omit<Dealt<C>, 'scenarios'>) {
    this.#system = system;
    this.#seed = seed;
    beforeAll(async () => {
      this.modules.push(await loadKernel(system.id, 'release'), await loadKernel(system.id, 'debug'));
    });
  }

  expectSame(given: C, battles: number): void {
    const model = this.#system.model(given);
    const shape = createCountsShape(model);
    const kernels = this.modules.map((module) => new SystemKernel(module, shape, this.#system.encode(given)));
    const counted = createEmptyCounts(shape);
    for (let battle = 0; battle < battles; battle++) {
      const expected = playBattle(model, new SampledChance(Stream.forBattle(this.#seed, battle)));
      addBattle(counted, expected.outcome, expected.metrics);
      for (const kernel of kernels) {
        const simulated = kernel.play(this.#seed, battle);
        const same =
          simulated.outcome === expected.outcome &&
          simulated.metrics.every((value, m) => value === expected.metrics[m]);
        if (!same) expect({ battle, given, ...simulated }).toEqual({ battle, given, ...expected });
      }
      const outcome = model.outcomes[expected.outcome] ?? '';
      this.seen.set(outcome, (this.seen.get(outcome) ?? 0) + 1);
    }
    for (const kernel of kernels) {
      const cut = Math.floor(battles / 3);
      kernel.run(this.#seed, 0, cut);
      kernel.run(this.#seed, cut, battles - cut);
      const counts = kernel.take();
      expect([...counts.outcomes]).toEqual([...counted.outcomes]);
      for (const m of shape.metrics.keys()) expect(listValueCounts(counts, m)).toEqual(listValueCounts(counted, m));
      kernel.close();
    }
  }
}

/** Pattern of a complete sentence of a rule. */
const PROPER = /^(?!.*(undefined|NaN))\S[^{}]*\.$/;

export function tellingTest<C extends Scenario>({ system, scenarios, seed }: Dealt<C>, battles: number): void {
  it('prints a complete sentence for every rule, and every rule applies in some battle', () => {
    const reported = new Map<string, string>();
    for (const given of scenarios) {
      for (let battle = 0; battle < battles; battle++) {
        const chance = new RecordedChance(Stream.forBattle(seed, battle));
        playBattle(system.model(given), chance);
        for (const event of chance.events) {
          if (event.kind === 'rule') reported.set(system.rules[event.id]?.describe(event.facts) ?? '', event.id);
        }
      }
    }
    expect([...reported.keys()].filter((text) => !PROPER.test(text))).toEqual([]);
    expect([...new Set(reported.values())].sort()).toEqual(Object.keys(system.rules).sort());
  });
}

/** Returns the exact distribution, or undefined if it exceeds the budget. */
const lawWithin = (model: Model<State>, steps: number, moves: number): ExactDistribution | undefined =>
  within(() => solveModel(model, { steps, moves }));

function expectSameLaw(model: Model<State>, one: ExactDistribution, other: ExactDistribution): void {
  for (const [o, p] of one.distribution.outcomes.entries())
    expect(p).toBeCloseTo(other.distribution.outcomes[o] ?? -1, 12);
  for (const m of model.metrics.keys()) {
    const [found, due] = [
      new Map(listValueCounts(one.distribution, m)),
      new Map(listValueCounts(other.distribution, m)),
    ];
    for (const value of [...found.keys(), ...due.keys()])
      expect(found.get(value) ?? 0).toBeCloseTo(due.get(value) ?? 0, 12);
  }
}

/**
 * Adds a test of keys: compares at least `compared` and at most `most` scenarios, which merge at least `merged` states.
 */
export function keyTest<C extends Scenario>(
  { system, scenarios }: Omit<Dealt<C>, 'seed'>,
  { most, compared, merged }: { most: number; compared: number; merged: number },
): void {
  it('gives the same distribution with and without merged states, by steps and by turns', () => {
    const found = { compared: 0, merged: 0 };
    for (const given of scenarios) {
      if (found.compared === most) break;
      const model = system.model(given);
      const short = lawWithin(model, 6000, 1e6);
      const whole = short && lawWithin({ ...model, key: (state) => JSON.stringify(state) }, 20_000, 1e7);
      if (whole === undefined) continue;
      expectSameLaw(model, short as ExactDistribution, whole);
      const turns = lawWithin({ ...model, step: turnOf(model) }, 20_000, 1e7);
      if (turns !== undefined) expectSameLaw(model, turns, whole);
      found.compared++;
      found.merged += whole.states - (short?.states ?? 0);
    }
    expect(found.compared).toBeGreaterThanOrEqual(compared);
    expect(found.merged).toBeGreaterThanOrEqual(merged);
  });
}

/** Recorded chance that decides by the policy or at random, depending on the number of earlier decisions. */
class Wayward extends RecordedChance {
  readonly #whims: Stream;
  #taken = 0;

  constructor(battle: number) {
    super(Stream.forBattle(5n, battle));
    this.#whims = Stream.forBattle(6n, battle);
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    this.#whims.seek(this.#taken++);
    const whim = this.#whims.word();
    return super.decide(point, player, options, () =>
      whim % 2 === 0 ? policy() : (options[(whim >>> 1) % options.length] as T),
    );
  }
}

function turnOf<S extends State>(model: Model<S>): Model<S>['step'] {
  return (state, chance) => {
    const turned = model.turn?.(state, chance);
    if (turned === undefined) throw new Error('the model has no turns');
    return turned;
  };
}

const isRule = ({ kind }: ReplayEvent): boolean => kind === 'rule';
const isDecision = ({ kind }: ReplayEvent): boolean => kind === 'decide';

/** Returns draws and decisions: events without rules, and without picks, which policies use. */
const drawnIn = (events: readonly ReplayEvent[]) => events.filter(({ kind }) => kind !== 'rule' && kind !== 'pick');

/** Returns the next decision with its options, or 'nothing' if a draw comes first. */
function questionIn(events: readonly ReplayEvent[]): string {
  const [first] = drawnIn(events);
  return first?.kind === 'decide' ? [first.player, first.point, ...first.options].join(' ') : 'nothing';
}

export function turnTests<C extends Scenario>({ system, scenarios }: Omit<Dealt<C>, 'seed'>, battles: number): void {
  it('has turns that together equal a step, with at most one decision each', () => {
    let longest = 0;
    for (const [index, given] of scenarios.entries()) {
      const model = system.model(given);
      const [whole, parts] = [new Wayward(index), new Wayward(index)];
      let state = model.start(whole);
      let part = model.start(parts);
      while (findOutcome(model, state) === undefined) {
        state = model.step(state, whole);
        for (let turns = 1; ; turns++) {
          const received = parts.events.length;
          part = turnOf(model)(part, parts);
          expect(drawnIn(parts.events.slice(received)).slice(1).some(isDecision), 'asked after a draw').toBe(false);
          longest = Math.max(longest, turns);
          if (model.key(part) === model.key(state) || turns > 1000) break;
          expect(findOutcome(model, part)).toBeUndefined();
        }
        expect(part).toEqual(state);
        for (const of of [isRule, (event: ReplayEvent) => !isRule(event)])
          expect(parts.events.filter(of)).toEqual(whole.events.filter(of));
      }
    }
    expect(longest).toBeGreaterThan(2);
  });

  it('continues from states between turns, whose keys determine the next decision', () => {
    for (const [index, given] of scenarios.entries()) {
      const model = system.model(given);
      const known = new Map<Key, string>();
      for (let battle = 0; battle < battles; battle++) {
        const chance = new Wayward(1000 * index + battle);
        const met = new Set<Key>();
        let state = model.start(chance);
        while (findOutcome(model, state) === undefined) {
          const key = model.key(state);
          expect(met.has(key) && model.roundsMetric === undefined, 'states of one battle').toBe(false);
          met.add(key);
          const next = new Wayward(battle);
          model.step(state, next);
          const question = questionIn(next.events);
          expect(known.get(key) ?? question).toBe(question);
          known.set(key, question);
          state = turnOf(model)(state, chance);
        }
      }
    }
  });
}

const streamOf = (seed: bigint, e: number): Stream => Stream.fromKey(computeBattleKey(seed, computeBattleIndex(e, 0)));

/**
 * Adds a test of records.
 * @param kept returns the part of a state that a record stores
 */
export function recordTest<C extends Scenario>(
  { scenarios, seed }: Omit<Dealt<C>, 'system'>,
  points: readonly string[],
  kept: (state: State) => State = (state) => state,
): void {
  it('records equal the states of the rules and continue to the same results', async () => {
    const requested = new Set<string>();
    for (const [index, given] of scenarios.entries()) {
      const env = await VectorEnv.create(given, { numEnvs: 4, agents: 'all', autoreset: 'disabled', seed });
      const { configuration, buffers: fields } = env;
      const [variant] = configuration.variants;
      if (variant === undefined) throw new Error('no variant');
      const columns = configuration.metrics;
      const words = new Map<string, string>();
      const battles = [0, 1, 2, 3].map((e) => new ReferenceBattle(configuration, variant, streamOf(seed, e)));
      for (let step = 0; step < 40 && battles.some(({ pending }) => pending !== undefined); step++) {
        const ends = battles.flatMap(({ pending, state }, e) => {
          if (pending === undefined) return [];
          requested.add(pending.point);
          const record = new Int32Array(env.state(e).slice(HEAD_BYTES).buffer);
          const read = variant.spec.kernel?.decode(record) as State;
          expect(read).toEqual(kept(state));
          const name = JSON.stringify(read);
          expect(words.get(name) ?? record.join(), 'words of one state').toBe(record.join());
          words.set(name, record.join());
          const rest = new ReferenceBattle(configuration, variant, streamOf(seed, e), { state: read });
          while (rest.pending !== undefined) rest.apply(rest.pending.policy);
          return [{ e, outcome: rest.outcome, metrics: variant.model.measure(rest.state) }];
        });
        if (step % 3 === index % 3) {
          const here = env.snapshot();
          env.rollout('scenario', { episodes: 1, steps: 100_000 });
          const simulated = ends.map(({ e }) => ({
            e,
            outcome: variant.outcomes[fields.outcome[e] ?? -1],
            metrics: [...fields.metrics.subarray(e * columns, (e + 1) * columns)],
          }));
          expect(simulated).toEqual(ends);
          env.restore(here);
        }
        env.sampleActions('uniform');
        for (const [e, battle] of battles.entries()) {
          if (battle.pending !== undefined) battle.apply(battle.optionOf(fields.act[e] ?? -1) ?? '');
        }
        env.step();
      }
    }
    expect([...requested].sort()).toEqual([...points].sort());
  });
}

export function boundsTest<C extends Scenario>({ scenarios }: Pick<Dealt<C>, 'scenarios'>, steps: number): void {
  it('observations are whole numbers within the bounds of their features', async () => {
    for (const [index, given] of scenarios.entries()) {
      const env = await VectorEnv.create(given, { numEnvs: 4, agents: 'all', autoreset: 'same-step', seed: index });
      const { low, high, features } = env.observationSpace;
      const expectWithin = (shown: Float32Array): void => {
        for (const [i, value] of shown.entries()) {
          const f = i % features.length;
          if (value >= (low[f] ?? 0) && value <= (high[f] ?? 0) && Number.isInteger(value)) continue;
          expect({ index, ...features[f], value }).toBe('within its bounds');
        }
      };
      for (let step = 0; step < steps; step++) {
        expectWithin(env.buffers.obs);
        for (const [e, ended] of env.buffers.terminated.entries()) {
          if (ended === 1) expectWithin(env.buffers.finalObs.subarray(e * features.length, (e + 1) * features.length));
        }
        env.sampleActions('uniform');
        env.step();
      }
    }
  });
}
