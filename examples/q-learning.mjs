/**
 * Tabular Q-learning (C. Watkins 1989): learns the decisions of one player, or of both, from simulated battles, and
 * writes the policies to <player>.json.
 *
 *     node examples/q-learning.mjs <scenario> [player or all] [folder]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario } from 'warpool';
import { VectorEnv } from 'warpool/environments';
import { createRandom } from './random.mjs';

/** @import { Scenario } from 'warpool' */

const ENVS = 64;

/** Probability of a random action during training. */
const EXPLORATION = 0.2;

/** The step size after n updates is STEPS / (STEPS + n): the first updates replace the value. */
const STEPS = 20;

/**
 * @typedef {object} Cell State in which a player decides.
 * @property {string} decision
 * @property {readonly number[]} observation
 * @property {readonly number[]} actions indices of the legal actions
 * @property {Float64Array} values by legal action
 * @property {Float64Array} updates by legal action
 */

/** @param {ArrayLike<number>} values */
function findGreatest(values) {
  let best = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  return best;
}

/** Values of the states and actions of one player. */
class ActionValues {
  /** @type {Map<string, Cell>} */
  #cells = new Map();

  /** @param {string} key @param {() => Cell} create */
  find(key, create) {
    const known = this.#cells.get(key) ?? create();
    this.#cells.set(key, known);
    return known;
  }

  /** The greedy policy as the content of a policy file. @param {{ system: string, features: readonly string[], names: readonly string[] }} space */
  toPolicy({ system, features, names }) {
    // Battles in which nobody decides have a state without a decision.
    const cells = [...this.#cells.values()].filter(({ decision }) => decision !== '');
    const states = cells.map(({ decision, observation, actions, values, updates }) => {
      const tried = values.map((value, a) => ((updates[a] ?? 0) > 0 ? value : Number.NEGATIVE_INFINITY));
      return { decision, observation, actions: { [names[actions[findGreatest(tried)] ?? 0] ?? '']: 1 } };
    });
    return { format: 'warpool-policy-1', system, kind: 'table', features, otherwise: 'uniform', states };
  }
}

/**
 * Learns the decisions of one player, while the policies of the scenario make the others, or of `all` players, who learn
 * against each other.
 * @param {Scenario} scenario
 * @param {{ agents: string, reward?: string, battles: number, seed: number }} options
 * @returns {Promise<Record<string, ReturnType<ActionValues['toPolicy']>>>} by player
 */
export async function learnPolicies(scenario, { agents: given, reward = 'win', battles, seed }) {
  const env = await VectorEnv.create(scenario, {
    numEnvs: ENVS,
    agents: given === 'all' ? given : [given],
    reward,
    seed,
  });
  const { agents, buffers, actionSpace, observationSpace, decisionPoints } = env;
  const { names, n } = actionSpace;
  const all = observationSpace.features;
  // The number of the round would make states of different rounds different.
  const used = all.flatMap(({ name }, f) => (/^round/.test(name) ? [] : [f]));
  const learners = agents.map(() => new ActionValues());
  const random = createRandom(seed);
  /** Last state and action of each agent. @type {({ cell: Cell, action: number } | undefined)[]} */
  const last = Array.from({ length: ENVS * agents.length }, () => undefined);

  /** @param {number} slot @param {number} target */
  const update = (slot, target) => {
    const before = last[slot];
    if (before === undefined) return;
    const { cell, action } = before;
    const [value = 0, updates = 0] = [cell.values[action], cell.updates[action]];
    cell.updates[action] = updates + 1;
    cell.values[action] = value + (STEPS / (STEPS + updates)) * (target - value);
    last[slot] = undefined;
  };

  /** Finds the state of an environment. @param {number} e @param {number} agent */
  const findCell = (e, agent) => {
    let key = String.fromCharCode(buffers.phase[e] ?? 0);
    for (const f of used) key += String.fromCharCode(0x8000 + (buffers.obs[e * all.length + f] ?? 0));
    return /** @type {ActionValues} */ (learners[agent]).find(key, () => {
      const actions = names.flatMap((_, a) => (buffers.mask[e * n + a] === 1 ? [a] : []));
      return {
        decision: decisionPoints[(buffers.phase[e] ?? 0) - 1] ?? '',
        observation: used.map((f) => buffers.obs[e * all.length + f] ?? 0),
        ...{ actions, values: new Float64Array(actions.length), updates: new Float64Array(actions.length) },
      };
    });
  };

  for (let ended = 0; ended < battles; ) {
    for (let e = 0; e < ENVS; e++) {
      const agent = agents.length === 1 ? 0 : (buffers.player[e] ?? 0);
      const cell = findCell(e, agent);
      const best = findGreatest(cell.values);
      const slot = e * agents.length + agent;
      update(slot, cell.values[best] ?? 0);
      const action = random() < EXPLORATION ? Math.floor(random() * cell.actions.length) : best;
      last[slot] = { cell, action };
      buffers.act[e] = cell.actions[action] ?? 0;
    }
    env.step();
    for (let e = 0; e < ENVS; e++) {
      if (buffers.terminated[e] !== 1) continue;
      ended++;
      for (let slot = e * agents.length; slot < (e + 1) * agents.length; slot++)
        update(slot, buffers.reward[slot] ?? 0);
    }
  }
  const space = { system: scenario.system, features: used.map((f) => all[f]?.name ?? ''), names };
  return Object.fromEntries(
    agents.map((agent, k) => [agent, /** @type {ActionValues} */ (learners[k]).toPolicy(space)]),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file = '', agents = 'all', folder = '.'] = argv;
  const scenario = await loadScenario(file);
  const policies = await learnPolicies(scenario, { agents, battles: 200_000, seed: 1 });
  await mkdir(folder, { recursive: true });
  for (const [player, policy] of Object.entries(policies)) {
    const path = join(folder, `${player}.json`);
    await writeFile(path, JSON.stringify(policy));
    stdout.write(`${path}: ${String(policy.states.length)} states\n`);
  }
}
