/** Grades of policies in tasks with known optima. */
import { createOptionsCheck, GAME_STEPS_MAX, InputError, suggestName } from '../../core/index.ts';
import { PROGRESS_OPTIONS, type ProgressOptions } from '../../engines/index.ts';
import { type PlayerPolicySource, type Scenario, updateScenario } from '../../rules/index.ts';
import { text } from '../../rules/option-spec.ts';
import { type BestResponse, findBestResponse, findBestResponseSync } from '../best-response/best-response.ts';
import {
  type Equilibrium,
  findEquilibrium,
  findEquilibriumSync,
  type PolicyLoss,
} from '../equilibrium/find-equilibrium.ts';
import { type LoadedTask, loadTask } from './suite-tasks.ts';

/** Content of a policy file, `uniform`, or `scenario` for the policy of the scenario. */
export type GradedPolicy = PlayerPolicySource | 'scenario';

/** Options of `gradePolicy`. */
export interface GradeOptions extends ProgressOptions {
  /** Player of the policy; default: the first player of the task. */
  readonly player?: string | undefined;
}

const checkOptions = createOptionsCheck<GradeOptions>('gradePolicy', {
  player: text('player', 'the player'),
  ...PROGRESS_OPTIONS,
});

/** Result of `gradePolicy`. */
export interface Grade {
  readonly task: string;
  readonly player: string;
  readonly scenario: Scenario;
  readonly reward: string;
  /**
   * Expected reward of the player with the policy. If the player is the only one who decides: against the policies of
   * the scenario. If two players decide: against the best response to the policy.
   */
  readonly value: number;
  /** Value of an optimal policy, and an interval that includes it. */
  readonly optimum: number;
  readonly interval: readonly [lower: number, upper: number];
  /** `optimum` minus `value`. */
  readonly exploitability: number;
  /** Maximum error of `value`, except for rounding. */
  readonly error: number;
  /** States in which the policy loses, greatest share first. Visits times losses sum to the exploitability. */
  readonly losses: readonly PolicyLoss[];
  readonly positions: number;
  readonly decisionStates: number;
  readonly steps: number;
  readonly elapsedSeconds: number;
}

/** Task, player and scenario of a grade. */
interface GradeRequest extends LoadedTask {
  readonly player: string;
}

/** Returns the player. @throws InputError if it does not decide in the task */
export function selectTaskPlayer({ name, players }: LoadedTask['task'], player = players[0] ?? ''): string {
  if (players.includes(player)) return player;
  throw new InputError(
    'player',
    `a player of ${name}: ${players.join(', ')}`,
    `"${player}"${suggestName(player, players)}`,
  );
}

/** Creates the request with the policy of the player in the scenario. */
function createRequest({ task, scenario }: LoadedTask, policy: GradedPolicy, player?: string): GradeRequest {
  const selected = selectTaskPlayer(task, player);
  const changed = policy === 'scenario' ? scenario : updateScenario(scenario, { [`policies.${selected}`]: policy });
  return { task, player: selected, scenario: changed };
}

/** Transitions that are allowed, relative to those of the task: choices of a policy can add transitions. */
const STEPS_FACTOR = 2;

const getBudget = ({ steps }: LoadedTask['task']): number => Math.min(GAME_STEPS_MAX, STEPS_FACTOR * steps);

const gradeResponse = ({ task, player, scenario }: GradeRequest, found: BestResponse): Grade => ({
  ...{ task: task.name, player, scenario, reward: task.reward },
  ...{ value: found.policyValue, optimum: found.value, error: found.error },
  interval: [found.value - found.error, found.value + found.error],
  exploitability: Math.max(0, found.value - found.policyValue),
  losses: found.corrections.map(({ bestAction, ...state }) => ({ player, ...state, equilibrium: { [bestAction]: 1 } })),
  ...{ positions: found.positions, decisionStates: found.decisionStates, steps: found.steps },
  elapsedSeconds: found.elapsedSeconds,
});

function gradeInEquilibrium({ task, player, scenario }: GradeRequest, found: Equilibrium): Grade {
  const own = found.players.find((each) => each.player === player);
  if (own?.guaranteed === undefined || own.exploitability === undefined) {
    const expected = 'a policy that depends only on what its player observes';
    throw new InputError(`policies.${player}`, expected, 'another one');
  }
  const [lower, upper] = found.interval;
  return {
    ...{ task: task.name, player, scenario, reward: task.reward },
    interval: own === found.players[0] ? [lower, upper] : [0 - upper, 0 - lower],
    ...{ value: own.guaranteed, optimum: own.value, exploitability: own.exploitability, error: found.error },
    losses: own.losses,
    ...{ positions: found.positions, decisionStates: found.decisionStates, steps: found.steps },
    elapsedSeconds: found.elapsedSeconds,
  };
}

const getResponseOptions = ({ task, player: agent }: GradeRequest) => ({
  ...{ agent, reward: task.reward, budget: getBudget(task) },
});

const getEquilibriumOptions = ({ task }: GradeRequest) => ({ reward: task.reward, budget: getBudget(task) });

/** Computes like `gradePolicy` for a loaded task, in the calling thread. */
export function gradeLoadedTask(loaded: LoadedTask, policy: GradedPolicy, player?: string): Grade {
  const request = createRequest(loaded, policy, player);
  return loaded.task.players.length === 1
    ? gradeResponse(request, findBestResponseSync(request.scenario, getResponseOptions(request)))
    : gradeInEquilibrium(request, findEquilibriumSync(request.scenario, getEquilibriumOptions(request)));
}

/**
 * Computes the value of a policy in a task, its difference from the optimum, and the states in which it loses.
 * @param name name of the task
 * @throws InputError if there is no such task or player, or the policy does not fit the scenario
 * @throws AbortError if the signal aborts first
 */
export async function gradePolicy(name: string, policy: GradedPolicy, options: GradeOptions = {}): Promise<Grade> {
  checkOptions(options);
  const { player, ...watch } = options;
  const request = createRequest(await loadTask(name), policy, player);
  return request.task.players.length === 1
    ? gradeResponse(request, await findBestResponse(request.scenario, { ...getResponseOptions(request), ...watch }))
    : gradeInEquilibrium(
        request,
        await findEquilibrium(request.scenario, { ...getEquilibriumOptions(request), ...watch }),
      );
}
