/**
 * Learns when to retreat: Monte-Carlo control (R. Sutton, A. Barto, Reinforcement Learning, 2018, section 5.4) over the
 * strengths and the reserves of both sides, in `Broadside`. What it has learnt is compared with the policies that a
 * scenario can name and with the exact optimum.
 *
 *     node examples/learn-retreat.mjs
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario, solveSync } from 'warpool';
import { findBestResponseSync, VectorEnv } from 'warpool/environments';
import { createRandom } from './random.mjs';

/** @import { Scenario } from 'warpool' */

const ENVS = 256;

/** How often it stays where it would retreat, to see what comes of it. */
const EXPLORES = 0.1;

/** Battles by which the value of a cell is remembered: older ones were played by a worse policy. */
const MEMORY = 2000;

/** What it has learnt: for each cell the mean return of those who stayed in it, and how many have. */
class Table {
  /** @type {Map<string, { value: number, times: number }>} */
  #cells = new Map();

  /** Retreating is worth 0. @param {string} cell */
  stays(cell) {
    return (this.#cells.get(cell)?.value ?? 0) >= 0;
  }

  /** @param {string} cell @param {number} worth */
  learn(cell, worth) {
    const known = this.#cells.get(cell) ?? { value: 0, times: 0 };
    const times = Math.min(known.times + 1, MEMORY);
    this.#cells.set(cell, { value: known.value + (worth - known.value) / times, times });
  }
}

/**
 * Plays battles in which the table says whether to retreat, and the scenario's policies all else.
 * @param {Scenario} scenario
 * @param {Table} table
 * @param {{ seed: number, battles: number, learns: boolean }} how
 * @returns the mean reward, and its standard error
 */
async function play(scenario, table, { seed, battles, learns }) {
  const env = await VectorEnv.create(scenario, { numEnvs: ENVS, agents: ['attacker'], seed });
  const { buffers, decisionPoints, actionSpace, observationSpace } = env;
  const [stay, retreat] = ['stay', 'retreat'].map((name) => actionSpace.names.indexOf(name));
  const features = observationSpace.features.map(({ name }) => name);
  const cells = features.flatMap((name, f) => (/^(strength|reserve)/.test(name) ? [f] : []));
  const asked = 1 + decisionPoints.indexOf('retreat');
  const chance = createRandom(seed);
  /** @type {string[][]} cells in which each battle has gone on */
  const paths = Array.from({ length: ENVS }, () => []);
  let [ended, sum, squares] = [0, 0, 0];
  while (ended < battles) {
    env.sampleActions('scenario');
    for (let e = 0; e < ENVS; e++) {
      if (buffers.phase[e] !== asked) continue;
      const cell = cells.map((f) => buffers.obs[e * features.length + f]).join();
      const explores = learns && chance() < EXPLORES;
      const stays = explores || table.stays(cell);
      buffers.act[e] = (stays ? stay : retreat) ?? 0;
      if (stays) paths[e]?.push(cell);
    }
    env.step();
    for (let e = 0; e < ENVS; e++) {
      if (buffers.terminated[e] !== 1) continue;
      const worth = buffers.reward[e] ?? 0;
      [ended, sum, squares] = [ended + 1, sum + worth, squares + worth * worth];
      if (learns) for (const cell of paths[e] ?? []) table.learn(cell, worth);
      paths[e] = [];
    }
  }
  const mean = sum / ended;
  return { mean, error: Math.sqrt((squares / ended - mean * mean) / ended) };
}

/**
 * What the attacker earns by a policy that a scenario can name.
 * @param {Scenario} scenario
 * @param {unknown} retreat
 */
function worthOf(scenario, retreat) {
  const { attacker } = /** @type {Scenario & { attacker: object }} */ (scenario);
  const { outcomes } = solveSync(/** @type {Scenario} */ ({ ...scenario, attacker: { ...attacker, retreat } })).summary;
  /** @param {string} of */
  const p = (of) => outcomes.find(({ name }) => name === of)?.p ?? 0;
  return p('attacker') - p('defender');
}

/**
 * Learns from so many battles, and judges what it has learnt by others.
 * @param {Scenario} scenario
 * @param {{ seed: number, battles: number, trials: number }} size
 * @returns the mean reward, and its standard error
 */
export async function learnRetreat(scenario, { seed, battles, trials }) {
  const table = new Table();
  await play(scenario, table, { seed, battles, learns: true });
  return play(scenario, table, { seed: seed + 1, battles: trials, learns: false });
}

/**
 * What there is to compare with: policies that a scenario can name, and the optimum.
 * @param {Scenario} scenario
 */
export function standards(scenario) {
  const policies = [
    'never',
    ...[1, 2, 3].map((afterRounds) => ({ afterRounds })),
    ...[0.6, 0.7, 0.8, 0.9, 1].map((whenWeaker) => ({ whenWeaker })),
  ];
  const named = policies.map((policy) => ({ name: JSON.stringify(policy), value: worthOf(scenario, policy) }));
  return { named, optimum: findBestResponseSync(scenario, { agent: 'attacker', decisions: ['retreat'] }).value };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const scenario = await loadScenario(
    fileURLToPath(import.meta.resolve('warpool/scenarios/phased-dice-broadside.yaml')),
  );
  const learnt = await learnRetreat(scenario, { seed: 1, battles: 200_000, trials: 200_000 });
  const { named, optimum } = standards(scenario);
  const rows = [...named, { name: 'learnt', value: learnt.mean }, { name: 'optimum', value: optimum }];
  const lines = rows.map(({ name, value }) => {
    const share = ((100 * value) / optimum).toFixed(1);
    return `${name.padEnd(20)} ${value.toFixed(4).padStart(8)} ${share.padStart(8)}\n`;
  });
  process.stdout.write(
    `${'policy'.padEnd(20)} ${'value'.padStart(8)} ${'% of optimum'.padStart(8)}\n${lines.join('')}`,
  );
  process.stdout.write(`learnt is known to ${(2 * learnt.error).toFixed(4)}\n`);
}
