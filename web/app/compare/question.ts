/** What is asked of a changed copy, as links hold it. */

import { isMapping } from '../../../src/rules/index.ts';
import { TEXT_LIMIT } from '../../../src/tell/index.ts';
import { asked } from '../state.ts';

/** A field and what was typed for it. */
export interface Edit {
  readonly path: string;
  readonly value: string;
}

export interface CompareNote {
  readonly edits: readonly Edit[];
  /** The copy as text, if it was edited as one. */
  readonly text?: string;
  readonly battles: string;
  /** It was begun: who opens the link sees what comes of it. */
  readonly begun?: boolean;
}

/** Fields that are changed at once. */
export const EDITS_MAX = 20;

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 300;

function editOf(value: unknown): Edit[] {
  if (!isMapping(value)) return [];
  const { path, value: set } = value;
  return isShort(path) && isShort(set) ? [{ path, value: set }] : [];
}

function noteOf(value: unknown): CompareNote | undefined {
  if (!isMapping(value)) return undefined;
  const { edits, text, battles, begun } = value;
  if (!Array.isArray(edits) || edits.length > EDITS_MAX || !isShort(battles)) return undefined;
  const written = typeof text === 'string' && text.length <= TEXT_LIMIT;
  return { edits: edits.flatMap(editOf), battles, ...(written && { text }), ...(begun === true && { begun }) };
}

export const note = asked<CompareNote>('compare', { edits: [], battles: '200 000' }, noteOf);

export interface StudyNote {
  /** An outcome or metric; the first outcome unless named. */
  readonly of: string;
  readonly battles: string;
  readonly field: string;
  readonly target: string;
  readonly low: string;
  readonly high: string;
  /** It was begun: who opens the link sees what comes of it. */
  readonly begun: boolean;
}

const EMPTY: StudyNote = { of: '', battles: '50 000', field: '', target: '', low: '', high: '', begun: false };

function studyOf(value: unknown): StudyNote | undefined {
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

export const steps = asked<StudyNote>('compare.steps', EMPTY, studyOf);
export const even = asked<StudyNote>('compare.even', { ...EMPTY, battles: '1 000 000' }, studyOf);

/** Battles that are played because a link was opened: some seconds. */
export const AT_ONCE = 10_000_000;
