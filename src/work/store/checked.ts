/** Checks a manifest against its schema, and whatever in it follows from the sweep that it holds. */

import { rulesOf, scenarioHash } from '../../answers/digest.ts';
import { InputError } from '../../core/errors.ts';
import { openScenario } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { check, checkWith } from '../../rules/scenario/check.ts';
import { describeFound } from '../../rules/scenario/finding.ts';
import { DEPTH_LIMIT } from '../../rules/scenario/syntax.ts';
import type { Scenario } from '../../rules/system.ts';
import { changesBetween } from '../folder/changes.ts';
import { kernelNames } from '../folder/rules.ts';
import { segmentSize, segmentsOf } from '../sweep/segments.ts';
import { openSweep, type Sweep, sweepHash } from '../sweep/sweep.ts';
import { HISTOGRAMS, partName, TABLE } from './files.ts';
import { countsDue } from './parts.ts';
import { type Manifest, manifestSchema, type StoredPart } from './schema.ts';

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Refuses what is nested deeper than any manifest: what reads it goes down level by level. */
export function checkDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_LIMIT + 8) throw new Error(`it has more than ${String(depth)} levels of nesting`);
    level = level.flatMap((inner): unknown[] => (isComposite(inner) ? Object.values(inner) : []));
  }
}

/** Refuses a value that is written otherwise than what it means. */
export function checkWhole(found: unknown, meant: unknown, place: string): void {
  const [change] = changesBetween(meant, found);
  if (change === undefined) return;
  const { path, before = 'nothing', after = 'nothing' } = change;
  throw new InputError(`${place}${path === '' ? '' : `.${path}`}`, before.slice(0, 60), after.slice(0, 60));
}

export function same(place: string, due: unknown, found: unknown): void {
  if (due === found) return;
  throw new InputError(place, `${String(due)}, as the rest of it has it`, describeFound(found));
}

/** Opens the scenario of a store, which must be complete as it stands. */
export function openWhole(found: Scenario, place: string, registry: Registry): void {
  const scenario = check({ value: found, spot: undefined, problems: [], place: () => place, registry });
  checkWhole(found, scenario, place);
  openScenario(found, registry);
}

function checkExtended({ extended, sweep }: Manifest, { battles }: Sweep, path: string): void {
  const steps = [...extended, battles];
  const ascending = steps.every((step, s) => s === 0 || step > (steps[s - 1] ?? 0));
  if (!ascending || (extended.length > 0 && sweep.precision !== undefined))
    throw new InputError(`${path} extended`, `numbers of battles that rise to ${String(battles)}`, steps.join(', '));
}

function checkHashes(manifest: Manifest, sweep: Sweep, path: string): void {
  const { scenarioHash: scenario, sweepHash: whole, segmentSize: size, extended, kernels } = manifest;
  const { spec } = sweep;
  same(`${path} scenarioHash`, scenarioHash(spec.scenario), scenario);
  same(`${path} sweepHash`, sweepHash(spec), whole);
  const [first] = extended;
  const before = first === undefined ? sweep : openSweep({ ...spec, battles: first }, `${path} sweep`);
  same(`${path} segmentSize`, segmentSize(before), size);
  same(`${path} systemHash`, rulesOf(spec.scenario).systemHash, manifest.systemHash);
  const names = kernelNames(sweep).sort().join(', ');
  same(`${path} kernels`, names, Object.keys(kernels).sort().join(', '));
}

/** The order of parts in a manifest: counts before rows, by segment, by battles. */
function inOrder(a: StoredPart, b: StoredPart): boolean {
  const [one, other] = [partName(a.file), partName(b.file)];
  if (one === undefined || other === undefined) return false;
  const kind = (part: StoredPart): number => (part.file.startsWith(TABLE) ? 1 : 0);
  const order = kind(a) - kind(b) || one.segment - other.segment;
  const to = (part: typeof one): number => Number(part.counts?.to ?? 0);
  return order === 0 ? to(one) < to(other) : order < 0;
}

/** Parts have the names of such a sweep, each once; a complete store has a part of rows for each segment. */
function checkParts(manifest: Manifest, sweep: Sweep, path: string): void {
  const { parts = [], complete, extended } = manifest;
  const segments = segmentsOf(sweep, manifest.segmentSize);
  const due = countsDue(manifest, sweep);
  for (const [p, part] of parts.entries()) {
    const place = `${path} parts[${String(p)}].file`;
    const name = partName(part.file);
    const known = name !== undefined && name.segment < segments && (name.counts === undefined || due(name.counts));
    if (!known) throw new InputError(place, 'a part of this sweep', describeFound(part.file));
    const before = parts[p - 1];
    if (before !== undefined && !inOrder(before, part))
      throw new InputError(place, `a part that comes after ${before.file}`, part.file);
    const kept = name.counts !== undefined && extended.includes(Number(name.counts.to));
    if (!complete && !kept) throw new InputError(place, 'a part that was there before the extension', part.file);
  }
  const rows = parts.filter(({ file }) => !file.startsWith(HISTOGRAMS)).length;
  if (complete) same(`${path} parts, those of ${TABLE}/`, segments, rows);
}

/** What is told at the end of a sweep is there at its end, and not before. */
function checkComplete({ complete, extended, cells, rows, digest, parts }: Manifest, path: string): void {
  const told = { cells, rows, digest, ...(extended.length === 0 || complete ? { parts } : {}) };
  for (const [name, value] of Object.entries(told)) {
    if ((value !== undefined) === complete) continue;
    const due = complete ? 'a value, for the sweep is complete' : 'nothing, for the sweep is not complete';
    throw new InputError(`${path} ${name}`, due, describeFound(value));
  }
}

/**
 * The manifest that a value is.
 * @param path     of its file, for messages
 * @param registry in which its system is found
 * @throws InputError or InputErrors for what is not as it must be
 */
export function checkedManifest(value: unknown, path: string, registry: Registry): Manifest {
  checkDepth(value);
  const source = { value, spot: undefined, problems: [], place: () => path };
  const { seal: _seal, ...meant } = checkWith(manifestSchema, source);
  const { seal: _text, ...found } = value as typeof meant & { seal: string };
  checkWhole(found, meant, path);
  const manifest = found as unknown as Manifest;
  openWhole(manifest.sweep.scenario, `${path} sweep.scenario`, registry);
  const sweep = openSweep(manifest.sweep, `${path} sweep`);
  checkComplete(manifest, path);
  checkExtended(manifest, sweep, path);
  checkHashes(manifest, sweep, path);
  checkParts(manifest, sweep, path);
  return manifest;
}
