/** The sides of a scenario, as they are shown. */
import { opened } from '../rules/opened.ts';
import type { Scenario } from '../rules/system.ts';

export interface ShownSide {
  readonly id: string;
  readonly name: string;
  /** 0 is the attacker's colour, 1 the defender's, from 2 on those of further players. */
  readonly tone: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});

function idsOf(scenario: Scenario): string[] {
  const fields: Fields = { ...scenario };
  if ('attacker' in fields && 'defender' in fields) return ['attacker', 'defender'];
  const { combatants, players } = fields;
  if (Array.isArray(combatants))
    return [...new Set(combatants.map((each) => String(fieldsIn(each)['party'] ?? fieldsIn(each)['name'])))];
  if (isFields(players)) return Object.keys(players);
  return opened(scenario).shape.outcomes.filter((name) => name in fields);
}

export function sidesOf(scenario: Scenario): readonly ShownSide[] {
  const fields: Fields = { ...scenario };
  return idsOf(scenario).map((id, tone) => {
    const name = fieldsIn(fields[id])['name'];
    return { id, name: typeof name === 'string' ? name : id, tone };
  });
}

/** The side whose id is a part of a name: `attacker`, `hp.attacker`, `attacker.units.tank`. */
export function sideIn(name: string, sides: readonly ShownSide[]): ShownSide | undefined {
  const parts = name.split('.');
  return sides.find(({ id }) => id === name || parts.includes(id));
}
