/** Options of the Compare panel, as stored in links. */

import { TEXT_LIMIT } from '../../../src/report/index.ts';
import { isMapping } from '../../../src/rules/index.ts';
import { createNoteSignal } from '../state.ts';

/** A field and the value typed for it. */
export interface FieldEdit {
  readonly path: string;
  readonly value: string;
}

export interface CompareNote {
  readonly edits: readonly FieldEdit[];
  /** Text of the copy, if it was edited as text. */
  readonly text?: string;
  readonly battles: string;
  /** True if it was started: a link starts it again. */
  readonly begun?: boolean;
}

/** Maximum number of changed fields. */
export const MAX_EDITS = 20;

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

function parseEdits(value: unknown): FieldEdit[] {
  if (!isMapping(value)) return [];
  const { path, value: set } = value;
  return isShort(path) && isShort(set) ? [{ path, value: set }] : [];
}

function parseCompareNote(value: unknown): CompareNote | undefined {
  if (!isMapping(value)) return undefined;
  const { edits, text, battles, begun } = value;
  if (!Array.isArray(edits) || edits.length > MAX_EDITS || !isShort(battles)) return undefined;
  const written = typeof text === 'string' && text.length <= TEXT_LIMIT;
  return { edits: edits.flatMap(parseEdits), battles, ...(written && { text }), ...(begun === true && { begun }) };
}

export const compareNote = createNoteSignal<CompareNote>(
  'compare',
  { edits: [], battles: '200 000' },
  parseCompareNote,
);

export interface StudyNote {
  /** Outcome or metric; empty for the first outcome. */
  readonly of: string;
  readonly battles: string;
  readonly field: string;
  readonly target: string;
  readonly low: string;
  readonly high: string;
  /** True if it was started: a link starts it again. */
  readonly begun: boolean;
}

const EMPTY: StudyNote = { of: '', battles: '50 000', field: '', target: '', low: '', high: '', begun: false };

function parseStudyNote(value: unknown): StudyNote | undefined {
  if (!isMapping(value)) return undefined;
  const text = (name: Exclude<keyof StudyNote, 'begun'>): string => (isShort(value[name]) ? value[name] : EMPTY[name]);
  return {
    of: text('of'),
    battles: text('battles'),
    field: text('field'),
    target: text('target'),
    low: text('low'),
    high: text('high'),
    begun: value['begun'] === true,
  };
}

export const sensitivityNote = createNoteSignal<StudyNote>('compare.steps', EMPTY, parseStudyNote);
export const balanceNote = createNoteSignal<StudyNote>(
  'compare.even',
  { ...EMPTY, battles: '1 000 000' },
  parseStudyNote,
);

/** Maximum number of battles that are simulated when a link is opened: several seconds. */
export const AT_ONCE = 10_000_000;
