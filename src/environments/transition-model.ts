/** Transition probabilities between decisions: all successors of a state, for planning and dynamic programming. */

import { BudgetError, type Chance, checkKind, createOptionsCheck, formatGrouped, InputError } from '../core/index.ts';
import { type DecisionOption, findOutcome, type State } from '../rules/index.ts';
import { count, type OptionSpecs, resolveOptions } from '../rules/option-spec.ts';
import { DecisionChance, type OpenDecision, type ResultVisitor } from './best-response/decision-chance.ts';
import { readRecordHead } from './buffers.ts';
import { type EnvSpec, rejectStepRewards, type Variant } from './env-spec.ts';
import type { EnvironmentEngine } from './environment-engine.ts';
import { NONE, TERMINAL } from './layout.ts';
import type { TurnState } from './reference-battle.ts';
import { computeRewards, observeState } from './reference-env.ts';
import { stringifyState } from './validate.ts';
import { openEngine, type VectorEnv } from './vector-env.ts';

/** A decision of an agent, or the end of a battle. */
export interface DecisionState {
  /** Equal for states of a scenario with equal futures, apart from the number of remaining rounds. */
  readonly key: string;
  /** Index of the scenario. */
  readonly variant: number;
  /** Numbers as in the buffers of environments: features, and 1 for each legal action. */
  readonly observation: Float32Array;
  readonly mask: Uint8Array;
  /** Index of the deciding player; -4 at the end. */
  readonly player: number;
  /** Decision point, counted from 1; 0 at the end. */
  readonly phase: number;
  /** Name of the outcome at the end. */
  readonly outcome: string | undefined;
}

/** A possible result of an action. */
export interface Transition {
  /** 0 < p <= 1. Those of all results of an action sum to 1, less the results below 10^-18. */
  readonly probability: number;
  readonly state: DecisionState;
  /** Rewards of the agents; 0 except at the end of a battle. */
  readonly rewards: readonly number[];
}

/** Options of a `TransitionModel`. */
export interface TransitionModelOptions {
  /** Maximum number of steps of the rules for one action, 1..10^9; default: 10^6. */
  readonly budget?: number | undefined;
}

/** Declared options of a `TransitionModel`. */
const OPTIONS = {
  budget: { ...count(1, 1e9, 'maximum number of steps of the rules for one action'), default: 1e6 },
} as const satisfies OptionSpecs;

const checkOptions = createOptionsCheck<TransitionModelOptions>('TransitionModel.create', OPTIONS);

/** Branches with a lower probability are not followed: a battle can continue for thousands of rounds without a decision. */
const LEAST = 1e-18;

/** A decision state with what the rules need to continue. */
interface OpenState extends DecisionState {
  readonly turn: TurnState;
  readonly options: readonly DecisionOption[];
  readonly actions: readonly number[];
}

/** A battle between two decisions. */
interface Branch {
  readonly turn: TurnState;
  probability: number;
}

/**
 * Transition probabilities of the decisions of an environment, computed by enumerating all draws. Players who are not
 * agents follow the policies of their scenario. Episodes have no limit of steps here.
 */
export class TransitionModel {
  readonly #configuration: EnvSpec;
  readonly #engine: EnvironmentEngine;
  readonly #budget: number;
  #steps = 0;

  /** Use `TransitionModel.create`. */
  constructor(configuration: EnvSpec, engine: EnvironmentEngine, budget: number) {
    this.#configuration = configuration;
    this.#engine = engine;
    this.#budget = budget;
  }

  /**
   * @param of environments, or their configuration
   * @throws InputError if an option is invalid
   * @throws RunError if the kernel is not built
   */
  static async create(of: VectorEnv | EnvSpec, options: TransitionModelOptions = {}): Promise<TransitionModel> {
    checkOptions(options);
    const { budget } = resolveOptions(OPTIONS, options);
    const configuration = (of as Partial<VectorEnv> | undefined)?.configuration ?? (of as EnvSpec);
    checkKind('of', 'a VectorEnv or an EnvSpec', configuration, 'variants');
    rejectStepRewards(configuration);
    return new TransitionModel(configuration, await openEngine(configuration, { envs: 1, first: 0 }), budget);
  }

  /**
   * Lists the first decisions of a battle, with their probabilities.
   * @param variant index of the scenario
   * @throws BudgetError if there are too many results
   */
  start(variant = 0): Transition[] {
    const { model } = this.#variant(variant);
    this.#steps = 0;
    const found = new Map<string, Branch>();
    new DecisionChance(() => false).walk(
      (chance) => model.start(chance),
      (state, probability) => {
        this.#add(found, { state, answers: [] }, probability);
      },
    );
    return this.#continueAll(variant, found);
  }

  /**
   * Decodes a state of an environment at a decision.
   * @param state from `VectorEnv.state`
   * @throws InputError if it is not a state of such an environment, or its episode has ended
   */
  decode(state: Uint8Array): DecisionState {
    this.#engine.check('state', state);
    const { variant, point } = readRecordHead(state);
    if (point === NONE) throw new InputError('state', 'a state at a decision', 'a battle that has ended');
    this.#steps = 0;
    const found = this.#open(variant, this.#engine.begun(this.#variant(variant), state), () => undefined);
    if (found === undefined) throw new InputError('state', 'a state at a decision of an agent', 'another one');
    return found;
  }

  /**
   * Lists the results of one action in each state. They are merged by state, in a fixed order.
   * @param states from `start`, `decode` or `successors`
   * @param actions index of an action for each state
   * @throws InputError if an action is illegal, or the rules draw before a decision of the same turn
   * @throws BudgetError if an action has too many results
   */
  successors(states: readonly DecisionState[], actions: ArrayLike<number>): Transition[][] {
    if (states.length !== actions.length)
      throw new InputError('actions', `${String(states.length)} numbers`, String(actions.length));
    return states.map((state, s) => this.#act(state, actions[s] ?? NONE, `actions[${String(s)}]`));
  }

  #variant(index: number): Variant {
    const variant = this.#configuration.variants[index];
    if (variant !== undefined) return variant;
    throw new InputError('variant', `an integer 0..${String(this.#configuration.variants.length - 1)}`, String(index));
  }

  #act(state: DecisionState, action: number, place: string): Transition[] {
    const { turn, options, actions, variant } = state as Partial<OpenState> & DecisionState;
    if (turn === undefined) throw new InputError(place, 'a state at a decision', 'a battle that has ended');
    const option = options?.[actions?.indexOf(action) ?? -1];
    if (option === undefined) {
      const names = this.#configuration.actions;
      const legal = actions?.map((a) => names[a]).join(', ') ?? '';
      throw new InputError(place, `one of ${legal}`, names[action] ?? String(action));
    }
    this.#steps = 0;
    const found = new Map<string, Branch>();
    const answered = { state: turn.state, answers: [...turn.answers, option] };
    this.#add(found, answered, 1);
    return this.#continueAll(variant, found);
  }

  #add(found: Map<string, Branch>, turn: TurnState, probability: number): void {
    if (probability < LEAST) return;
    const key = stringifyState(turn, 'state');
    const known = found.get(key);
    if (known === undefined) found.set(key, { turn, probability });
    else known.probability += probability;
  }

  /** Continues battles to the next decisions or their ends, turn by turn. */
  #continueAll(index: number, started: Map<string, Branch>): Transition[] {
    const decided = new Map<string, Transition & { probability: number }>();
    for (let open = started; open.size > 0; ) {
      const next = new Map<string, Branch>();
      for (const [key, { turn, probability }] of open) {
        const known = decided.get(key);
        if (known !== undefined) known.probability += probability;
        else {
          const results: { state: State; share: number }[] = [];
          const found = this.#stop(index, turn, (state, share) => results.push({ state, share }));
          if (found !== undefined) decided.set(key, { ...found, probability });
          for (const { state, share } of results) this.#add(next, { state, answers: [] }, probability * share);
        }
      }
      open = next;
    }
    return [...decided.values()];
  }

  /** Returns the decision or the end at a state. @param visit receives the next states, if there is neither */
  #stop(index: number, turn: TurnState, visit: ResultVisitor<State>): Omit<Transition, 'probability'> | undefined {
    const variant = this.#variant(index);
    const { agents } = this.#configuration;
    const outcome = turn.answers.length > 0 ? undefined : findOutcome(variant.model, turn.state);
    if (outcome === undefined) {
      const state = this.#open(index, turn, visit);
      return state && { state, rewards: agents.map(() => 0) };
    }
    const metrics = variant.model.measure(turn.state);
    const rewards = computeRewards(variant, agents, variant.outcomes.indexOf(outcome), metrics, 0);
    return { state: { ...this.#describe(index, turn, undefined), outcome }, rewards };
  }

  /** Returns the state at a decision of an agent. @param visit receives the next states, if no agent decides */
  #open(index: number, turn: TurnState, visit: ResultVisitor<State>): OpenState | undefined {
    const variant = this.#variant(index);
    const { model, spec, players } = variant;
    const { state, answers } = turn;
    const { pace } = spec;
    const [first = ''] = players;
    const isPaced = pace !== undefined && model.resting(state) && this.#decides(variant, pace, first);
    const question =
      isPaced && answers.length === 0
        ? { point: pace, player: first, options: [pace] }
        : this.#walk(variant, state, isPaced ? answers[1] : answers[0], visit);
    if (question === undefined) return undefined;
    const { point, options } = question;
    const actions = options.map((option) => this.#configuration.actions.indexOf(spec.actionName(point, option)));
    const player = players.indexOf(question.player);
    return { ...this.#describe(index, turn, { point, player, actions }), turn, options, actions };
  }

  #describe(
    index: number,
    turn: TurnState,
    pending: { point: string; player: number; actions: readonly number[] } | undefined,
  ): DecisionState {
    const configuration = this.#configuration;
    const { model } = this.#variant(index);
    return {
      key: `${pending?.point ?? ''} ${turn.answers.join()} ${String(model.key(turn.state))}`,
      variant: index,
      observation: Float32Array.from(observeState(configuration, this.#variant(index), turn.state, pending)),
      mask: Uint8Array.from(configuration.actions, (_, a) => Number(pending?.actions.includes(a) ?? true)),
      player: pending?.player ?? TERMINAL,
      phase: pending === undefined ? 0 : 1 + configuration.decisionPoints.indexOf(pending.point),
      outcome: undefined,
    };
  }

  #decides({ players, agentOf }: Variant, point: string, player: string): boolean {
    return (agentOf[players.indexOf(player)] ?? -1) >= 0 && this.#configuration.decisions.includes(point);
  }

  /** Enumerates the results of a turn. @returns the decision without an answer, if there is one */
  #walk(
    variant: Variant,
    state: State,
    answer: DecisionOption | undefined,
    visit: ResultVisitor<State>,
  ): OpenDecision | undefined {
    const { model } = variant;
    const turn = (chance: Chance): State => {
      if (++this.#steps > this.#budget)
        throw new BudgetError(`an action has more than ${formatGrouped(this.#budget)} results (budget)`);
      return model.turn?.(state, chance) ?? model.step(state, chance);
    };
    const chance = new DecisionChance((point, player) => this.#decides(variant, point, player));
    return chance.walk(turn, visit, answer);
  }
}
