/** The sampled door with an ear for the rules: it plays the same battle and counts which of them applied. */
import { Sampled } from './sampled.ts';

export class Counting extends Sampled {
  /** How often each rule applied, by id. */
  readonly fired = new Map<string, number>();

  override rule(id: string): void {
    this.fired.set(id, (this.fired.get(id) ?? 0) + 1);
  }
}
