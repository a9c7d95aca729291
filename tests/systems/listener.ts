/** Scripted chance that records the decisions of players and the rules that applied. */
import { ScriptedChance } from '../../src/core/chance/scripted-chance.ts';

export class Listener extends ScriptedChance {
  /** Decisions such as "attacker target [artillery infantry] infantry": player, point, options, choice. */
  readonly requested: string[] = [];
  readonly reported: string[] = [];

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    const choice = super.decide(point, who, options, policy);
    this.requested.push(`${who} ${point} [${options.join(' ')}] ${String(choice)}`);
    return choice;
  }

  override rule(id: string): void {
    this.reported.push(id);
  }
}
