/** Heartbeat of custom rules: not monitored in pages, because users close a page that hangs. */
import type { RulesCallKind } from '../rules-call.ts';

export function beginCall(_kind: RulesCallKind, _whose: string, _round = 0, _phase = 0): void {
  // Not monitored.
}

export function endCall(): void {
  // Not monitored.
}
