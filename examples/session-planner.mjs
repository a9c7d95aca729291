/**
 * Plans by trying out: before every decision a battle is copied many times, each copy gets a future of its own and one of
 * the legal actions, and the scenario's policies play it to its end. What came out best in the mean is done (G. Tesauro,
 * G. Galperin, On-line policy improvement using Monte-Carlo search, NIPS 9, 1996). The battles are kept by a session, in a
 * thread of its own, and are played by the scenario's policies alone as well. `warpool best-response` tells how much
 * there is to be gained at most.
 *
 *     node examples/session-planner.mjs [battles]
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario } from 'warpool';
import { EnvSession } from 'warpool/environments';

/** @import { Scenario } from 'warpool' */

const AGENT = 'attacker';

/** Copies of a battle that a decision is tried out on, all actions together. */
const COPIES = 128;

const FILES = ['phased-dice-broadside', 'phased-dice-ground', 'phased-dice-great-wall', 'strength-cards-pocket'];

/** The mean of some numbers, and its standard error. @param {readonly number[]} values */
function meanOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** Plays the battles of environment 0. The others are there for its copies. */
class Planner {
  #session;
  /** The seed of the futures that copies get next. */
  #futures = 1;

  /** @param {EnvSession} session */
  constructor(session) {
    this.#session = session;
  }

  /** Actions that are legal in environment 0; none when its battle is over. */
  #legal() {
    const { actionSpace, buffers } = this.#session;
    if (buffers.phase[0] === 0) return [];
    return actionSpace.names.flatMap((_, action) => (buffers.mask[action] === 1 ? [action] : []));
  }

  /**
   * What each action has earned in the mean of its copies.
   * @param {Uint8Array} battle
   * @param {readonly number[]} legal
   */
  async #tryOut(battle, legal) {
    const session = this.#session;
    for (let e = 0; e < session.numEnvs; e++) await session.setState(e, battle);
    await session.reseed(this.#futures++);
    await session.step(session.buffers.act.map((_, e) => legal[e % legal.length] ?? 0));
    await session.rollout('scenario', { episodes: 1 });
    const returns = session.buffers.finalReturn;
    return legal.map((_, l) => meanOf([...returns].filter((__, e) => e % legal.length === l)).mean);
  }

  /** Plays on from a battle's state to its end. @returns what the agent has earned */
  async plan(/** @type {Uint8Array} */ start) {
    const session = this.#session;
    await session.setState(0, start);
    for (let legal = this.#legal(); legal.length > 0; legal = this.#legal()) {
      const battle = await session.state(0);
      const worth = await this.#tryOut(battle, legal);
      const best = worth.indexOf(Math.max(...worth));
      await session.setState(0, battle);
      session.buffers.act[0] = legal[best] ?? 0;
      await session.step();
    }
    return session.buffers.finalReturn[0] ?? 0;
  }

  /** The same by the scenario's policy. */
  async follow(/** @type {Uint8Array} */ start) {
    const session = this.#session;
    await session.setState(0, start);
    await session.rollout('scenario', { episodes: 1 });
    return session.buffers.finalReturn[0] ?? 0;
  }
}

/**
 * Battles of a scenario, by the planner and by the scenario's policy: means of the reward, and of the differences.
 * @param {Scenario} scenario
 * @param {number} battles
 */
export async function trial(scenario, battles) {
  const options = /** @type {const} */ ({ agents: [AGENT], autoreset: 'disabled', reward: 'win', seed: 1 });
  const session = await EnvSession.create(scenario, { ...options, numEnvs: COPIES });
  const planner = new Planner(session);
  const next = Uint8Array.from({ length: COPIES }, (_, e) => Number(e === 0));
  /** @type {{ planned: number, followed: number }[]} */
  const returns = [];
  while (returns.length < battles) {
    const start = await session.state(0);
    returns.push({ followed: await planner.follow(start), planned: await planner.plan(start) });
    await session.reset({ mask: next });
  }
  await session.close();
  return {
    followed: meanOf(returns.map(({ followed }) => followed)),
    planned: meanOf(returns.map(({ planned }) => planned)),
    difference: meanOf(returns.map(({ followed, planned }) => planned - followed)),
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
    const { followed, planned, difference } = await trial(scenario, battles);
    const better = `${difference.mean.toFixed(3)} ± ${(2 * difference.error).toFixed(3)}`;
    const means = [followed.mean.toFixed(3).padStart(10), planned.mean.toFixed(3).padStart(7)];
    process.stdout.write(`${file.padEnd(24)} ${means.join('  ')}  ${better}\n`);
  }
}
