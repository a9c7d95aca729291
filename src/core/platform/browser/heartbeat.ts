/** The pulse of rules of one's own: in a page nobody watches it, and a page that hangs is closed. */
import type { RulesCallKind } from '../rules-call.ts';

export function beginCall(_kind: RulesCallKind, _whose: string, _round = 0, _phase = 0): void {
  // Nobody watches.
}

export function endCall(): void {
  // Nobody watches.
}
