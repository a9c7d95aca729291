/** The pulse of rules of one's own: in a page nobody watches it, and a page that hangs is closed. */
import type { CallKind } from '../calls.ts';

export function enter(_kind: CallKind, _whose: string, _round = 0, _phase = 0): void {
  // Nobody watches.
}

export function leave(): void {
  // Nobody watches.
}
