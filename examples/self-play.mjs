/**
 * Trains both players of a game against each other, writes their policies to files, and prints their exploitability.
 * The method is regret matching (S. Hart, A. Mas-Colell, Econometrica 68, 2000) with rewards from simulated battles. It
 * applies to games in which each player has one decision.
 *
 *     node examples/self-play.mjs [folder]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario, updateScenario } from 'warpool';
import { findEquilibriumSync, VectorEnv } from 'warpool/environments';
import { createRandom } from './random.mjs';

/** @import { Scenario } from 'warpool' */

/** Number of battles of a batch, and of environments. */
const BATCH = 1024;

/**
 * Samples an index with the given probabilities.
 * @param {readonly number[]} probabilities their sum is 1
 * @param {number} uniform random number in [0, 1)
 */
function sampleIndex(probabilities, uniform) {
  let cumulative = 0;
  for (const [index, p] of probabilities.entries()) {
    cumulative += p;
    if (uniform < cumulative) return index;
  }
  return probabilities.length - 1;
}

/** Regret matching of one player with one decision. */
class Learner {
  /** @param {readonly string[]} actions names of the legal actions */
  constructor(actions) {
    this.actions = actions;
    this.regrets = actions.map(() => 0);
    /** Sums of the probabilities over all batches. Their mean converges to the equilibrium. */
    this.sums = actions.map(() => 0);
  }

  /** Probabilities of the actions in the next batch, in proportion to positive regrets; uniform if there are none. */
  get probabilities() {
    const positive = this.regrets.map((regret) => Math.max(0, regret));
    const sum = positive.reduce((a, b) => a + b, 0);
    return positive.map((regret) => (sum > 0 ? regret / sum : 1 / positive.length));
  }

  /** Updates the regrets after a batch. @param {readonly number[]} rewards mean reward of each action */
  learn(rewards) {
    const { probabilities } = this;
    const mean = probabilities.reduce((sum, p, a) => sum + p * (rewards[a] ?? 0), 0);
    this.regrets = this.regrets.map((regret, a) => Math.max(0, regret + (rewards[a] ?? 0) - mean));
    this.sums = this.sums.map((sum, a) => sum + (probabilities[a] ?? 0));
  }

  /**
   * Creates the content of a policy file with the mean policy: a network with zero weights, whose biases are the
   * logarithms of the probabilities.
   * @param {string} system
   */
  toPolicy(system) {
    const total = this.sums.reduce((a, b) => a + b, 0);
    const biases = Float32Array.from(this.sums, (sum) => Math.log(Math.max(sum / total, 1e-12)));
    const encode = (/** @type {Float32Array} */ { buffer }) => Buffer.from(buffer).toString('base64');
    const size = this.actions.length;
    const layer = { inputs: 1, outputs: size, weights: encode(new Float32Array(size)), biases: encode(biases) };
    return {
      ...{ format: 'warpool-policy-1', system, kind: 'network', features: ['player'], actions: this.actions },
      ...{ layers: [layer], choose: 'softmax' },
    };
  }
}

/**
 * Computes the exact exploitability of the policy of each player, in units of the reward.
 * @param {Scenario} scenario
 * @param {string} reward name of the reward
 * @param {Readonly<Record<string, unknown>>} policies contents of policy files by player
 */
export function computeExploitability(scenario, reward, policies) {
  const { players } = findEquilibriumSync(updateScenario(scenario, { policies }), { reward });
  return players.map(({ exploitability = 0 }) => exploitability);
}

/**
 * Trains both players. Calls `onBatch` after each batch with its number, from 1, and the mean policies of the players.
 * @param {Scenario} scenario
 * @param {{
 *   reward: string,
 *   batches: number,
 *   seed: number,
 *   onBatch: (batch: number, policies: Record<string, object>) => void,
 * }} options
 */
export async function trainBoth(scenario, { reward, batches, seed, onBatch }) {
  const env = await VectorEnv.create(scenario, { numEnvs: BATCH, agents: 'all', reward, seed });
  const { buffers, agents, actionSpace } = env;
  const random = createRandom(seed);
  /** @type {Map<number, Learner>} by index of the player */
  const learners = new Map();
  for (let batch = 1; batch <= batches; batch++) {
    const chosen = agents.map(() => new Int32Array(BATCH).fill(-1));
    const [sums, counts] = [0, 1].map(() => agents.map(() => actionSpace.names.map(() => 0)));
    for (let running = BATCH; running > 0; ) {
      for (let e = 0; e < BATCH; e++) {
        const player = buffers.player[e] ?? 0;
        const names = actionSpace.names.filter((_, a) => buffers.mask[e * actionSpace.names.length + a] === 1);
        const learner = learners.get(player) ?? new Learner(names);
        learners.set(player, learner);
        const uniform = random();
        // Uniform actions with a decreasing probability, so that each action has a mean reward.
        const explores = random() < 1 / Math.sqrt(batch);
        const pick = explores
          ? Math.floor(uniform * learner.actions.length)
          : sampleIndex(learner.probabilities, uniform);
        const action = actionSpace.names.indexOf(learner.actions[pick] ?? '');
        buffers.act[e] = action;
        if (chosen[player]?.[e] === -1) /** @type {Int32Array} */ (chosen[player])[e] = action;
      }
      env.step();
      for (let e = 0; e < BATCH; e++) {
        if (buffers.terminated[e] !== 1) continue;
        running--;
        for (const [player] of agents.entries()) {
          const action = chosen[player]?.[e] ?? -1;
          if (action < 0) continue;
          const [sum = [], count = []] = [sums?.[player], counts?.[player]];
          sum[action] = (sum[action] ?? 0) + (buffers.reward[e * agents.length + player] ?? 0);
          count[action] = (count[action] ?? 0) + 1;
          /** @type {Int32Array} */ (chosen[player])[e] = -1;
        }
      }
    }
    for (const [player, learner] of learners)
      learner.learn(
        learner.actions.map((name) => {
          const action = actionSpace.names.indexOf(name);
          return (sums?.[player]?.[action] ?? 0) / Math.max(1, counts?.[player]?.[action] ?? 0);
        }),
      );
    onBatch(batch, Object.fromEntries([...learners].map(([p, each]) => [agents[p], each.toPolicy(scenario.system)])));
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const scenario = await loadScenario(
    fileURLToPath(new URL('../scenarios/strength-cards-bluff.yaml', import.meta.url)),
  );
  const folder = argv[2] ?? 'self-play';
  /** Policies after the last batch. @type {Record<string, object>} */
  let last = {};
  await trainBoth(scenario, {
    ...{ reward: 'hp', batches: 1024, seed: 1 },
    onBatch: (batch, policies) => {
      last = policies;
      if (!Number.isInteger(Math.log2(batch) / 2)) return;
      const exploitability = computeExploitability(scenario, 'hp', policies);
      const [attacker = 0, defender = 0] = exploitability.map((each) => each.toFixed(4));
      stdout.write(`${String(batch).padStart(5)} batches: attacker ${attacker}, defender ${defender}\n`);
    },
  });
  await mkdir(folder, { recursive: true });
  for (const [player, policy] of Object.entries(last))
    await writeFile(join(folder, `${player}.json`), JSON.stringify(policy));
}
