/** A scripted chance that writes down what the rules asked of players, and which of them applied. */
import { ScriptedChance } from '../../src/core/chance/scripted-chance.ts';

export class Listener extends ScriptedChance {
  /** "attacker target [artillery infantry] infantry": who, point, options, choice. */
  readonly asked: string[] = [];
  readonly told: string[] = [];

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, who, options, policy);
    this.asked.push(`${who} ${point} [${options.join(' ')}] ${String(choice)}`);
    return choice;
  }

  override rule(id: string): void {
    this.told.push(id);
  }
}
