import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { parseCondition } from '../../src/storage/sweep/condition.ts';

const CELL: Readonly<Record<string, unknown>> = {
  'attacker.hp': 30,
  'defender.hp': 20,
  'attacker.units.mechanized-infantry': 2,
  'list[0].x': 7,
  skill: -1,
  site: 'open',
  wall: true,
  ranged: null,
};

const holds = (text: string): boolean =>
  parseCondition(text, 'sweep.yaml where', (name) => name in CELL)((name) => CELL[name]);

describe('a condition', () => {
  test.each([
    ['attacker.hp >= defender.hp', true],
    ['attacker.hp < defender.hp', false],
    ['attacker.hp + defender.hp <= 50', true],
    ['attacker.hp - defender.hp > 10', false],
    ['attacker.hp - 5 - 5 = 20', true],
    ['2 + 3 * 4 = 14', true],
    ['(2 + 3) * 4 = 20', true],
    ['12 / 4 / 3 = 1', true],
    ['-skill = 1', true],
    ['skill = -1', true],
    ['attacker.units.mechanized-infantry = 2', true],
    ['list[0].x != 7', false],
    ['site = "open"', true],
    ["site != 'open'", false],
    ['wall', true],
    ['!wall', false],
    ['wall = true && ranged = null', true],
    ['ranged = 0 || skill = -1', true],
    ['site = "open" && skill = 1 || wall', true],
    ['site = "open" && (skill = 1 || !wall)', false],
    ['ranged < 1', false],
    ['site + 1 > 0', false],
    ['1e1 = 10 && 0.5 * 2 == 1', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  test.each([
    [
      'attacker.mp > 3',
      'sweep.yaml where:1: expected the name of an axis or a field of the scenario, found "attacker.mp"',
    ],
    ['skill >', 'sweep.yaml where:8: expected a name, a number or a word in quotes, found the end'],
    ['skill = 1)', 'sweep.yaml where:10: expected a sign or the end, found ")"'],
    ['(skill = 1', 'sweep.yaml where:11: expected ), found the end'],
    ['skill = 1 2', 'sweep.yaml where:11: expected a sign or the end, found "2"'],
    ['skill # 1', 'sweep.yaml where:7: expected a name, a value or a sign, found "#"'],
    ['', 'sweep.yaml where:1: expected a name, a number or a word in quotes, found the end'],
  ])('%s is rejected', (text, message) => {
    expect(() => holds(text)).toThrow(InputError);
    expect(() => holds(text)).toThrow(message);
  });
});
