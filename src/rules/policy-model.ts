/** Replaces the policies of a scenario by those of files, in the rules of the scenario. */
import {
  BoundedCache,
  type Chance,
  ESCAPES,
  ForwardingChance,
  InputError,
  mixHash,
  RulesError,
  suggestName,
} from '../core/index.ts';
import type { PlayerPolicySource, PolicyFile, PolicySources, PolicyState } from './policy-file.ts';
import { Network } from './policy-network.ts';
import type { ScenarioSpec } from './scenario-spec.ts';
import type { DecisionOption, Key, Model, State } from './system.ts';

/** Decision of a player with a policy from a file. */
interface PolicyDecision {
  readonly point: string;
  /** Index of the player. */
  readonly player: number;
  readonly state: State;
  readonly roundsLeft: number;
  /** By option: the name of its action. */
  readonly actions: readonly string[];
}

/** Returns shares of the options, with a sum above 0; undefined: the policy of the scenario decides. */
type PolicyShares = (decision: PolicyDecision) => readonly number[] | undefined;

/** Values of the features that a policy reads. */
interface FeatureReader {
  readonly read: (decision: Pick<PolicyDecision, 'point' | 'player' | 'state'>) => number[];
  /** True if some of them count rounds, which the keys of states do not contain. */
  readonly countsRounds: boolean;
}

interface PlayerPolicy {
  readonly player: string;
  readonly computeShares: PolicyShares;
  /** Absent if it reads no features. */
  readonly reader?: FeatureReader | undefined;
  /** True if it can choose at random. */
  readonly isMixed: boolean;
  /** True if it depends on the number of remaining rounds. */
  readonly isTimed: boolean;
}

const UNIFORM: Omit<PlayerPolicy, 'player'> = {
  computeShares: ({ actions }) => actions.map(() => 1),
  isMixed: true,
  isTimed: false,
};

/** Prefix of the features of decision points. */
export const DECISION_FEATURE = 'asked.';

/** Creates a function that reads features by their names. @throws InputError for an unknown name */
function createReader(
  place: string,
  { points, players, features, observe }: ScenarioSpec,
  names: readonly string[],
): FeatureReader {
  const known = ['player', ...points.map((point) => DECISION_FEATURE + point), ...features.map(({ name }) => name)];
  const slots = names.map((name) => known.indexOf(name));
  const stranger = names[slots.indexOf(-1)];
  if (stranger !== undefined) {
    const found = `"${stranger}"${suggestName(stranger, known)}`;
    throw new InputError(`${place}.features`, `features of the scenario: ${known.join(', ')}`, found);
  }
  return {
    read({ point, player, state }) {
      const all = [player, ...points.map((each) => Number(each === point)), ...observe(state, players[player])];
      return slots.map((slot) => all[slot] ?? 0);
    },
    countsRounds: features.some(({ name, unit }) => unit === 'rounds' && names.includes(name)),
  };
}

/** @param what plural of the names in messages @throws InputError for an unknown name */
function checkKnown(place: string, what: string, known: readonly string[], names: Iterable<string>): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new InputError(place, `${what} of the scenario: ${known.join(', ')}`, `"${name}"${suggestName(name, known)}`);
  }
}

/** Decides where a file has no answer. @throws RulesError without a policy for this */
function decideOtherwise(
  { otherwise }: PolicyFile,
  { actions }: PolicyDecision,
  problem: string,
): readonly number[] | undefined {
  if (otherwise === 'uniform') return actions.map(() => 1);
  if (otherwise === 'scenario') return undefined;
  throw new RulesError(problem);
}

function createTablePolicy(
  place: string,
  spec: ScenarioSpec,
  file: PolicyFile & { readonly kind: 'table' },
): Omit<PlayerPolicy, 'player'> {
  const { features, states, otherwise } = file;
  const reader = createReader(place, spec, features);
  /** By decision and observation: entries, those with the most remaining rounds first. */
  const byState = new Map<string, PolicyState[]>();
  const names = new Set<string>();
  for (const entry of states) {
    const name = `${entry.decision} ${entry.observation.join()}`;
    const entries = byState.get(name);
    if (entries === undefined) byState.set(name, [entry]);
    else entries.push(entry);
    for (const action of Object.keys(entry.actions)) names.add(action);
  }
  checkKnown(`${place}.states`, 'decisions', spec.points, new Set(states.map(({ decision }) => decision)));
  checkKnown(`${place}.states`, 'actions', spec.actions, names);
  const least = ({ minRoundsLeft = 1 }: PolicyState): number => minRoundsLeft;
  for (const [name, entries] of byState) {
    entries.sort((a, b) => least(b) - least(a));
    const twice = entries.find((entry, e) => e > 0 && least(entry) === least(entries[e - 1] as PolicyState));
    if (twice !== undefined) throw new InputError(`${place}.states`, 'one entry for each state', `${name} twice`);
  }
  const describe = ({ point }: PolicyDecision, observation: readonly number[]): string =>
    `${point} with ${features.map((feature, f) => `${feature} ${String(observation[f])}`).join(', ')}`;
  const computeShares: PolicyShares = (decision) => {
    const { point, roundsLeft, actions } = decision;
    const observation = reader.read(decision);
    const entry = byState.get(`${point} ${observation.join()}`)?.find((each) => least(each) <= roundsLeft);
    if (entry === undefined)
      return decideOtherwise(file, decision, `${place} has no entry for ${describe(decision, observation)}`);
    const shares = actions.map((action) => entry.actions[action] ?? 0);
    const isLegal = Object.entries(entry.actions).every(([name, share]) => share === 0 || actions.includes(name));
    if (isLegal) return shares;
    const found = `${JSON.stringify(entry.actions)} for ${describe(decision, observation)}`;
    throw new RulesError(`${place} has an illegal action: ${found}; legal are ${actions.join(', ')}`);
  };
  return {
    computeShares,
    reader,
    isMixed: otherwise === 'uniform' || states.some(({ actions }) => !Object.values(actions).includes(1)),
    isTimed: states.some((entry) => least(entry) > 1),
  };
}

function createNetworkPolicy(
  place: string,
  spec: ScenarioSpec,
  file: PolicyFile & { readonly kind: 'network' },
): Omit<PlayerPolicy, 'player'> {
  const reader = createReader(place, spec, file.features);
  checkKnown(`${place}.actions`, 'actions', spec.actions, file.actions);
  const network = new Network(place, file);
  const indexByName = new Map(file.actions.map((name, a) => [name, a]));
  const computeShares: PolicyShares = (decision) => {
    const legal = decision.actions.flatMap((name) => indexByName.get(name) ?? []);
    const missing = decision.actions.find((name) => !indexByName.has(name));
    if (missing !== undefined)
      return decideOtherwise(file, decision, `${place} has no output for the action "${missing}"`);
    return network.computeShares(reader.read(decision).map(Math.fround), legal);
  };
  return { computeShares, reader, isMixed: file.choose === 'softmax' || file.otherwise === 'uniform', isTimed: false };
}

function createPlayerPolicy(
  spec: ScenarioSpec,
  system: string,
  player: string,
  source: PlayerPolicySource,
): PlayerPolicy {
  const place = `policies.${player}`;
  const { players } = spec;
  if (!players.includes(player))
    throw new InputError('policies', `players: ${players.join(', ')}`, `"${player}"${suggestName(player, players)}`);
  if (source === 'uniform') return { player, ...UNIFORM };
  if (source.system !== system) throw new InputError(`${place}.system`, system, `"${source.system}"`);
  return {
    player,
    ...(source.kind === 'table' ? createTablePolicy(place, spec, source) : createNetworkPolicy(place, spec, source)),
  };
}

/** Resolution of probabilities: they are multiples of 2^-32, like the thresholds of a random word. */
const SHARES = 2 ** 32;

/** Converts shares to integer weights with the sum `SHARES`. */
function toWeights(shares: readonly number[]): readonly number[] {
  const sum = shares.reduce((total, share) => total + share, 0);
  let [below, used] = [0, 0];
  return shares.map((share) => {
    below += share;
    const to = Math.round((below / sum) * SHARES);
    const weight = to - used;
    used = to;
    return weight;
  });
}

/** Stream positions of choices, which no rule uses: the first one, and their number in a round. */
const FIRST_POSITION = 0xe000_0000;
const POSITIONS = 2 ** 28;

/** Maximum number of cached decisions. */
const CACHED_MAX = 65_536;

/** Computes the stream position of a choice in round 0. */
function computePosition(name: string): number {
  const codes = Array.from(name, (_, at) => name.charCodeAt(at));
  return FIRST_POSITION + ((mixHash(0, codes) >>> 0) % POSITIONS);
}

/** Returns the number of the current round, or of the next one between two rounds. */
const getRound = (model: Model<State>, state: State): number => state.round + Number(model.resting(state));

/** Returns a state as the last round shows it, if it is beyond the round limit: solvers explore such states. */
const limitRound = ({ maxRounds }: Model<State>, state: State): State =>
  state.round <= maxRounds ? state : (Object.create(state, { round: { value: maxRounds } }) as State);

/** Returns the number of remaining rounds, the current one included; at least 1, because graphs have no round limit. */
const countRoundsLeft = (model: Model<State>, state: State): number =>
  Math.max(1, model.maxRounds + 1 - getRound(model, state));

/** Returns true if choices of all rounds have positions like draws that escape: `ESCAPES`. Then rounds are compiled. */
const hasRoundPositions = ({ roundWords, maxRounds }: Model<State>): boolean =>
  roundWords !== undefined && 2 * roundWords * (maxRounds + 1) + POSITIONS <= 2 ** 32 - FIRST_POSITION;

/** A decision with the weights of its options, and the stream position of the choice. */
interface KnownDecision {
  readonly weights: readonly number[] | undefined;
  readonly position: number;
}

/** Policies of a scenario from files. */
class PolicyPlayers {
  readonly #model: Model<State>;
  readonly #spec: ScenarioSpec;
  readonly #policies: ReadonlyMap<string, PlayerPolicy>;
  readonly #isTimed: boolean;
  /** Words by which the positions of choices advance in a round; 0: their hash has the round. */
  readonly #stride: number;
  /** Decisions with their positions in round 0. */
  readonly #known = new BoundedCache<KnownDecision>(CACHED_MAX);

  constructor(model: Model<State>, spec: ScenarioSpec, policies: readonly PlayerPolicy[]) {
    this.#model = model;
    this.#spec = spec;
    this.#policies = new Map(policies.map((policy) => [policy.player, policy]));
    this.#isTimed = policies.some(({ isTimed }) => isTimed);
    this.#stride = hasRoundPositions(model) ? ESCAPES.positionOf(model.roundWords ?? 0) - ESCAPES.from : 0;
  }

  /** Number of rounds whose states differ; 1 if decisions do not depend on rounds. */
  get rounds(): number {
    const countsRounds = [...this.#policies.values()].some(({ reader }) => reader?.countsRounds);
    return countsRounds || this.#isTimed ? this.#model.maxRounds + 1 : 1;
  }

  /** Creates a key of a state like `Model.key`: states with equal keys of the rules can have different features. */
  createKey<K extends Key>(state: State, key: K): K | string {
    const parts: Key[] = [];
    const shown = limitRound(this.#model, state);
    for (const { player, reader } of this.#policies.values())
      if (reader)
        parts.push(reader.read({ point: '', player: this.#spec.players.indexOf(player), state: shown }).join());
    // Not limited to the rounds of the entries: a state that repeats would then be its own successor in all rounds.
    if (this.#isTimed) parts.push(countRoundsLeft(this.#model, state));
    return parts.length === 0 ? key : [...parts, key].join(' ');
  }

  /** Returns a decision; undefined if the policy of the scenario makes it. */
  find(point: string, player: string, options: readonly DecisionOption[], state: State): KnownDecision | undefined {
    const policy = this.#policies.get(player);
    if (policy === undefined || options.length < 2) return undefined;
    const round = this.#stride === 0 ? ` ${String(state.round)}` : '';
    const name = `${point} ${player}${round} ${String(this.#model.key(state))}`;
    const key = this.createKey(state, name);
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { weights: this.#computeWeights(policy, point, options, state), position: computePosition(name) };
      this.#known.set(key, known, 1);
    }
    return { ...known, position: known.position + getRound(this.#model, state) * this.#stride };
  }

  #computeWeights(policy: PlayerPolicy, point: string, options: readonly DecisionOption[], from: State) {
    const state = limitRound(this.#model, from);
    const roundsLeft = countRoundsLeft(this.#model, from);
    const actions = options.map((option) => this.#spec.actionName(point, option));
    const player = this.#spec.players.indexOf(policy.player);
    const shares = policy.computeShares({ point, player, state, roundsLeft, actions });
    return shares && toWeights(shares);
  }
}

/** Makes the decisions of some players by policies from files. */
class PolicyFileChance extends ForwardingChance {
  readonly #players: PolicyPlayers;
  readonly #state: State;

  constructor(chance: Chance, players: PolicyPlayers, state: State) {
    super(chance);
    this.#players = players;
    this.#state = state;
  }

  override decide<T extends DecisionOption>(point: string, player: string, options: readonly T[], policy: () => T): T {
    return super.decide(point, player, options, () => {
      const { weights, position = 0 } = this.#players.find(point, player, options, this.#state) ?? {};
      if (weights === undefined) return policy();
      const only = weights.indexOf(SHARES);
      if (only >= 0) return options[only] ?? policy();
      this.chance.seek(position);
      return options[this.chance.pick(weights, options.map(String))] ?? policy();
    });
  }
}

/** Copies a model without some optional members. */
function omit(model: Model<State>, names: readonly (keyof Model<State>)[]): Model<State> {
  return Object.fromEntries(
    Object.entries(model).filter(([name]) => !names.includes(name as keyof Model<State>)),
  ) as unknown as Model<State>;
}

/**
 * Creates the rules of a scenario with policies from files. Decisions depend on the state at the start of the turn.
 * @throws InputError if a policy does not fit the scenario
 */
export function createPolicyModel(
  model: Model<State>,
  spec: ScenarioSpec,
  system: string,
  sources: PolicySources,
): Model<State> {
  const policies = Object.entries(sources).map(([player, source]) => createPlayerPolicy(spec, system, player, source));
  const players = new PolicyPlayers(model, spec, policies);
  const { rounds } = players;
  const key = (state: State): Key => players.createKey(state, model.key(state));
  const courseKey = (state: State): Key => `${String(key(state))} ${String(model.courseKey?.(state))}`;
  const changed: Model<State> = {
    ...omit(model, ['leastSteps', 'turn', ...(rounds > 1 ? (['plain'] as const) : [])]),
    policyRounds: rounds,
    step(state, chance) {
      const source = new PolicyFileChance(chance, players, state);
      return model.turn?.(state, source) ?? model.step(state, source);
    },
    key,
    ...(model.courseKey && { courseKey }),
  };
  const isMixed = policies.some((policy) => policy.isMixed);
  return isMixed && !hasRoundPositions(model) ? omit(changed, ['roundWords']) : changed;
}
