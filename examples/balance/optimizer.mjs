/**
 * Solves a balance problem with a custom optimizer. The optimizer starts at random settings, and improves each of them
 * by a local search that changes one field at a time. Optimizers for large grids (Optuna, BoTorch) can implement the
 * same two functions, `ask` and `tell`.
 *
 *     node examples/balance/optimizer.mjs [problem] [evaluations]
 */
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { balanceScenarios, loadBalanceProblem } from 'warpool';

/** @import { BalanceProblem, ProblemSetting, SettingOptimizer } from 'warpool' */

const FILE = fileURLToPath(new URL('three-scenarios-bonuses.yaml', import.meta.url));

/** Number of consecutive changes without an improvement, per field, after which a local search ends. */
const PATIENCE = 6;

/**
 * Creates the optimizer.
 * @param {BalanceProblem} problem
 * @param {number} evaluations maximum number of evaluated settings
 * @param {() => number} random returns uniform random numbers in [0, 1)
 * @returns {SettingOptimizer}
 */
export function createLocalSearch({ fields }, evaluations, random) {
  /** Returns the value of a field at a grid index, clamped to the grid. @param {number} f @param {number} index */
  const valueAt = (f, index) => {
    const { low = 0, step = 1, count = 1 } = fields[f] ?? {};
    return low + step * Math.min(count - 1, Math.max(0, index));
  };
  const sampleSetting = () => fields.map(({ count }, f) => valueAt(f, Math.floor(random() * count)));
  /** @type {{ values: readonly number[], miss: number } | undefined} */
  let best;
  let [evaluated, failures] = [0, 0];
  return {
    ask() {
      if (evaluated++ >= evaluations) return undefined;
      if (best === undefined || failures > PATIENCE * fields.length) {
        [best, failures] = [undefined, 0];
        return sampleSetting();
      }
      const f = Math.floor(random() * fields.length);
      const { low = 0, step = 1 } = fields[f] ?? {};
      const move = Math.sign(random() - 0.5) * (1 + Math.floor(3 * random() ** 2));
      return best.values.map((value, v) => (v === f ? valueAt(f, Math.round((value - low) / step) + move) : value));
    },
    tell(setting) {
      const miss = setting?.greatestMiss ?? Number.POSITIVE_INFINITY;
      if (setting !== undefined && (best === undefined || miss < best.miss))
        [best, failures] = [{ values: setting.values, miss }, 0];
      else failures++;
      // The local search ends when a setting meets all targets.
      if (miss === 0) best = undefined;
    },
  };
}

/** Creates the generator of Park and Miller, with numbers in (0, 1). @param {number} seed 1..2147483646 */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await loadBalanceProblem(argv[2] ?? FILE);
  const optimizer = createLocalSearch(problem, Number(argv[3] ?? 400), createRandom(1));
  const { meeting, nearest, fewestSteps, targetsMet } = await balanceScenarios(problem, { optimizer });
  const best = targetsMet ? fewestSteps : nearest;
  const setting = problem.fields.map(({ name }, f) => `${name} = ${String(best.values[f])}`).join(', ');
  stdout.write(
    `${String(meeting.length)} settings meet all targets. Best: ${setting}; greatest miss ${String(best.greatestMiss)}\n`,
  );
}
