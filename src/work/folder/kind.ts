/**
 * Kinds of folders: those of sweeps, whose pieces are segments of cells, and those of runs, whose pieces are ranges of
 * battles. Each has a manifest that says what was asked, by which program, and, once all is there, what came of it.
 */
import { join } from 'node:path';
import type { z } from 'zod';
import { ownRules, RULESET, rulesOf, scenarioHash } from '../../answers/digest.ts';
import { InputError, InputErrors, RunError } from '../../core/errors.ts';
import { version } from '../../core/version.ts';
import { kernelHash } from '../../engines/kernel/kernel.ts';
import { SHIPPED } from '../../rules/index.ts';
import { openScenario } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { check, checkWith } from '../../rules/scenario/check.ts';
import { DEPTH_LIMIT } from '../../rules/scenario/document.ts';
import { describeFound } from '../../rules/scenario/problem.ts';
import type { Scenario } from '../../rules/system.ts';
import { type Change, changesBetween, toldChanges } from './changes.ts';
import { unreadable } from './regular.ts';
import { checkRules, kernelNames } from './rules.ts';
import type { MadeBy } from './schema.ts';
import { putSealed, readSealed, writeSealed } from './sealed.ts';

/** What two kinds of folders differ in. */
interface KindFacts<M extends MadeBy> {
  readonly thing: 'sweep' | 'run';
  /** The name of the manifest's file, and of the folders of parts. */
  readonly file: string;
  readonly folders: readonly string[];
  /** What else may stand beside them. */
  readonly beside: readonly string[];
  /** Bumped when older programs could no longer read such a folder. */
  readonly format: number;
  /** What the manifest is, and which command makes it. */
  readonly what: string;
  readonly madeBy: string;
  readonly schema: z.ZodType<object>;
  /** Where the scenario stands in the manifest. */
  readonly scenarioAt: string;
  scenarioIn(manifest: M): Scenario;
  /** All that makes two of them the same: not their names, nor who plays and when. */
  sameness(manifest: M): object;
  /** How it is told that what is there is not what was asked for. */
  readonly changed: {
    readonly expected: string;
    readonly found: string;
    /** Where what was asked for stands. */
    readonly asked: string;
    readonly help: string;
  };
  /** What is told at the end, and not before: all of it is there if the manifest is complete, else nothing. */
  atEnd(manifest: M): object;
  /** Checks all that follows from what was asked, and is not the same for all kinds. @throws InputError */
  check(manifest: M, path: string): void;
}

/** The beginning of the manifest of what is about to be played. */
export function madeNow(format: number, scenario: Scenario): Omit<MadeBy, 'complete'> {
  return {
    format,
    warpool: version(),
    ruleset: RULESET,
    ...ownRules(rulesOf(scenario)),
    kernels: Object.fromEntries(kernelNames(scenario).map((name) => [name, kernelHash(name)])),
    scenarioHash: scenarioHash(scenario),
  };
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Refuses what is nested deeper than any manifest: what reads it goes down level by level. */
function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_LIMIT + 8) throw new Error(`it has more than ${String(depth)} levels of nesting`);
    level = level.flatMap((inner): unknown[] => (isComposite(inner) ? Object.values(inner) : []));
  }
}

/** Refuses a value that is written otherwise than what it means. */
function checkWhole(found: unknown, meant: unknown, place: string): void {
  const [change] = changesBetween(meant, found);
  if (change === undefined) return;
  const { path, before = 'nothing', after = 'nothing' } = change;
  throw new InputError(`${place}${path === '' ? '' : `.${path}`}`, before.slice(0, 60), after.slice(0, 60));
}

/** Refuses a value that is not the one that follows from others. */
export function same(place: string, due: unknown, found: unknown): void {
  if (due === found) return;
  throw new InputError(place, `${String(due)}, as the rest of it has it`, describeFound(found));
}

/** Opens a scenario, which must be complete as it stands. */
function openWhole(found: Scenario, place: string, registry: Registry): void {
  const scenario = check({ value: found, spot: undefined, problems: [], place: () => place, registry });
  checkWhole(found, scenario, place);
  openScenario(found, registry);
}

function checkMade({ scenarioHash: hash, systemHash, kernels }: MadeBy, scenario: Scenario, path: string): void {
  same(`${path} scenarioHash`, scenarioHash(scenario), hash);
  same(`${path} systemHash`, rulesOf(scenario).systemHash, systemHash);
  same(`${path} kernels`, kernelNames(scenario).sort().join(', '), Object.keys(kernels).sort().join(', '));
}

export class Kind<M extends MadeBy> {
  readonly thing: 'sweep' | 'run';
  readonly file: string;
  readonly folders: readonly string[];
  readonly beside: readonly string[];
  readonly #facts: KindFacts<M>;

  constructor(facts: KindFacts<M>) {
    this.thing = facts.thing;
    this.file = facts.file;
    this.folders = facts.folders;
    this.beside = facts.beside;
    this.#facts = facts;
  }

  /** @throws RunError if it cannot be written */
  async write(folder: string, manifest: M): Promise<void> {
    await writeSealed(folder, this.file, manifest);
  }

  /** Writes it unless there is one. @throws RunError if it cannot be written */
  async put(folder: string, manifest: M): Promise<void> {
    await putSealed(folder, this.file, manifest);
  }

  /**
   * The manifest in a folder, checked: its seal, its form, and all that follows from what was asked.
   * @param registry in which its system is found
   * @returns undefined if there is none
   * @throws InputError if it is of another version, or was made with other rules
   * @throws RunError if it is damaged or contradicts itself; the message tells where
   */
  async find(folder: string, registry: Registry = SHIPPED): Promise<M | undefined> {
    if (typeof (folder as unknown) !== 'string') throw new InputError('folder', 'a path', describeFound(folder));
    const path = join(folder, this.file);
    const found = await readSealed(folder, this.file, this.#facts);
    if (found === undefined) return undefined;
    checkRules(found, this.#facts.scenarioAt, path, registry);
    try {
      return this.#checked(found, path, registry);
    } catch (error) {
      const told = error instanceof InputError || error instanceof InputErrors;
      throw told ? new RunError(error.message, { cause: error }) : unreadable(path, error);
    }
  }

  /** The same. @throws InputError if the folder has none, too */
  async read(folder: string, registry: Registry = SHIPPED): Promise<M> {
    const manifest = await this.find(folder, registry);
    if (manifest !== undefined) return manifest;
    throw new InputError(folder, `a folder that ${this.#facts.madeBy} has made`, `no ${this.file} in it`);
  }

  scenarioIn(manifest: M): Scenario {
    return this.#facts.scenarioIn(manifest);
  }

  /** What differs between two of them, as far as it makes them others. */
  changes(there: M, asked: M): Change[] {
    return changesBetween(this.#facts.sameness(there), this.#facts.sameness(asked));
  }

  /** @param asked where what was asked for stands @throws InputError that tells the changes, if there are any */
  refuseChanged(folder: string, changes: readonly Change[], asked: string = this.#facts.changed.asked): void {
    if (changes.length === 0) return;
    const { expected, found, help } = this.#facts.changed;
    throw new InputError(folder, expected, `${found}:\n${toldChanges(changes, asked)}${help}`);
  }

  #checked(value: Readonly<Record<string, unknown>>, path: string, registry: Registry): M {
    checkDepth(value);
    const source = { value, spot: undefined, problems: [], place: () => path };
    const { seal: _seal, ...meant } = checkWith(this.#facts.schema, source) as Record<string, unknown>;
    const { seal: _text, ...found } = value;
    checkWhole(found, meant, path);
    const manifest = found as unknown as M;
    const scenario = this.scenarioIn(manifest);
    openWhole(scenario, `${path} ${this.#facts.scenarioAt}`, registry);
    this.#checkComplete(manifest, path);
    checkMade(manifest, scenario, path);
    this.#facts.check(manifest, path);
    return manifest;
  }

  #checkComplete(manifest: M, path: string): void {
    for (const [name, value] of Object.entries(this.#facts.atEnd(manifest))) {
      if ((value !== undefined) === manifest.complete) continue;
      const due = manifest.complete ? 'a value, for the' : 'nothing, for the';
      const is = manifest.complete ? 'is complete' : 'is not complete';
      throw new InputError(`${path} ${name}`, `${due} ${this.thing} ${is}`, describeFound(value));
    }
  }
}
