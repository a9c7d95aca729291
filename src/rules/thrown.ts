/** What code of a user has thrown, as people read it: it may be anything, and asking it may throw again. */
import { RulesError } from '../core/errors.ts';

/** The stack of an error; empty if there is none. */
export function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** What is no error, in a few words. */
function thrownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The name and message of an error, or what was thrown in its place. Never throws. */
export function thrownText(error: unknown): string {
  try {
    if (error instanceof RulesError) return error.message;
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    return `${thrownValue(error)} was thrown, which is no Error and has no line`;
  } catch {
    return 'an error that throws when it is read';
  }
}

/** The message of an error, or what was thrown in its place. Never throws. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message;
  } catch {
    return thrownText(error);
  }
  return typeof error === 'string' ? error : thrownText(error);
}

/** A line of a stack that is of a file, not of Node: `file:///duel.js:3:7`. */
const FRAME = /(?:file:\/\/|(?<![\w:/]))(\/[^\s()]+:\d+(?::\d+)?|[A-Za-z]:\\[^\s()]+:\d+(?::\d+)?)\)?$/;

const OWN_FILES = /\/dist\/(?:library|program|threads|src)\//;

/** The first line of a stack that is of the author; of a package only if there is no other. */
export function frameOf(error: unknown): string | undefined {
  const lines = stackOf(error)
    .split('\n')
    .filter((line) => !OWN_FILES.test(line));
  const places = lines.flatMap((line) => FRAME.exec(line.trim())?.[1] ?? []);
  return places.find((place) => !place.includes('/node_modules/')) ?? places[0];
}

/** What was thrown, with the line of its author if there is one. */
export function thrownAt(error: unknown): string {
  const place = frameOf(error);
  return `${thrownText(error)}${place === undefined ? '' : ` (${place})`}`;
}
