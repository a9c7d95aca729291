/** From a file of expectations to what is to be decided: scenarios read, changes made, sentences understood. */
import { dirname, isAbsolute, join } from 'node:path';
import { InputError } from '../errors.ts';
import { withFields } from '../scenario/change.ts';
import { check, checkWith, spotAt } from '../scenario/check.ts';
import type { Source } from '../scenario/document.ts';
import { loadScenario, loadSource, type ReadOptions } from '../scenario/index.ts';
import { checkKind } from '../scenario/kind.ts';
import { type Path, placeName } from '../scenario/problem.ts';
import { together } from '../scenario/together.ts';
import type { Bounds } from '../stats/bounds.ts';
import type { Quantity } from '../stats/quantity.ts';
import { opened } from '../systems/opened.ts';
import type { Scenario } from '../systems/system.ts';
import { type ExpectationsFile, expectationsFile } from './schema.ts';
import { readSentence } from './sentence.ts';

/** Something that should hold of a scenario. */
export interface Expectation {
  readonly name: string;
  /** Where its sentence stands: `balance.yaml:6:13`; `stdin:6:13` of standard input. */
  readonly place: string;
  /** Complete, with its changes. */
  readonly scenario: Scenario;
  /** The file that it is from, as it was written; undefined if it stands in the file of expectations. */
  readonly file: string | undefined;
  /** The sentence. */
  readonly expect: string;
  /** What should be within the bounds, of which one may be infinite. */
  readonly quantity: Quantity;
  readonly bounds: Bounds;
  /** In decimal. */
  readonly seed: string;
  /** How many may be played. */
  readonly battles: number;
  /** With what probability the verdict may be wrong at most. */
  readonly error: number;
  /** Whether the interval of a mean holds for every law in the declared range. */
  readonly bounded: boolean;
}

type Entry = ExpectationsFile['expectations'][number];

/** Reads the scenarios of one file of expectations, each once. */
class Scenarios {
  readonly #source: Source;
  /** The folder that paths start from. */
  readonly #folder: string;
  readonly #read = new Map<string, Promise<Scenario>>();

  constructor(source: Source, folder: string) {
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
function placeOf({ spot, place }: Source, path: Path): string {
  return placeName(path, place(spotAt(spot, path).spot?.offset ?? 0));
}

async function expectationOf(entry: Entry, e: number, file: ExpectationsFile, source: Source, scenarios: Scenarios) {
  const at: Path = ['expectations', e];
  const given = entry.scenario ?? file.scenario;
  if (given === undefined) throw new InputError(placeOf(source, [...at, 'scenario']), 'a scenario', 'nothing');
  const original = await scenarios.at(given, entry.scenario === undefined ? ['scenario'] : [...at, 'scenario']);
  const scenario = withFields(original, Object.entries(entry.set), placeOf(source, [...at, 'set']));
  const shape = opened(scenario).shape;
  const { name, expect, seed = file.seed, battles = file.battles } = entry;
  const { error = file.error, bounded = file.bounded } = entry;
  const expectation: Expectation = {
    name,
    place: source.place(spotAt(source.spot, [...at, 'expect']).spot?.offset ?? 0),
    scenario,
    file: typeof given === 'string' ? given : undefined,
    expect,
    ...readSentence(expect, shape, placeOf(source, [...at, 'expect'])),
    seed: String(seed),
    battles,
    error,
    bounded,
  };
  return expectation;
}

function checkNames({ expectations }: ExpectationsFile, source: Source): void {
  const first = new Map<string, number>();
  for (const [e, { name }] of expectations.entries()) {
    const earlier = first.get(name);
    first.set(name, earlier ?? e);
    if (earlier === undefined) continue;
    const found = `"${name}" again (first at ${placeOf(source, ['expectations', earlier, 'name'])})`;
    throw new InputError(placeOf(source, ['expectations', e, 'name']), 'a name that no other expectation has', found);
  }
}

/**
 * The expectations that the text of a file means, ready to be decided.
 * @param path of the file: paths of scenarios start from its folder
 * @throws InputError, or InputErrors, for whatever is wrong with the file or a scenario that it names
 */
export async function expectationsOf(source: Source, path: string): Promise<Expectation[]> {
  checkKind(source, 'expectations');
  const file = checkWith(expectationsFile, source);
  const scenarios = new Scenarios(source, path === '-' ? '.' : dirname(path));
  const names = (): undefined => {
    checkNames(file, source);
  };
  const entries = file.expectations.map((entry, e) => () => expectationOf(entry, e, file, source, scenarios));
  const [, ...expectations] = await together([names, ...entries]);
  return expectations;
}

/**
 * The expectations of a file in YAML or JSON, ready to be decided. Paths of scenarios start from the file's folder.
 * @param path of a regular file; `-` reads the standard input
 * @throws InputError, or InputErrors, for whatever is wrong with the file or a scenario that it names
 */
export async function loadExpectations(path: string, options: ReadOptions = {}): Promise<Expectation[]> {
  return await expectationsOf(await loadSource(path, 'expectations', options), path);
}
