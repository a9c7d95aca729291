/** From a file of expectations to what is to be decided: scenarios read, changes made, sentences understood. */
import { dirname, isAbsolute, join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { opened } from '../../rules/opened.ts';
import { withFields } from '../../rules/scenario/change.ts';
import { check, checkWith, spotAt } from '../../rules/scenario/check.ts';
import { checkKind, type DocumentSource } from '../../rules/scenario/document.ts';
import { loadScenario, loadSource, type ReadOptions, together } from '../../rules/scenario/index.ts';
import { isMapping, type Path, placeName } from '../../rules/scenario/problem.ts';
import type { Scenario } from '../../rules/system.ts';
import type { DigestExpectation, Expectation, ValueExpectation } from './expectation.ts';
import { EXPECTATIONS_MAX, type ExpectationsFile, expectationsFile } from './schema.ts';
import { AS_SNAPSHOT, readSentence } from './sentence.ts';
import { withSnapshot } from './snapshot.ts';

type Entry = ExpectationsFile['expectations'][number];

/** Reads the scenarios of one file of expectations, each once. */
class Scenarios {
  readonly #source: DocumentSource;
  /** The folder that paths start from. */
  readonly #folder: string;
  readonly #read = new Map<string, Promise<Scenario>>();

  constructor(source: DocumentSource, folder: string) {
    this.#source = source;
    this.#folder = folder;
  }

  /** @param path where the value stands, its file or the scenario itself */
  async at(value: string | Readonly<Record<string, unknown>>, path: Path): Promise<Scenario> {
    const { spot } = spotAt(this.#source.spot, path);
    const { place, registry } = this.#source;
    if (typeof value !== 'string') return check({ value, spot, problems: [], place, ...(registry && { registry }) });
    const file = isAbsolute(value) ? value : join(this.#folder, value);
    const known = this.#read.get(file) ?? loadScenario(file, { systems: registry });
    this.#read.set(file, known);
    return await known;
  }
}

/** File, line, column and field. */
function placeOf({ spot, place }: DocumentSource, path: Path): string {
  return placeName(path, place(spotAt(spot, path).spot?.offset ?? 0));
}

/** What is asked of a scenario. */
type Asked =
  | Pick<ValueExpectation, 'kind' | 'expect' | 'quantity' | 'bounds' | 'error' | 'bounded' | 'snapshot'>
  | Pick<DigestExpectation, 'kind' | 'expect' | 'digest' | 'snapshot'>;

function askedDigest(digest: string, battles: number, seed: number): Asked {
  const common = { kind: 'digest', expect: `digest ${digest}` } as const;
  if (digest !== AS_SNAPSHOT) return { ...common, digest };
  return { ...common, snapshot: { of: `digest of ${String(battles)} battles of seed ${String(seed)}` } };
}

function askedValue(
  expect: string,
  scenario: Scenario,
  place: string,
  proof: Pick<ValueExpectation, 'error' | 'bounded'>,
): Asked {
  const { kept, ...sentence } = readSentence(expect, opened(scenario).shape, place);
  const snapshot = kept === undefined ? {} : { snapshot: { of: kept } };
  return { kind: 'value', expect, ...sentence, ...proof, ...snapshot };
}

async function expectationOf(
  entry: Entry,
  e: number,
  file: ExpectationsFile,
  source: DocumentSource,
  scenarios: Scenarios,
) {
  const at: Path = ['expectations', e];
  const given = entry.scenario ?? file.scenario;
  if (given === undefined) throw new InputError(placeOf(source, [...at, 'scenario']), 'a scenario', 'nothing');
  const original = await scenarios.at(given, entry.scenario === undefined ? ['scenario'] : [...at, 'scenario']);
  const scenario = withFields(original, Object.entries(entry.set), placeOf(source, [...at, 'set']));
  const { name, expect, digest, seed = file.seed, battles = file.battles } = entry;
  const { error = file.error, bounded = file.bounded } = entry;
  const sentence: Path = [...at, digest === undefined ? 'expect' : 'digest'];
  const asked =
    digest === undefined
      ? askedValue(expect ?? '', scenario, placeOf(source, sentence), { error, bounded })
      : askedDigest(digest, battles, seed);
  const expectation: Expectation = {
    name,
    place: source.place(spotAt(source.spot, sentence).spot?.offset ?? 0),
    scenario,
    file: typeof given === 'string' ? given : undefined,
    ...asked,
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
    const found = `"${name}" again (first at ${placeOf(source, ['expectations', earlier, 'name'])})`;
    throw new InputError(placeOf(source, ['expectations', e, 'name']), 'a name that no other expectation has', found);
  }
}

/** An entry by the fields that its sentence depends on; undefined if one of them is wrong itself. */
function readableEntry(value: unknown): Entry | undefined {
  if (!isMapping(value)) return undefined;
  const { scenario, set, expect, digest } = value;
  const fields = Object.entries({ scenario, set, expect, digest }).filter(([, field]) => field !== undefined);
  const stub = { name: 'unnamed', ...Object.fromEntries(fields) };
  return expectationsFile.safeParse({ expectations: [stub] }).data?.expectations[0];
}

/** A file and those of its entries whose sentences can be checked, be the rest of it right or wrong. */
function readable({ value }: DocumentSource): readonly [ExpectationsFile, readonly (Entry | undefined)[]] {
  const whole = expectationsFile.safeParse(value).data;
  if (whole !== undefined) return [whole, whole.expectations];
  const { scenario, expectations } = isMapping(value) ? value : {};
  const stub = { expectations: [{ name: 'unnamed', digest: AS_SNAPSHOT }] };
  const top = expectationsFile.safeParse({ ...stub, ...(scenario !== undefined && { scenario }) }).data;
  const entries = Array.isArray(expectations) ? expectations.slice(0, EXPECTATIONS_MAX).map(readableEntry) : [];
  if (top !== undefined) return [top, entries];
  return [expectationsFile.parse(stub), entries.map((entry) => (entry?.scenario === undefined ? undefined : entry))];
}

/** Errors in the order of the text; those of other files after them. */
function byPlace({ place }: DocumentSource): (errors: InputError[]) => InputError[] {
  const file = place(0).replace(/1:1$/, '');
  const at = (error: InputError): readonly [number, number] => {
    const [, line, column] =
      /^(\d+):(\d+)/.exec(error.place.startsWith(file) ? error.place.slice(file.length) : '') ?? [];
    return [Number(line ?? Number.MAX_VALUE), Number(column ?? 0)];
  };
  return (errors) =>
    errors.toSorted((a, b) => {
      const [x, y] = [at(a), at(b)];
      return x[0] - y[0] || x[1] - y[1];
    });
}

/**
 * The expectations that the text of a file means. Those that are compared with a snapshot have none yet.
 * @param path of the file: paths of scenarios start from its folder
 * @throws InputError, or InputErrors, for whatever is wrong with the file or a scenario that it names
 */
export async function expectationsOf(source: DocumentSource, path: string): Promise<Expectation[]> {
  checkKind(source, 'expectations');
  const [file, entries] = readable(source);
  const scenarios = new Scenarios(source, path === '-' ? '.' : dirname(path));
  const whole = (): undefined => {
    checkNames(checkWith(expectationsFile, source), source);
  };
  const parts = entries.flatMap((entry, e) =>
    entry === undefined ? [] : [() => expectationOf(entry, e, file, source, scenarios)],
  );
  const [, ...expectations] = await together([whole, ...parts], byPlace(source));
  return expectations;
}

/**
 * The expectations of a file in YAML or JSON, ready to be decided, with what the snapshot beside it has of them. Paths of
 * scenarios start from the file's folder.
 * @param path of a regular file; `-` reads the standard input
 * @throws InputError, or InputErrors, for whatever is wrong with the file, its snapshot or a scenario that it names
 */
export async function loadExpectations(path: string, options: ReadOptions = {}): Promise<Expectation[]> {
  return await withSnapshot(await expectationsOf(await loadSource(path, 'expectations', options), path), path);
}
