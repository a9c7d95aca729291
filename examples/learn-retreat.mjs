/**
 * Learns when the attacker of `phased-dice-broadside` should retreat, by Monte Carlo control (R. Sutton, A. Barto,
 * Reinforcement Learning, 2018, section 5.4). A cell of the table is a combination of the strengths and reserves of
 * both sides. The program compares the learned policy with policies of scenario files and with the exact optimum.
 *
 *     node examples/learn-retreat.mjs
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario, solveSync } from 'warpool';
import { findBestResponseSync, VectorEnv } from 'warpool/environments';
import { createRandom } from './random.mjs';

/** @import { Scenario } from 'warpool' */

/** Number of environments. */
const ENVS = 256;

/** Probability of a forced stay during training, so that cells in which the policy retreats get new returns. */
const EXPLORATION = 0.1;

/**
 * Maximum divisor of the running mean of a cell. It gives recent battles more weight, because older battles used a
 * worse policy.
 */
const MAX_COUNT = 2000;

/** Mean return of battles in which the attacker stayed in a cell, and the number of these battles, by cell. */
class ValueTable {
  /** @type {Map<string, { value: number, count: number }>} */
  #cells = new Map();

  /** Returns true if staying is at least as good as a retreat, whose reward is 0. @param {string} cell */
  shouldStay(cell) {
    return (this.#cells.get(cell)?.value ?? 0) >= 0;
  }

  /** Updates the mean return of a cell. @param {string} cell @param {number} reward */
  update(cell, reward) {
    const previous = this.#cells.get(cell) ?? { value: 0, count: 0 };
    const count = Math.min(previous.count + 1, MAX_COUNT);
    this.#cells.set(cell, { value: previous.value + (reward - previous.value) / count, count });
  }
}

/**
 * Simulates battles in which the table decides on retreats, and the policies of the scenario make all other decisions.
 * @param {Scenario} scenario
 * @param {ValueTable} table
 * @param {{ seed: number, battles: number, isTraining: boolean }} options `isTraining`: explore and update the table
 * @returns the mean reward of the attacker, in -1..1, and its standard error
 */
async function simulateBattles(scenario, table, { seed, battles, isTraining }) {
  const env = await VectorEnv.create(scenario, { numEnvs: ENVS, agents: ['attacker'], seed });
  const { buffers, decisionPoints, actionSpace, observationSpace } = env;
  const [stay, retreat] = ['stay', 'retreat'].map((name) => actionSpace.names.indexOf(name));
  const features = observationSpace.features.map(({ name }) => name);
  const cells = features.flatMap((name, f) => (/^(strength|reserve)/.test(name) ? [f] : []));
  const retreatPhase = 1 + decisionPoints.indexOf('retreat');
  const random = createRandom(seed);
  /** @type {string[][]} by environment: cells of the battle in which the attacker stayed */
  const paths = Array.from({ length: ENVS }, () => []);
  let [ended, sum, squares] = [0, 0, 0];
  while (ended < battles) {
    env.sampleActions('scenario');
    for (let e = 0; e < ENVS; e++) {
      if (buffers.phase[e] !== retreatPhase) continue;
      const cell = cells.map((f) => buffers.obs[e * features.length + f]).join();
      const explores = isTraining && random() < EXPLORATION;
      const isStaying = explores || table.shouldStay(cell);
      buffers.act[e] = (isStaying ? stay : retreat) ?? 0;
      if (isStaying) paths[e]?.push(cell);
    }
    env.step();
    for (let e = 0; e < ENVS; e++) {
      if (buffers.terminated[e] !== 1) continue;
      const reward = buffers.reward[e] ?? 0;
      [ended, sum, squares] = [ended + 1, sum + reward, squares + reward * reward];
      if (isTraining) for (const cell of paths[e] ?? []) table.update(cell, reward);
      paths[e] = [];
    }
  }
  const mean = sum / ended;
  return { mean, error: Math.sqrt((squares / ended - mean * mean) / ended) };
}

/**
 * Computes the exact value of a policy: the probability of a victory of the attacker, minus that of a defeat.
 * @param {Scenario} scenario
 * @param {unknown} retreat value of the field `attacker.retreat`
 */
function computeValue(scenario, retreat) {
  const { attacker } = /** @type {Scenario & { attacker: object }} */ (scenario);
  const { outcomes } = solveSync(/** @type {Scenario} */ ({ ...scenario, attacker: { ...attacker, retreat } })).summary;
  /** @param {string} outcome */
  const findProbability = (outcome) => outcomes.find(({ name }) => name === outcome)?.p ?? 0;
  return findProbability('attacker') - findProbability('defender');
}

/**
 * Learns a policy and evaluates it in new battles.
 * @param {Scenario} scenario
 * @param {{ seed: number, battles: number, trials: number }} options number of battles for training and for evaluation
 * @returns the mean reward of the attacker in the evaluation, and its standard error
 */
export async function learnRetreat(scenario, { seed, battles, trials }) {
  const table = new ValueTable();
  await simulateBattles(scenario, table, { seed, battles, isTraining: true });
  return simulateBattles(scenario, table, { seed: seed + 1, battles: trials, isTraining: false });
}

/**
 * Computes the exact values of policies of scenario files, and of the best response.
 * @param {Scenario} scenario
 */
export function computeReferenceValues(scenario) {
  const policies = [
    'never',
    ...[1, 2, 3].map((afterRounds) => ({ afterRounds })),
    ...[0.6, 0.7, 0.8, 0.9, 1].map((whenWeaker) => ({ whenWeaker })),
  ];
  const named = policies.map((policy) => ({ name: JSON.stringify(policy), value: computeValue(scenario, policy) }));
  return { named, optimum: findBestResponseSync(scenario, { agent: 'attacker', decisions: ['retreat'] }).value };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const scenario = await loadScenario(
    fileURLToPath(import.meta.resolve('warpool/scenarios/phased-dice-broadside.yaml')),
  );
  const learned = await learnRetreat(scenario, { seed: 1, battles: 200_000, trials: 200_000 });
  const { named, optimum } = computeReferenceValues(scenario);
  const rows = [...named, { name: 'learned', value: learned.mean }, { name: 'optimum', value: optimum }];
  const lines = rows.map(({ name, value }) => {
    const share = ((100 * value) / optimum).toFixed(1);
    return `${name.padEnd(20)} ${value.toFixed(4).padStart(8)} ${share.padStart(8)}\n`;
  });
  process.stdout.write(
    `${'policy'.padEnd(20)} ${'value'.padStart(8)} ${'% of optimum'.padStart(8)}\n${lines.join('')}`,
  );
  process.stdout.write(`margin of error of learned: ${(2 * learned.error).toFixed(4)} (two standard errors)\n`);
}
