/**
 * Manifests of folders: of sweeps, whose pieces are segments of cells, and of runs, whose pieces are ranges of battles.
 * Each has the request, the program, and, once complete, a summary of the results; a checksum reveals damage.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { describeFound, formatRange, InputError, RunError, version } from '../../core/index.ts';
import { writeDurably, writeDurablyIfAbsent } from '../../core/node.ts';
import { computeKernelHash } from '../../engines/index.ts';
import {
  addGamesOf,
  bindScenario,
  checkBySchema,
  checkScenario,
  DEPTH_LIMIT,
  formatPath,
  isMapping,
  isPackageGame,
  type Path,
  type Scenario,
  SHIPPED_REGISTRY,
  type SystemRegistry,
  toPortable,
} from '../../rules/index.ts';
import { hashScenario, identifyRules, pickModuleFields, RULESET } from '../../stats/index.ts';
import { createReadError, PART_MAX, readBytes, type StoredPart, withFile } from './files.ts';

export interface ManifestChange {
  /** `axes[0].values`, or empty for the whole value. */
  readonly path: string;
  /** JSON text; undefined if the value is missing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function listKeys(before: unknown, after: unknown): (string | number)[] | undefined {
  if (isMapping(before) && isMapping(after)) return [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lists = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  return lists ? [...before.keys()] : undefined;
}

const getChild = (value: unknown, step: string | number): unknown => (value as Record<string | number, unknown>)[step];

/** Lists the smallest parts that differ, in the order of `before`. */
export function listChanges(before: unknown, after: unknown, path: Path = []): ManifestChange[] {
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)] as (string | undefined)[];
  if (was === is) return [];
  const steps = listKeys(before, after);
  if (steps === undefined) return [{ path: formatPath(path), before: was, after: is }];
  return steps.flatMap((step) => listChanges(getChild(before, step), getChild(after, step), [...path, step]));
}

/** Maximum number of changes in a message. */
const SHOWN_CHANGES_MAX = 8;

/** Formats changes for a message. @param requested name of the source of the new values */
function formatChanges(changes: readonly ManifestChange[], requested: string): string {
  const shown = changes.slice(0, SHOWN_CHANGES_MAX).map(({ path, before = 'nothing', after = 'nothing' }) => {
    const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
    return `  ${path}: ${cut(before)} in the store, ${cut(after)} ${requested}`;
  });
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`  and ${String(more)} more`] : [])].join('\n');
}

/** Lists the kernels that can simulate a scenario, or the cells of its sweep. */
export function listKernelNames({ system }: Scenario): string[] {
  const shipped = SHIPPED_REGISTRY.find(system);
  if (shipped === undefined) return ['automaton', 'rounds'];
  return [shipped.id, 'automaton', ...(shipped.compiles === undefined ? [] : ['rounds'])];
}

/**
 * Rejects a system that threads cannot load and a store cannot identify.
 * @throws InputError if the system was passed as an object
 */
export function checkStorable(scenario: Scenario, what: 'the' | 'the sweep’s'): void {
  if (toPortable(scenario) !== undefined) return;
  const expected = 'a system from a file: option systems with loadSystems';
  throw new InputError(`${what} scenario system`, expected, `"${scenario.system}", given as an object`);
}

/** Describes the available rules of a system, which differ from those of the store. */
function describeAvailableRules(system: string, registry: SystemRegistry): string {
  const module = registry.moduleOf(system);
  if (module === undefined)
    return SHIPPED_REGISTRY.find(system) === undefined ? 'a system given as an object' : 'the shipped system';
  if (isPackageGame(registry, system))
    return `hash ${module.hash} of the package; option systems names a custom module`;
  return `hash ${module.hash} of ${module.url}: different rules, which need a new store`;
}

/**
 * Checks that the rules of a store are available.
 * @param at path of its scenario in the manifest: `sweep.scenario`
 * @param path of the manifest, for messages
 * @throws InputError if they are not
 */
function checkRules(
  found: Readonly<Record<string, unknown>>,
  at: string,
  path: string,
  registry: SystemRegistry,
): void {
  const checkMember = (value: unknown, name: string): unknown => (isMapping(value) ? value[name] : undefined);
  const system = `${at}.system`.split('.').reduce<unknown>(checkMember, found);
  const hash = found['systemHash'];
  // The schema rejects anything that is not a manifest.
  if (typeof system !== 'string' || (hash !== undefined && typeof hash !== 'string')) return;
  if (registry.find(system) === undefined) {
    if (hash === undefined) return;
    const expected = `the file of its system "${system}": option systems`;
    throw new InputError(path, expected, `only ${registry.names.join(', ')}`);
  }
  if (registry.moduleOf(system)?.hash === hash) return;
  const due = hash === undefined ? `the shipped system "${system}"` : `the system "${system}" with hash ${hash}`;
  throw new InputError(path, `${due}, as when it was created`, describeAvailableRules(system, registry));
}

/** Maximum number of files, limited by the size of the manifest. */
const PARTS_MAX = 200_000;

/** A hash, in hexadecimal digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits');

/** Program, kernels and rules of a result: the first fields of all manifests. */
export const PROVENANCE_SCHEMA = {
  warpool: z
    .string()
    .max(60)
    .regex(/^(\d+\.\d+\.\d+([-+][\w.+-]+)?|unknown)$/, 'the version of a package'),
  ruleset: z.literal(RULESET),
  systemHash: sha256.optional(),
  systemPackage: z.string().max(300).optional(),
  kernels: z.record(z.string(), sha256),
  scenarioHash: sha256,
} as const;

const part = z.strictObject({ file: z.string().max(100), bytes: z.int().min(1).max(PART_MAX), sha256 });

/** Last fields of all manifests. */
export const CHECKSUM_SCHEMA = { parts: z.array(part).max(PARTS_MAX).optional(), seal: sha256 } as const;

/** Common fields of all manifests. */
export interface ManifestBase {
  readonly format: number;
  /** Version of warpool that created it. */
  readonly warpool: string;
  readonly ruleset: string;
  /** SHA-256 of the module of the system; undefined for shipped systems. */
  readonly systemHash?: string;
  /** Package of the module. */
  readonly systemPackage?: string;
  /** SHA-256 of all kernels that may have simulated results. */
  readonly kernels: Readonly<Record<string, string>>;
  readonly scenarioHash: string;
  readonly complete: boolean;
  /** All parts in order, once it is complete. */
  readonly parts?: readonly StoredPart[];
}

/** Maximum bytes of such a file: a manifest of ten thousand segments that were extended ten times. */
export const CHECKSUMMED_BYTES_MAX: number = 2 ** 25;

/** Formats an object for its file, with its checksum: the SHA-256 of the rest. */
export function formatWithChecksum(content: object): string {
  const checksum = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${JSON.stringify({ ...content, seal: checksum }, undefined, 2)}\n`;
}

function formatChecked(path: string, content: object): string {
  const text = formatWithChecksum(content);
  if (Buffer.byteLength(text) <= CHECKSUMMED_BYTES_MAX) return text;
  throw new RunError(`${path} would have more than ${String(CHECKSUMMED_BYTES_MAX)} bytes: too many parts`);
}

/** @throws RunError if it cannot be written */
async function writeWithChecksum(folder: string, file: string, content: object): Promise<void> {
  const path = join(folder, file);
  await writeDurably(path, formatChecked(path, content));
}

/** Writes the file unless it exists. @throws RunError if it cannot be written */
async function putWithChecksum(folder: string, file: string, content: object): Promise<void> {
  const path = join(folder, file);
  await writeDurablyIfAbsent(path, formatChecked(path, content));
}

/** Returns the bytes of such a file; undefined if it does not exist. */
async function readFileBytes(folder: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await withFile(folder, name, CHECKSUMMED_BYTES_MAX, (file) => readBytes(file, 0, file.size));
  } catch (error) {
    const cause = error instanceof RunError ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw createReadError(path, error);
  }
}

function parseObject(text: string, path: string, what: string): Readonly<Record<string, unknown>> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    const remedy = 'create the same store in another folder and copy the file from it';
    throw new RunError(`${path} cannot be read: it is not JSON (truncated?); ${remedy}`);
  }
  if (isMapping(found) && 'format' in found) return found;
  throw new InputError(path, what, 'other JSON');
}

/** Rejects another version before any other check. */
function checkVersion(found: Readonly<Record<string, unknown>>, expected: number, path: string): void {
  const { format, ruleset, warpool } = found;
  const formatReported = (value: unknown): string =>
    ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 40);
  if (format !== expected)
    throw new InputError(
      path,
      `format ${String(expected)}`,
      `${formatReported(format)}, of another version of warpool`,
    );
  if (ruleset === RULESET) return;
  const other = `ruleset ${formatReported(ruleset)}, of warpool ${formatReported(warpool)}, which gives other results`;
  throw new InputError(path, `ruleset ${RULESET}`, other);
}

/** Rejects a text that differs in any byte from the output of `formatWithChecksum`. */
function verifyChecksum({ seal: _seal, ...content }: Readonly<Record<string, unknown>>, text: string): void {
  if (formatWithChecksum(content) === text) return;
  throw new Error('its checksum does not match its contents: it was damaged or changed');
}

/**
 * Parses a file with a checksum; its form is not checked.
 * @throws InputError if it has another version
 * @throws RunError if it is damaged
 */
function parseWithChecksum(
  bytes: Uint8Array,
  path: string,
  { what, format }: Pick<FolderKindOptions<ManifestBase>, 'what' | 'format'>,
): Readonly<Record<string, unknown>> {
  const text = decodeText(bytes, path);
  const found = parseObject(text, path, what);
  checkVersion(found, format, path);
  try {
    verifyChecksum(found, text);
  } catch (error) {
    throw createReadError(path, error);
  }
  return found;
}

/** Manifest of runs by earlier versions, before runs became sweeps of one cell. */
const EARLIER_RUN = 'run.json';

/** @throws InputError if a folder has a run of an earlier version */
async function rejectEarlierRun(folder: string): Promise<void> {
  const path = join(folder, EARLIER_RUN);
  const bytes = await readFileBytes(folder, EARLIER_RUN);
  if (bytes === undefined) return;
  const { warpool } = parseObject(decodeText(bytes, path), path, 'the manifest of a run');
  const found = `a run of warpool ${String(warpool).slice(0, 40)}, which can read it`;
  throw new InputError(path, 'a folder written by this version of warpool', found);
}

/** Definition of a kind of folder. */
interface FolderKindOptions<M extends ManifestBase> {
  thingOf(manifest: M): 'sweep' | 'run';
  /** Name of the manifest's file, and of the folders of parts. */
  readonly file: string;
  readonly folders: readonly string[];
  /** Names of other files that the folder may contain. */
  readonly otherFiles: readonly string[];
  /** Increased when older programs can no longer read such a folder. */
  readonly format: number;
  /** Description of the manifest, and the command that creates it. */
  readonly what: string;
  readonly command: string;
  readonly schema: z.ZodType<object>;
  /** Path of the scenario in the manifest. */
  readonly scenarioPath: string;
  getScenario(manifest: M): Scenario;
  /** Everything that identifies the work: not names, the engine or the time. */
  getIdentity(manifest: M): object;
  /** Texts of the error for a folder with different work. */
  changeTexts(manifest: M): {
    readonly expected: string;
    readonly found: string;
    /** Name of the source of the requested values. */
    readonly requested: string;
    readonly help: string;
  };
  /** Fields that a complete manifest must have, and an incomplete one must not have. */
  getCompletion(manifest: M): object;
  /** Runs the checks of this kind of folder. @throws InputError */
  check(manifest: M, path: string): void;
}

/** Creates the first fields of the manifest of new work. */
export function createManifestBase(format: number, scenario: Scenario): Omit<ManifestBase, 'complete'> {
  return {
    format,
    warpool: version(),
    ruleset: RULESET,
    ...pickModuleFields(identifyRules(scenario)),
    kernels: Object.fromEntries(listKernelNames(scenario).map((name) => [name, computeKernelHash(name)])),
    scenarioHash: hashScenario(scenario),
  };
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Rejects deeper nesting than any manifest has: later code recurses level by level. */
function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_LIMIT + 8) throw new Error(`it has more than ${String(depth)} levels of nesting`);
    level = level.flatMap((inner): unknown[] => (isComposite(inner) ? Object.values(inner) : []));
  }
}

/** Rejects a value that is not in its complete form, with all defaults. */
function checkCompleteForm(found: unknown, meant: unknown, place: string): void {
  const [change] = listChanges(meant, found);
  if (change === undefined) return;
  const { path, before = 'nothing', after = 'nothing' } = change;
  throw new InputError(`${place}${path === '' ? '' : `.${path}`}`, before.slice(0, 60), after.slice(0, 60));
}

/** Rejects a value that does not follow from the other fields. */
export function checkEqual(place: string, due: unknown, found: unknown): void {
  if (due === found) return;
  throw new InputError(place, `${String(due)}, to match the rest`, describeFound(found));
}

/** Rejects a number outside the range that follows from the other fields. */
export function checkWithin(place: string, [least, most]: readonly [least: number, most: number], found: number): void {
  if (found >= least && found <= most) return;
  throw new InputError(place, `${formatRange(least, most)}, to match the rest`, String(found));
}

/** Opens a scenario, which must be complete. */
function openCompleteScenario(found: Scenario, place: string, registry: SystemRegistry): void {
  const scenario = checkScenario({ value: found, spot: undefined, problems: [], place: () => place, registry });
  checkCompleteForm(found, scenario, place);
  bindScenario(found, registry);
}

function checkProvenance(
  { scenarioHash: hash, systemHash, kernels }: ManifestBase,
  scenario: Scenario,
  path: string,
): void {
  checkEqual(`${path} scenarioHash`, hashScenario(scenario), hash);
  checkEqual(`${path} systemHash`, identifyRules(scenario).systemHash, systemHash);
  checkEqual(`${path} kernels`, listKernelNames(scenario).sort().join(', '), Object.keys(kernels).sort().join(', '));
}

export class FolderKind<M extends ManifestBase> {
  readonly file: string;
  readonly folders: readonly string[];
  readonly otherFiles: readonly string[];
  readonly #facts: FolderKindOptions<M>;

  constructor(facts: FolderKindOptions<M>) {
    this.file = facts.file;
    this.folders = facts.folders;
    this.otherFiles = facts.otherFiles;
    this.#facts = facts;
  }

  /** @throws RunError if it cannot be written */
  async write(folder: string, manifest: M): Promise<void> {
    await writeWithChecksum(folder, this.file, manifest);
  }

  thingOf(manifest: M): 'sweep' | 'run' {
    return this.#facts.thingOf(manifest);
  }

  /** Writes the manifest unless one exists. @throws RunError if it cannot be written */
  async put(folder: string, manifest: M): Promise<void> {
    await putWithChecksum(folder, this.file, manifest);
  }

  /**
   * Reads and checks the manifest of a folder: checksum, form, and consistency.
   * @param registry with its system
   * @returns undefined if there is no manifest
   * @throws InputError if it has another version or other rules
   * @throws RunError if it is damaged or inconsistent
   */
  async find(folder: string, registry: SystemRegistry = SHIPPED_REGISTRY): Promise<M | undefined> {
    if (typeof (folder as unknown) !== 'string') throw new InputError('folder', 'a path', describeFound(folder));
    const bytes = await readFileBytes(folder, this.file);
    if (bytes !== undefined) return await this.parse(bytes, join(folder, this.file), registry);
    await rejectEarlierRun(folder);
    return undefined;
  }

  /** Parses and checks the bytes of a manifest. @param path its name in messages */
  async parse(bytes: Uint8Array, path: string, known: SystemRegistry): Promise<M> {
    const found = parseWithChecksum(bytes, path, this.#facts);
    const registry = await addGamesOf(known, found);
    checkRules(found, this.#facts.scenarioPath, path, registry);
    try {
      return this.#checkManifest(found, path, registry);
    } catch (error) {
      const reported = error instanceof InputError;
      throw reported ? new RunError(error.message, { cause: error }) : createReadError(path, error);
    }
  }

  /**
   * Reads the manifest of a folder like `find`. @param advice for a missing manifest @throws InputError also if there
   * is none
   */
  async read(folder: string, registry: SystemRegistry = SHIPPED_REGISTRY, advice = ''): Promise<M> {
    const manifest = await this.find(folder, registry);
    if (manifest !== undefined) return manifest;
    throw new InputError(folder, `a folder written by ${this.#facts.command}`, `no ${this.file} in it${advice}`);
  }

  getScenario(manifest: M): Scenario {
    return this.#facts.getScenario(manifest);
  }

  /** Lists the changes between two manifests that make them different work. */
  changes(there: M, requested: M): ManifestChange[] {
    return listChanges(this.#facts.getIdentity(there), this.#facts.getIdentity(requested));
  }

  /** @param due the requested work @throws InputError with the changes, if there are any */
  rejectChanges(folder: string, changes: readonly ManifestChange[], due: M): void {
    if (changes.length === 0) return;
    const { expected, found, help, requested } = this.#facts.changeTexts(due);
    throw new InputError(folder, expected, `${found}:\n${formatChanges(changes, requested)}${help}`);
  }

  #checkManifest(value: Readonly<Record<string, unknown>>, path: string, registry: SystemRegistry): M {
    checkDepth(value);
    const source = { value, spot: undefined, problems: [], place: () => path };
    const { seal: _seal, ...meant } = checkBySchema(this.#facts.schema, source) as Record<string, unknown>;
    const { seal: _text, ...found } = value;
    checkCompleteForm(found, meant, path);
    const manifest = found as unknown as M;
    const scenario = this.getScenario(manifest);
    openCompleteScenario(scenario, `${path} ${this.#facts.scenarioPath}`, registry);
    this.#checkComplete(manifest, path);
    checkProvenance(manifest, scenario, path);
    this.#facts.check(manifest, path);
    return manifest;
  }

  #checkComplete(manifest: M, path: string): void {
    for (const [name, value] of Object.entries(this.#facts.getCompletion(manifest))) {
      if ((value !== undefined) === manifest.complete) continue;
      const due = manifest.complete ? 'a value, because the' : 'nothing, because the';
      const is = manifest.complete ? 'is complete' : 'is not complete';
      throw new InputError(`${path} ${name}`, `${due} ${this.thingOf(manifest)} ${is}`, describeFound(value));
    }
  }
}
