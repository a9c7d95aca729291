/**
 * Tabular Q-learning (C. Watkins 1989). Learns the decisions of one player or of all players from simulated battles,
 * and writes the policies to <player>.json.
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

/** Number of environments. */
const ENVS = 64;

/** Probability of a random action during training. */
const EXPLORATION = 0.2;

/** The step size after n updates is STEPS / (STEPS + n), so the first update replaces the value. */
const STEPS = 20;

/**
 * @typedef {object} Cell State in which a player decides.
 * @property {string} decision decision point, or '' if no player decides
 * @property {readonly number[]} observation values of the used features
 * @property {readonly number[]} actions indices of the legal actions
 * @property {Float64Array} values estimated return of each legal action
 * @property {Float64Array} updates number of updates of each legal action
 */

/** Finds the index of the greatest value; the first one if several are equal. @param {ArrayLike<number>} values */
function findMaxIndex(values) {
  let best = 0;
  for (let k = 1; k < values.length; k++) if ((values[k] ?? 0) > (values[best] ?? 0)) best = k;
  return best;
}

/** Estimated returns of the actions of one player, by state. */
class ActionValues {
  /** @type {Map<string, Cell>} */
  #cells = new Map();

  /** Finds the cell of a key, and creates it if it does not exist. @param {string} key @param {() => Cell} create */
  find(key, create) {
    const cell = this.#cells.get(key) ?? create();
    this.#cells.set(key, cell);
    return cell;
  }

  /**
   * Creates the content of a policy file with the greedy policy: the tried action with the greatest value.
   * `features` and `names` are the names of the used features and of all actions.
   * @param {{ system: string, features: readonly string[], names: readonly string[] }} space
   */
  toPolicy({ system, features, names }) {
    // A cell without a decision belongs to battles in which no player decides.
    const cells = [...this.#cells.values()].filter(({ decision }) => decision !== '');
    const states = cells.map(({ decision, observation, actions, values, updates }) => {
      const tried = values.map((value, a) => ((updates[a] ?? 0) > 0 ? value : Number.NEGATIVE_INFINITY));
      return { decision, observation, actions: { [names[actions[findMaxIndex(tried)] ?? 0] ?? '']: 1 } };
    });
    return { format: 'warpool-policy-1', system, kind: 'table', features, otherwise: 'uniform', states };
  }
}

/**
 * Learns the decisions of one player, `agents`, or of all players (`all`), who then learn against each other. Other
 * players follow the policies of the scenario.
 * @param {Scenario} scenario
 * @param {{ agents: string, reward?: string, battles: number, seed: number }} options
 * @returns {Promise<Record<string, ReturnType<ActionValues['toPolicy']>>>} policy files by player
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
  // Without the round number, equal states of different rounds share a cell.
  const used = all.flatMap(({ name }, f) => (/^round/.test(name) ? [] : [f]));
  const learners = agents.map(() => new ActionValues());
  const random = createRandom(seed);
  /** Last cell and action, by environment and agent. @type {({ cell: Cell, action: number } | undefined)[]} */
  const last = Array.from({ length: ENVS * agents.length }, () => undefined);

  /** Moves the value of the last action toward a target. @param {number} slot @param {number} target */
  const update = (slot, target) => {
    const before = last[slot];
    if (before === undefined) return;
    const { cell, action } = before;
    const [value = 0, updates = 0] = [cell.values[action], cell.updates[action]];
    cell.updates[action] = updates + 1;
    cell.values[action] = value + (STEPS / (STEPS + updates)) * (target - value);
    last[slot] = undefined;
  };

  /** Finds the cell of the current state of an environment. @param {number} e @param {number} agent */
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
      const best = findMaxIndex(cell.values);
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
