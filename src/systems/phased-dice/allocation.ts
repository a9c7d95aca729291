/** Places hits on the units of one side: a unit takes exactly its hits or none, and none that fits is spared. */
import type { Door } from '../../chance/door.ts';
import { type Army, type Side, type Troop, unitsIn } from './army.ts';
import { type LossesPolicy, lossOrder } from './policies.ts';
import type { UnitClass } from './units.ts';

/** What one side has in a battle. */
export interface Force {
  /** Living units by troop. */
  readonly counts: readonly number[];
  /** Hits taken that no unit could take yet. */
  readonly reserve: number;
}

/** An army with its troops in the order in which the policy of its owner gives them up. */
export interface Host extends Army {
  readonly giveUp: readonly Troop[];
}

export function hostOf(army: Army, losses: LossesPolicy): Host {
  return { ...army, giveUp: lossOrder(losses, army.troops) };
}

export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** "2 knight, 1 dragoon", in the table's order. */
export function roster(troops: readonly Troop[], counts: readonly number[]): string {
  const living = troops.filter(({ index }) => (counts[index] ?? 0) > 0);
  return living.map(({ name, index }) => `${String(counts[index] ?? 0)} ${name}`).join(', ');
}

/** The placing of one pool of hits, while it goes on. */
class Placing {
  readonly #host: Host;
  readonly #door: Door;
  readonly counts: number[];
  readonly fallen: number[];
  left: number;

  constructor(host: Host, { counts, reserve }: Force, hits: number, door: Door) {
    this.#host = host;
    this.#door = door;
    this.counts = [...counts];
    this.fallen = counts.map(() => 0);
    this.left = reserve + hits;
  }

  /** Removes units of a group one at a time until none fits. */
  onto(group: readonly Troop[]): void {
    for (;;) {
      const fitting = group.filter(({ index, hits }) => (this.counts[index] ?? 0) > 0 && hits <= this.left);
      const chosen = this.#choose(fitting);
      if (chosen === undefined) return;
      this.counts[chosen.index] = (this.counts[chosen.index] ?? 0) - 1;
      this.fallen[chosen.index] = (this.fallen[chosen.index] ?? 0) + 1;
      this.left -= chosen.hits;
    }
  }

  #choose(fitting: readonly Troop[]): Troop | undefined {
    if (fitting.length < 2) return fitting[0];
    const { side, giveUp } = this.#host;
    const options = fitting.map(({ name }) => name);
    const policy = (): string => giveUp.find((troop) => fitting.includes(troop))?.name ?? '';
    const name = this.#door.decide('losses', side, options, policy);
    return fitting.find((troop) => troop.name === name);
  }
}

/** Aircraft come first; what is left goes on only when none of them lives. */
function placeFromAir(placing: Placing, { side, byPhase, ground }: Army, door: Door): void {
  const aircraft = byPhase[0] ?? [];
  const shielded = unitsIn(aircraft, placing.counts) > 0;
  if (shielded) door.rule('air.first', () => ({ side: PLAYERS[side] }));
  placing.onto(aircraft);
  if (unitsIn(aircraft, placing.counts) > 0) return;
  if (shielded && placing.left > 0) door.rule('air.through', () => ({ side: PLAYERS[side], hits: placing.left }));
  placing.onto(ground);
}

/**
 * What a side has after it was hit.
 * @param hits  hits of this phase, 1 or more; the reserve is placed along with them
 * @param air   true in the air phase: hits go to aircraft first
 * @param named the class that the enemy has named, if the phase has that
 */
export function allocate(
  host: Host,
  force: Force,
  hits: number,
  air: boolean,
  named: UnitClass | undefined,
  door: Door,
): Force {
  const placing = new Placing(host, force, hits, door);
  if (air) placeFromAir(placing, host, door);
  else {
    placing.onto(host.ground.filter((troop) => troop.class === named));
    placing.onto(host.ground);
  }
  const side = PLAYERS[host.side];
  if (placing.fallen.some((units) => units > 0)) {
    door.rule('losses', () => ({ side, units: roster(host.troops, placing.fallen) }));
  }
  if (placing.left > 0) door.rule('reserve', () => ({ side, hits: placing.left }));
  return { counts: placing.counts, reserve: placing.left };
}
