/** Files of policies: a table of probabilities by state, or a small neural network. docs/reference/policy-files.md. */
import { checkText, describeFound, InputError, suggestName } from '../core/index.ts';

/** Format of policy files, with its version. */
export const POLICY_FORMAT = 'warpool-policy-1';

/** Common fields of policy files. */
interface PolicyHead {
  readonly format: typeof POLICY_FORMAT;
  /** Id of the system. */
  readonly system: string;
  readonly name?: string | undefined;
  /** Names of the features that identify a state, or are the inputs of the network, in this order. */
  readonly features: readonly string[];
  /** Policy in states that a table omits, or with actions that a network omits; default: an error. */
  readonly otherwise?: 'scenario' | 'uniform' | undefined;
}

/** Probabilities of the actions in a state. */
export interface PolicyState {
  readonly decision: string;
  /** Values of the features. */
  readonly observation: readonly number[];
  /** Minimum number of remaining rounds, the current one included, for which the entry holds; default: 1. */
  readonly minRoundsLeft?: number | undefined;
  /** Probabilities by name of the action; omitted actions have probability 0. */
  readonly actions: Readonly<Record<string, number>>;
}

/** Policy as a table. */
export interface PolicyTable extends PolicyHead {
  readonly kind: 'table';
  readonly states: readonly PolicyState[];
}

/** Affine layer of a network: outputs = weights x inputs + biases. */
export interface PolicyLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** `outputs` rows of `inputs` numbers, as little-endian float32 in base64: the layout of `torch.nn.Linear`. */
  readonly weights: string;
  /** `outputs` numbers, in the same encoding. */
  readonly biases: string;
  /** True if negative outputs become 0; default: false. */
  readonly relu?: boolean | undefined;
}

/** Policy as a feedforward network, computed in float32 in a fixed order. */
export interface PolicyNetwork extends PolicyHead {
  readonly kind: 'network';
  /** Names of the actions, in the order of the outputs. */
  readonly actions: readonly string[];
  readonly layers: readonly PolicyLayer[];
  /** `softmax`: probabilities in proportion to exp(output); `argmax`: the greatest output. Over the legal actions. */
  readonly choose: 'softmax' | 'argmax';
}

/** Content of a policy file. */
export type PolicyFile = PolicyTable | PolicyNetwork;

/** Policy of a player: the content of a file, or `uniform`, a uniform choice of legal actions. */
export type PlayerPolicySource = PolicyFile | 'uniform';

/** Policies of players by name, in addition to those that the system declares. */
export type PolicySources = Readonly<Record<string, PlayerPolicySource>>;

/** Maximum numbers of entries and of weights. */
const STATES_MAX = 1_000_000;
const WEIGHTS_MAX = 4_000_000;

const HEAD = ['format', 'system', 'name', 'kind', 'features', 'otherwise'];

/** Fields by kind. */
const FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['table', [...HEAD, 'states']],
  ['network', [...HEAD, 'actions', 'layers', 'choose']],
]);
const ALL_FIELDS = [...new Set([...FIELDS.values()].flat())];

/** @throws InputError if the value is not a mapping, or has an unknown field */
function checkFields(place: string, value: unknown, known: readonly string[], expected = 'a mapping'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(place, expected, describeFound(value));
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const found = `an unknown field${suggestName(stranger, known)}`;
  throw new InputError(`${place}.${stranger}`, `one of ${known.join(', ')}`, found);
}

function checkCount(place: string, value: unknown, most: number): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most) return;
  throw new InputError(place, `an integer 1..${String(most)}`, describeFound(value));
}

function checkElements(
  place: string,
  list: readonly unknown[],
  expected: string,
  isValid: (element: unknown) => boolean,
): void {
  const wrong = list.findIndex((element) => !isValid(element));
  if (wrong >= 0) throw new InputError(`${place}[${String(wrong)}]`, expected, describeFound(list[wrong]));
}

function checkNames(place: string, names: unknown): void {
  const list = checkList(place, names, Number.POSITIVE_INFINITY, 'a list of names') as readonly string[];
  checkElements(place, list, 'a name', (name) => typeof name === 'string');
  const twice = list.find((name, at) => list.indexOf(name) < at);
  if (twice !== undefined) throw new InputError(place, 'unique names', `"${twice}" twice`);
}

function checkWord(place: string, value: unknown, words: readonly string[]): void {
  if (typeof value !== 'string' || !words.includes(value))
    throw new InputError(place, `one of ${words.join(', ')}`, describeFound(value));
}

function checkList(place: string, value: unknown, most: number, expected = 'a list'): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new InputError(place, expected, describeFound(value));
  if (value.length > most)
    throw new InputError(place, `at most ${String(most)} elements`, `${String(value.length)} elements`);
  return value;
}

const STATE = ['decision', 'observation', 'minRoundsLeft', 'actions'];

/** @returns the sum of the probabilities; NaN if one is invalid */
function sumProbabilities(actions: object): number {
  let sum = 0;
  for (const share of Object.values(actions) as unknown[])
    sum += typeof share === 'number' && share >= 0 && share <= 1 ? share : Number.NaN;
  return sum;
}

function checkPolicyState(place: string, value: unknown, features: number): void {
  checkFields(place, value, STATE);
  const { decision, observation, minRoundsLeft, actions } = value as PolicyState;
  checkText(`${place}.decision`, decision, 'the name of a decision point');
  const numbers: unknown = observation;
  if (!Array.isArray(numbers) || numbers.length !== features) {
    const expected = `${String(features)} number${features === 1 ? '' : 's'}, one per feature`;
    throw new InputError(`${place}.observation`, expected, describeFound(numbers));
  }
  checkElements(`${place}.observation`, numbers, 'a number', Number.isFinite);
  if (minRoundsLeft !== undefined) checkCount(`${place}.minRoundsLeft`, minRoundsLeft, 2 ** 31);
  if (typeof (actions as unknown) !== 'object' || (actions as unknown) === null)
    throw new InputError(`${place}.actions`, 'a mapping', describeFound(actions));
  if (!(Math.abs(sumProbabilities(actions) - 1) < 1e-6))
    throw new InputError(`${place}.actions`, 'probabilities 0..1 whose sum is 1', JSON.stringify(actions));
}

function checkTable(place: string, table: PolicyTable): void {
  const { states, features } = table;
  for (const [s, state] of checkList(`${place}.states`, states, STATES_MAX).entries())
    checkPolicyState(`${place}.states[${String(s)}]`, state, features.length);
}

/** Decodes little-endian float32 numbers. @throws InputError if the text is invalid, or a number is not finite */
export function decodeFloats(place: string, text: unknown, count: number): Float32Array {
  const expected = `${String(count)} float32 numbers in base64`;
  let bytes: string;
  try {
    bytes = atob(typeof text === 'string' ? text : '*');
  } catch {
    throw new InputError(place, expected, describeFound(text));
  }
  if (bytes.length !== 4 * count) throw new InputError(place, expected, `${String(bytes.length)} bytes`);
  const view = new DataView(Uint8Array.from(bytes, (each) => each.charCodeAt(0)).buffer);
  const floats = Float32Array.from({ length: count }, (_, k) => view.getFloat32(4 * k, true));
  const wrong = floats.findIndex((each) => !Number.isFinite(each));
  if (wrong >= 0) throw new InputError(place, 'finite numbers', `${String(floats[wrong])} at index ${String(wrong)}`);
  return floats;
}

function checkLayer(place: string, layer: unknown, inputs: number): number {
  checkFields(place, layer, ['inputs', 'outputs', 'weights', 'biases', 'relu']);
  const { inputs: own, outputs, relu } = layer as PolicyLayer;
  if (own !== inputs) throw new InputError(`${place}.inputs`, String(inputs), describeFound(own));
  checkCount(`${place}.outputs`, outputs, WEIGHTS_MAX);
  if (inputs * outputs > WEIGHTS_MAX) {
    const found = `${String(inputs)} inputs times ${String(outputs)} outputs`;
    throw new InputError(`${place}.outputs`, `at most ${String(WEIGHTS_MAX)} weights of a layer`, found);
  }
  if (relu !== undefined && typeof (relu as unknown) !== 'boolean')
    throw new InputError(`${place}.relu`, 'true or false', describeFound(relu));
  return outputs;
}

function checkNetwork(place: string, network: PolicyNetwork): void {
  const { features, actions, layers, choose } = network;
  checkNames(`${place}.actions`, actions);
  checkWord(`${place}.choose`, choose, ['softmax', 'argmax']);
  let width = features.length;
  for (const [l, layer] of checkList(`${place}.layers`, layers, 32).entries())
    width = checkLayer(`${place}.layers[${String(l)}]`, layer, width);
  if (width !== actions.length)
    throw new InputError(`${place}.layers`, `${String(actions.length)} outputs of the last layer`, String(width));
}

/** Valid policies, which are frozen when their scenario is bound. */
const checkedPolicies = new WeakSet<object>();

/** True for policies from files: a custom system can declare a field of the same name for other purposes. */
export function isPolicySources(policies: unknown): policies is PolicySources {
  if (typeof policies !== 'object' || policies === null) return false;
  const sources: unknown[] = Object.values(policies);
  const isSource = (source: unknown): boolean =>
    source === 'uniform' || (source as Partial<PolicyFile> | null)?.format === POLICY_FORMAT;
  return sources.length > 0 && sources.every(isSource);
}

/** Returns true for the path of a policy file in JSON, or a mapping with a path. */
const isPath = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.endsWith('.json')
    : typeof (value as Partial<Record<string, unknown>> | null)?.['file'] === 'string';

/**
 * Checks the structure of a policy.
 * @param place name of the policy in messages
 * @throws InputError at the first invalid field
 */
export function checkPolicyFile(place: string, value: unknown): PolicyFile {
  if (typeof value === 'object' && value !== null && checkedPolicies.has(value)) return value as PolicyFile;
  if (isPath(value))
    throw new InputError(place, 'the content of the policy file, because the scenario is a text', describeFound(value));
  checkFields(
    place,
    value,
    FIELDS.get((value as Partial<PolicyFile> | null)?.kind) ?? ALL_FIELDS,
    'uniform, the path of a policy file, or its content',
  );
  const policy = value as PolicyFile;
  const { format, system, name, features, otherwise, kind } = policy;
  if ((format as string) !== POLICY_FORMAT)
    throw new InputError(`${place}.format`, POLICY_FORMAT, describeFound(format));
  checkText(`${place}.system`, system, 'the name of a system');
  if (name !== undefined) checkText(`${place}.name`, name, 'a name');
  checkNames(`${place}.features`, features);
  if (otherwise !== undefined) checkWord(`${place}.otherwise`, otherwise, ['scenario', 'uniform']);
  checkWord(`${place}.kind`, kind, ['table', 'network']);
  if (kind === 'table') checkTable(place, policy);
  else checkNetwork(place, policy);
  checkedPolicies.add(policy);
  return policy;
}

/** Checks the structure of the policies of a scenario. @throws InputError at the first invalid field */
export function checkPolicySources(policies: unknown): void {
  if (typeof policies !== 'object' || policies === null || Array.isArray(policies))
    throw new InputError('policies', 'a mapping of players to policies', describeFound(policies));
  if (Object.keys(policies).length === 0) throw new InputError('policies', 'at least one player', 'none');
  for (const [player, policy] of Object.entries(policies))
    if (policy !== 'uniform') checkPolicyFile(`policies.${player}`, policy);
}
