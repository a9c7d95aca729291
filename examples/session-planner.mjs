/**
 * Plans decisions by Monte Carlo rollouts (G. Tesauro, G. Galperin, On-line policy improvement using Monte-Carlo
 * search, NIPS 9, 1996). Before each decision, the planner copies the battle many times. Each copy gets different
 * future random numbers and one of the legal actions, and follows the policies of the scenario to its end. The planner
 * takes the action with the greatest mean return. The program compares the planner with the policy of the scenario,
 * from the same start states. The environments run in a session, which has a separate thread. `warpool best-response`
 * computes the greatest possible improvement.
 *
 *     node examples/session-planner.mjs [battles per scenario, default 1000]
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario } from 'warpool';
import { EnvSession } from 'warpool/environments';

/** @import { Scenario } from 'warpool' */

const AGENT = 'attacker';

/** Number of copies of a battle for each decision, all actions together. */
const COPIES = 128;

const FILES = ['phased-dice-broadside', 'phased-dice-ground', 'phased-dice-great-wall', 'strength-cards-pocket'];

/** Computes the mean of values, and its standard error. @param {readonly number[]} values */
function computeMean(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** Simulates the battles of environment 0. All environments are used for copies of the battle. */
class Planner {
  #session;
  /** Seed of the future random numbers of the next copies. */
  #nextSeed = 1;

  /** @param {EnvSession} session */
  constructor(session) {
    this.#session = session;
  }

  /** Lists the legal actions of environment 0; empty if its battle is over. */
  #listLegalActions() {
    const { actionSpace, buffers } = this.#session;
    if (buffers.phase[0] === 0) return [];
    return actionSpace.names.flatMap((_, action) => (buffers.mask[action] === 1 ? [action] : []));
  }

  /**
   * Estimates the value of each action: the mean return of the copies that take it.
   * @param {Uint8Array} battle state of the battle
   * @param {readonly number[]} legal legal actions
   */
  async #estimateValues(battle, legal) {
    const session = this.#session;
    for (let e = 0; e < session.numEnvs; e++) await session.setState(e, battle);
    await session.reseed(this.#nextSeed++);
    await session.step(session.buffers.act.map((_, e) => legal[e % legal.length] ?? 0));
    await session.rollout('scenario', { episodes: 1 });
    const returns = session.buffers.finalReturn;
    return legal.map((_, l) => computeMean([...returns].filter((__, e) => e % legal.length === l)).mean);
  }

  /** Simulates a battle from a state to its end; the planner makes the decisions. @returns the return of the agent */
  async simulateWithPlanner(/** @type {Uint8Array} */ start) {
    const session = this.#session;
    await session.setState(0, start);
    for (let legal = this.#listLegalActions(); legal.length > 0; legal = this.#listLegalActions()) {
      const battle = await session.state(0);
      const values = await this.#estimateValues(battle, legal);
      const best = values.indexOf(Math.max(...values));
      await session.setState(0, battle);
      session.buffers.act[0] = legal[best] ?? 0;
      await session.step();
    }
    return session.buffers.finalReturn[0] ?? 0;
  }

  /** Simulates a battle from a state to its end with the policy of the scenario. @returns the return of the agent */
  async simulateWithPolicy(/** @type {Uint8Array} */ start) {
    const session = this.#session;
    await session.setState(0, start);
    await session.rollout('scenario', { episodes: 1 });
    return session.buffers.finalReturn[0] ?? 0;
  }
}

/**
 * Simulates battles with the policy of the scenario and with the planner, each pair from the same state.
 * @param {Scenario} scenario
 * @param {number} battles number of pairs
 * @returns mean returns of the attacker, and the mean paired difference, with standard errors
 */
export async function comparePlanner(scenario, battles) {
  const options = /** @type {const} */ ({ agents: [AGENT], autoreset: 'disabled', reward: 'win', seed: 1 });
  const session = await EnvSession.create(scenario, { ...options, numEnvs: COPIES });
  const planner = new Planner(session);
  const mask = Uint8Array.from({ length: COPIES }, (_, e) => Number(e === 0));
  /** @type {{ planned: number, baseline: number }[]} */
  const returns = [];
  while (returns.length < battles) {
    const start = await session.state(0);
    returns.push({
      baseline: await planner.simulateWithPolicy(start),
      planned: await planner.simulateWithPlanner(start),
    });
    await session.reset({ mask });
  }
  await session.close();
  return {
    baseline: computeMean(returns.map(({ baseline }) => baseline)),
    planned: computeMean(returns.map(({ planned }) => planned)),
    difference: computeMean(returns.map(({ baseline, planned }) => planned - baseline)),
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const battles = Number(argv[2] ?? 1000);
  process.stdout.write(
    `${battles} battles each, ${COPIES} copies a decision; reward 1 for a victory, -1 for a defeat\n\n`,
  );
  process.stdout.write('scenario                 its policy  planner  difference\n');
  for (const file of FILES) {
    const scenario = await loadScenario(fileURLToPath(import.meta.resolve(`warpool/scenarios/${file}.yaml`)));
    const { baseline, planned, difference } = await comparePlanner(scenario, battles);
    const better = `${difference.mean.toFixed(3)} ± ${(2 * difference.error).toFixed(3)}`;
    const means = [baseline.mean.toFixed(3).padStart(10), planned.mean.toFixed(3).padStart(7)];
    process.stdout.write(`${file.padEnd(24)} ${means.join('  ')}  ${better}\n`);
  }
}
