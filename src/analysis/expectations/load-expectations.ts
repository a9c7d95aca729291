/**
 * Loads expectations. Their sentences:
 *
 *     <outcome or metric> between <a> and <b> | at least <a> | at most <b>
 *     <share> of <metric> between <a> and <b> | at least <a> | at most <b>
 *     <outcome or metric> as in the snapshot
 *     share of <metric> between <a> and <b> | at least <a> | at most <b> as in the snapshot
 *
 * An outcome is its probability, a metric its mean; `95% of rounds at most 20`: in 95 % of the battles or more, rounds
 * is at most 20. Probabilities are 0..1, or 0%..100%. Bounds are inclusive.
 */

import { z } from 'zod';
import { describeNumeral, findAmount, InputError } from '../../core/index.ts';
import {
  checkBySchema,
  checkFileKind,
  collectInputErrors,
  createFieldSchemas,
  createFilledFieldSchemas,
  type DocumentSource,
  findLocation,
  formatPosition,
  getBoundScenario,
  isMapping,
  type JsonSchema,
  loadSource,
  type Path,
  type ReadOptions,
  reject,
  type Scenario,
  setFields,
} from '../../rules/index.ts';
import { type OptionSpecs, pickOptions, resolveOptions } from '../../rules/option-spec.ts';
import {
  type Bounds,
  type CountsShape,
  createEstimand,
  createShareEstimand,
  type Estimand,
} from '../../stats/index.ts';
import { createFileLoader } from '../file-loader.ts';
import { RUN_LENGTH, RUN_POSITION } from '../run-options.ts';
import type { ScenarioLoader } from '../scenario-loader.ts';
import { BATTLE_COUNT, ERROR_RATE } from '../shared-options.ts';
import type { DigestExpectation, Expectation, ValueExpectation } from './check-expectations.ts';
import { attachSnapshot } from './snapshot.ts';

export interface ExpectationSentence {
  readonly quantity: Estimand;
  readonly bounds: Bounds;
  /** Description of the value that is compared with the snapshot; absent if the sentence has bounds. */
  readonly snapshotSubject?: string;
}

/** Ending of sentences and digests that are compared with the snapshot. */
const AS_SNAPSHOT = 'as in the snapshot';

const SNAPSHOT_SENTENCE = new RegExp(`^(?<subject>.*\\S)\\s+${AS_SNAPSHOT.replaceAll(' ', '\\s+')}$`, 'su');

const UNBOUNDED: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const CONDITION =
  /^(?<subject>.*\S)\s+(?:between\s+(?<low>\S+|\S+ %)\s+and\s+(?<high>\S+|\S+ %)|at\s+(?<end>least|most)\s+(?<bound>\S+|\S+ %))$/su;

const SHARE = /^(?<share>[-+.\d]\S*(?: %)?)\s+of\s+(?<metric>\S.*)$/su;

const EXPECTED = `an outcome or a metric, then "between a and b", "at least a", "at most b" or "${AS_SNAPSHOT}"`;

/** Parses a number, and returns whether it is in percent. */
function parseNumberOrPercent(text: string, place: string): { readonly value: number; readonly percent: boolean } {
  const read = findAmount(text, ['%']);
  if (read === undefined) throw new InputError(place, 'a number', describeNumeral(text));
  return { value: read.value, percent: read.unit === '%' };
}

function parseProbability(text: string, place: string): number {
  const { value } = parseNumberOrPercent(text, place);
  if (value >= 0 && value <= 1) return value;
  throw new InputError(place, 'a probability 0..1 or 0%..100%', `"${text}"`);
}

function parseUnits(text: string, place: string): number {
  const { value, percent } = parseNumberOrPercent(text, place);
  if (percent) throw new InputError(place, 'a number in the unit of the metric', `"${text}"`);
  return value;
}

/** Parses the bounds of a condition by `read`. */
function parseBounds(groups: Readonly<Record<string, string | undefined>>, read: (text: string) => number): Bounds {
  const { low, high, end, bound } = groups;
  return [
    end === 'most' ? Number.NEGATIVE_INFINITY : read(low ?? bound ?? ''),
    end === 'least' ? Number.POSITIVE_INFINITY : read(high ?? bound ?? ''),
  ];
}

function checkAscending([low, high]: Bounds, place: string): Bounds {
  if (low <= high) return [low, high];
  throw new InputError(place, 'the lesser bound first', `between ${String(low)} and ${String(high)}`);
}

/** Parses the range of a share. */
function parseRange(groups: Readonly<Record<string, string | undefined>>, place: string): Bounds {
  return checkAscending(
    parseBounds(groups, (written) => parseUnits(written, place)),
    place,
  );
}

/** Creates the estimand of a snapshot: an outcome, a metric, or the share of a metric in a range. */
function createSnapshotEstimand(subject: string, shape: CountsShape, place: string): Estimand {
  const { groups } = CONDITION.exec(subject) ?? {};
  const metric = /^share\s+of\s+(?<metric>\S.*)$/su.exec(groups?.['subject'] ?? '')?.groups?.['metric'];
  if (groups === undefined || metric === undefined) return createEstimand(shape, subject, place);
  return createShareEstimand(shape, metric, parseRange(groups, place), place);
}

/**
 * @param shape counts of the scenario
 * @param place name of the sentence in error messages
 * @throws InputError if the sentence is invalid, or the scenario has no such outcome or metric
 */
export function parseSentence(text: string, shape: CountsShape, place: string): ExpectationSentence {
  const kept = SNAPSHOT_SENTENCE.exec(text.trim())?.groups?.['subject']?.replaceAll(/\s+/gu, ' ');
  if (kept !== undefined)
    return { quantity: createSnapshotEstimand(kept, shape, place), bounds: UNBOUNDED, snapshotSubject: kept };
  const { groups } = CONDITION.exec(text.trim()) ?? {};
  if (groups === undefined) throw new InputError(place, EXPECTED, JSON.stringify(text));
  const { subject = '' } = groups;
  const share = SHARE.exec(subject)?.groups;
  const known = [...shape.outcomes, ...shape.metrics.map(({ name }) => name)];
  if (share !== undefined && !known.includes(subject)) {
    const least = parseProbability(share['share'] ?? '', place);
    return {
      quantity: createShareEstimand(shape, share['metric'] ?? '', parseRange(groups, place), place),
      bounds: [least, 1],
    };
  }
  const quantity = createEstimand(shape, subject, place);
  const read = quantity.kind === 'outcome' ? parseProbability : parseUnits;
  const bounds = parseBounds(groups, (written) => read(written, place));
  return { quantity, bounds: checkAscending(bounds, place) };
}

// Fields of files of expectations.

const EXPECTATIONS_MAX = 1000;

const scenario = z
  .union([z.string().min(1), z.record(z.string(), z.unknown())])
  .meta({ description: 'Scenario: path of its file, relative to this file, or its content.' });

/** Settings of an expectation; an expectation overrides its file. */
const EXPECTATION = {
  seed: { ...RUN_POSITION.seed, fieldAbout: 'Seed of the simulation.' },
  battles: { ...BATTLE_COUNT, fieldAbout: 'Maximum number of battles if the exact answer exceeds the budget.' },
  error: { ...ERROR_RATE, fieldAbout: 'Maximum probability that a result of simulation is wrong.' },
  bounded: {
    ...RUN_LENGTH.bounded,
    default: false,
    fieldAbout: 'True if intervals of means are valid for every distribution in the declared range of the metric.',
  },
} as const satisfies OptionSpecs;

const DIGEST = new RegExp(`^(?:[0-9a-f]{64}|${AS_SNAPSHOT})$`, 'u');

const fields = z.strictObject({
  name: z.string().min(1).max(200).meta({ description: 'Name of the expectation. It must be unique.' }),
  scenario: scenario.optional(),
  set: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'Changed fields of the scenario, by path: { attacker.hp: 25 }.' }),
  expect: z
    .string()
    .min(1)
    .max(400)
    .meta({
      description:
        'An outcome (its probability), a metric (its mean) or a share such as "95% of rounds", ' +
        `then "between a and b", "at least a" or "at most b"; or "attacker ${AS_SNAPSHOT}". Excludes digest.`,
    })
    .optional(),
  digest: z
    .string()
    .regex(DIGEST, `64 hexadecimal digits, or "${AS_SNAPSHOT}"`)
    .meta({
      description:
        'Digest of the run with these battles and this seed, as "warpool run" prints it, ' +
        `or "${AS_SNAPSHOT}". --seed and --battles do not apply to it.`,
    })
    .optional(),
  ...createFieldSchemas(EXPECTATION, true),
});

const expectation = fields.superRefine((entry, context) => {
  const { expect, digest } = entry;
  const both = expect !== undefined && digest !== undefined;
  if (both || (expect === undefined && digest === undefined))
    reject(context, [], 'either expect or digest', both ? 'both' : 'neither');
  for (const name of ['error', 'bounded'] as const)
    if (digest !== undefined && entry[name] !== undefined)
      reject(context, [name], `no ${name}, because a digest is compared exactly`, String(entry[name]));
});

/** Schema of a file of expectations. Its top-level fields are defaults of all expectations. */
export const expectationsFile = z.strictObject({
  scenario: scenario.optional(),
  ...createFilledFieldSchemas(EXPECTATION),
  expectations: z
    .array(expectation)
    .min(1)
    .max(EXPECTATIONS_MAX)
    .meta({ description: 'Expectations of the scenarios.' }),
});

type ExpectationsFile = z.output<typeof expectationsFile>;

/** Returns the JSON Schema (draft 2020-12) of files of expectations, with defaults and descriptions. */
export function expectationsJsonSchema(): JsonSchema {
  const { '~standard': _, ...schema } = z.toJSONSchema(expectationsFile, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (Object.is(zodSchema, expectation)) jsonSchema.oneOf = [{ required: ['expect'] }, { required: ['digest'] }];
    },
  });
  return {
    $id: 'urn:warpool:expectations',
    title: 'Expectations of warpool',
    description: 'Expected outcomes and metrics of scenarios.',
    ...schema,
  };
}

// Resolves the entries of a file of expectations: loads scenarios, applies changes, parses sentences.

type ExpectationEntry = ExpectationsFile['expectations'][number];

/** Request of an expectation. */
type ExpectationRequest =
  | Pick<ValueExpectation, 'kind' | 'expect' | 'quantity' | 'bounds' | 'error' | 'bounded' | 'snapshot'>
  | Pick<DigestExpectation, 'kind' | 'expect' | 'digest' | 'snapshot'>;

function createDigestRequest(digest: string, battles: number, seed: bigint): ExpectationRequest {
  const common = { kind: 'digest', expect: `digest ${digest}` } as const;
  if (digest !== AS_SNAPSHOT) return { ...common, digest };
  return { ...common, snapshot: { of: `digest of ${String(battles)} battles of seed ${String(seed)}` } };
}

function createValueRequest(
  expect: string,
  scenario: Scenario,
  place: string,
  proof: Pick<ValueExpectation, 'error' | 'bounded'>,
): ExpectationRequest {
  const { snapshotSubject, ...sentence } = parseSentence(expect, getBoundScenario(scenario).shape, place);
  const snapshot = snapshotSubject === undefined ? {} : { snapshot: { of: snapshotSubject } };
  return { kind: 'value', expect, ...sentence, ...proof, ...snapshot };
}

async function createExpectation(
  entry: ExpectationEntry,
  e: number,
  file: ExpectationsFile,
  source: DocumentSource,
  scenarios: ScenarioLoader,
) {
  const at: Path = ['expectations', e];
  const given = entry.scenario ?? file.scenario;
  if (given === undefined) throw new InputError(formatPosition(source, [...at, 'scenario']), 'a scenario', 'nothing');
  const original = await scenarios.load(given, entry.scenario === undefined ? ['scenario'] : [...at, 'scenario']);
  const scenario = setFields(original, Object.entries(entry.set), formatPosition(source, [...at, 'set']));
  const { name, expect, digest } = entry;
  const { seed, battles, ...proof } = resolveOptions(EXPECTATION, { ...file, ...pickOptions(EXPECTATION, entry) });
  const sentence: Path = [...at, digest === undefined ? 'expect' : 'digest'];
  const requested =
    digest === undefined
      ? createValueRequest(expect ?? '', scenario, formatPosition(source, sentence), proof)
      : createDigestRequest(digest, battles, seed);
  const expectation: Expectation = {
    name,
    place: source.place(findLocation(source.spot, sentence).spot?.offset ?? 0),
    scenario,
    file: typeof given === 'string' ? given : undefined,
    ...requested,
    seed: String(seed),
    battles,
  };
  return expectation;
}

function checkNames({ expectations }: ExpectationsFile, source: DocumentSource): void {
  const first = new Map<string, number>();
  for (const [e, { name }] of expectations.entries()) {
    const earlier = first.get(name);
    first.set(name, earlier ?? e);
    if (earlier === undefined) continue;
    const found = `"${name}" again (first at ${formatPosition(source, ['expectations', earlier, 'name'])})`;
    throw new InputError(
      formatPosition(source, ['expectations', e, 'name']),
      'a name that no other expectation has',
      found,
    );
  }
}

/** Parses the fields of an entry that its sentence depends on; undefined if one of them is invalid. */
function parseEntry(value: unknown): ExpectationEntry | undefined {
  if (!isMapping(value)) return undefined;
  const { scenario, set, expect, digest } = value;
  const fields = Object.entries({ scenario, set, expect, digest }).filter(([, field]) => field !== undefined);
  const stub = { name: 'unnamed', ...Object.fromEntries(fields) };
  return expectationsFile.safeParse({ expectations: [stub] }).data?.expectations[0];
}

/** Parses a file, and the entries whose sentences can be checked, even if others are invalid. */
function parseEntries({
  value,
}: DocumentSource): readonly [ExpectationsFile, readonly (ExpectationEntry | undefined)[]] {
  const whole = expectationsFile.safeParse(value).data;
  if (whole !== undefined) return [whole, whole.expectations];
  const { scenario, expectations } = isMapping(value) ? value : {};
  const stub = { expectations: [{ name: 'unnamed', digest: AS_SNAPSHOT }] };
  const top = expectationsFile.safeParse({ ...stub, ...(scenario !== undefined && { scenario }) }).data;
  const entries = Array.isArray(expectations) ? expectations.slice(0, EXPECTATIONS_MAX).map(parseEntry) : [];
  if (top !== undefined) return [top, entries];
  return [expectationsFile.parse(stub), entries.map((entry) => (entry?.scenario === undefined ? undefined : entry))];
}

/** Sorts errors in the order of the text, followed by errors in other files. */
function createPositionSorter({ place }: DocumentSource): (errors: InputError[]) => InputError[] {
  const file = place(0).replace(/1:1$/, '');
  const locateError = (error: InputError): readonly [number, number] => {
    const [, line, column] =
      /^(\d+):(\d+)/.exec(error.place.startsWith(file) ? error.place.slice(file.length) : '') ?? [];
    return [Number(line ?? Number.MAX_VALUE), Number(column ?? 0)];
  };
  return (errors) =>
    errors.toSorted((a, b) => {
      const [x, y] = [locateError(a), locateError(b)];
      return x[0] - y[0] || x[1] - y[1];
    });
}

/**
 * Parses the expectations of a file, without the entries of a snapshot.
 * @param path path of the file, which is the base of paths of scenarios
 * @throws InputError if the file or a scenario is invalid
 */
export async function parseExpectations(source: DocumentSource, path: string): Promise<Expectation[]> {
  checkFileKind(source, 'expectations');
  const [file, entries] = parseEntries(source);
  const scenarios = createFileLoader(source, path);
  const locateWhole = (): undefined => {
    checkNames(checkBySchema(expectationsFile, source), source);
  };
  const parts = entries.flatMap((entry, e) =>
    entry === undefined ? [] : [() => createExpectation(entry, e, file, source, scenarios)],
  );
  const [, ...expectations] = await collectInputErrors([locateWhole, ...parts], createPositionSorter(source));
  return expectations;
}

/**
 * Loads the expectations of a YAML or JSON file, with the entries of the snapshot next to it. Paths of scenarios are
 * relative to the folder of the file.
 * @param path path of a regular file; `-` reads the standard input
 * @throws InputError if the file, its snapshot or a scenario is invalid
 */
export async function loadExpectations(path: string, options: ReadOptions = {}): Promise<Expectation[]> {
  return await attachSnapshot(await parseExpectations(await loadSource(path, 'expectations', options), path), path);
}
