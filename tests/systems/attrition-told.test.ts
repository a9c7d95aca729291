/** Attrition: the rules that apply in a battle, and their sentences in a replay. */
import { describe, expect, test } from 'vitest';
import type { ScriptEntry } from '../../src/core/chance/scripted-chance.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { toldOf } from './told.ts';

const reported = (input: object, script: readonly ScriptEntry[]): string[] => toldOf(attrition, input, script);

describe('the replay of direct combat', () => {
  test('prints damage, prey and a side that cannot hurt the other', () => {
    const attacker = { name: 'Riders', attack: 1, defense: 1, hp: 30, prey: ['cavalry'] };
    const defender = { name: 'Wagons', attack: null, defense: 1, hp: 20, tags: ['cavalry'] };
    expect(reported({ mode: 'direct', attacker, defender }, [{ excess: [17, 12] }])).toEqual([
      'round: Round 1.',
      'prey: Wagons is prey of Riders: 15 more damage.',
      'direct.blow: Riders deals 20 damage: Wagons 20 -> 0 hp.',
      'direct.harmless: Wagons cannot hurt Riders.',
    ]);
  });
});

describe('the replay of indirect combat', () => {
  const attacker = { name: 'Archers', ranged: 1, defense: 1, hp: 25 };
  const defender = { name: 'Slingers', ranged: 2, defense: 1, hp: 25 };

  test('prints the shot and the return fire', () => {
    expect(reported({ mode: 'indirect', attacker, defender }, [{ excess: [21, 11] }, { excess: [12, 11] }])).toEqual([
      'indirect.shot: Archers deals 10 damage: Slingers 25 -> 15 hp.',
      'indirect.return: Slingers shoots back for 2: Archers 25 -> 23 hp.',
    ]);
  });

  test('prints cover and missing return fire', () => {
    const covered = { mode: 'indirect', attacker, defender, cover: 'forest', returnFire: false };
    expect(reported(covered, [])).toEqual([
      'indirect.covered: Slingers is under cover (forest): the shot of Archers does nothing.',
      'indirect.silent: Slingers does not shoot back.',
    ]);
  });

  test('prints that a shot bypasses cover', () => {
    const shelled = { mode: 'indirect', attacker: { ...attacker, bypassesCover: true }, cover: 'stronghold' };
    const unarmed = { ...defender, ranged: null };
    expect(reported({ ...shelled, defender: unarmed }, [{ excess: [21, 11] }])).toEqual([
      'indirect.bypass: Archers reaches Slingers in spite of cover (stronghold).',
      'indirect.shot: Archers deals 10 damage: Slingers 25 -> 15 hp.',
      'indirect.silent: Slingers does not shoot back.',
    ]);
  });
});

describe('the replay of mass combat', () => {
  test('prints all rolls, then each hit', () => {
    const unit = { defense: 1, hp: 2 };
    const combatants = [
      { ...unit, name: 'Red', party: 'red', attack: 1, prey: ['x'] },
      { ...unit, name: 'Blue', party: 'blue', attack: null, tags: ['x'] },
      { ...unit, name: 'Green', party: 'green', attack: null },
    ];
    const rolls = [10, 11, 12, 16].map((sum) => ({ sum }));
    expect(reported({ mode: 'mass', combatants }, rolls)).toEqual([
      'round: Round 1.',
      'mass.defence: Red defends with 11.',
      'mass.defence: Blue defends with 12.',
      'mass.defence: Green defends with 13.',
      'mass.attack: Red attacks all hostile combatants with 17.',
      'prey: Blue is prey of Red: 15 more damage.',
      'mass.hit: Blue takes 17 (5 / 2 and 15 as prey): 2 -> 0 hp.',
      'mass.hit: Green takes 2 (4 / 2): 2 -> 0 hp.',
      'mass.unarmed: Blue cannot attack.',
      'mass.unarmed: Green cannot attack.',
    ]);
  });
});
