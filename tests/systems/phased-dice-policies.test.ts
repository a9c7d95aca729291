/** Phased dice: decisions of the policies, and their order. */
import { describe, expect, it } from 'vitest';
import { decide, fight, firstAsked, mute, roll } from './phased-dice-fight.ts';

describe('policy target', () => {
  /** Returns the class that is named for `hits` hits on units that roll `howls` dice first. */
  const choice = (units: Record<string, number>, hits: number, target: unknown = 'most-dice') => {
    const unitTypes = {
      gun: { class: 'artillery', era: 1, dice: hits, hits: 99 },
      howl: { class: 'artillery', era: 1, dice: 3, bonus: -20 },
      lance: { class: 'cavalry', era: 2, dice: 2, bonus: 20 },
      pike: { class: 'infantry', era: 4, dice: 9 },
    };
    const howls = 3 * (units['howl'] ?? 0);
    const input = { unitTypes, attacker: { units: { gun: 1 }, target }, defender: { units } };
    return firstAsked('target', input, [roll(hits, hits), ...(howls > 0 ? [roll(howls, 0)] : [])])
      ?.split(' ')
      .at(-1);
  };

  it('with a list names the first remaining class, even if none of its units fits', () => {
    expect(choice({ pike: 1, lance: 1 }, 1, ['artillery', 'infantry', 'cavalry'])).toBe('infantry');
  });

  it('completes a list with the other classes as artillery, cavalry, infantry', () => {
    expect(choice({ howl: 1, lance: 1 }, 1, ['infantry'])).toBe('artillery');
    expect(choice({ pike: 1, lance: 1 }, 1, [])).toBe('cavalry');
  });

  it.each([
    ['most-dice', 'the most dice among units that fit', { howl: 1, lance: 2 }, 2, 'cavalry'],
    ['most-dice', 'only units that fit count', { howl: 1, lance: 1, pike: 1 }, 3, 'artillery'],
    ['most-dice', 'units that just fit count', { howl: 1, lance: 1, pike: 1 }, 4, 'infantry'],
    ['most-dice', 'of equals the first in order', { howl: 2, lance: 3 }, 2, 'artillery'],
    ['most-dice', 'it is the sum of a class', { howl: 1, lance: 4 }, 2, 'cavalry'],
    ['most-dice', 'if nothing fits, the first that is left', { lance: 1, pike: 1 }, 1, 'cavalry'],
    ['most-expected-hits', 'the value counts', { howl: 3, lance: 1 }, 2, 'cavalry'],
    ['most-expected-hits', 'up to 6', { howl: 4, lance: 1 }, 2, 'artillery'],
    ['most-expected-hits', 'only units that fit count', { howl: 1, lance: 1 }, 1, 'artillery'],
    ['most-expected-hits', 'if nothing fits, the first that is left', { pike: 2, lance: 1 }, 1, 'cavalry'],
  ])('%s: %s', (target, _, units, hits, expected) => {
    expect(choice(units, hits, target)).toBe(expected);
  });

  it('most-expected-hits includes the site in the values of attackers', () => {
    // A spearman at 3 against two catapults at 1; behind the Great Wall all are at 1.
    const attacker = { units: { catapult: 2, spearman: 1 } };
    const defender = { units: { cannon: 1 }, target: 'most-expected-hits' };
    const script = [roll(2, 0), roll(3, 1)];
    expect(firstAsked('target', { attacker, defender }, script)).toBe('defender target [artillery infantry] infantry');
    const wall = { attacker, defender, site: 'great-wall' };
    expect(firstAsked('target', wall, script)).toBe('defender target [artillery infantry] artillery');
  });

  it('adds hits in reserve to the hits of the phase', () => {
    // Two hits fit no lancer; the next one makes three.
    const unitTypes = {
      giant: mute('infantry', 9),
      lancer: mute('cavalry', 3, { dice: 9 }),
      mortar: mute('artillery', 4),
    };
    const attacker = { units: { catapult: 2, chariot: 1 } };
    const defender = { units: { mortar: 1, lancer: 1, giant: 1 } };
    const { requested } = fight({ unitTypes, maxRounds: 1, attacker, defender }, [roll(2, 2), roll(1, 1), roll(9, 0)]);
    expect(requested.slice(0, 2)).toEqual([
      'attacker target [artillery cavalry infantry] artillery',
      'attacker target [artillery cavalry infantry] cavalry',
    ]);
  });
});

describe('policy losses', () => {
  const gun = { class: 'artillery', era: 1, hits: 99 };
  const mast = mute('artillery', 99);

  /** Returns the unit that is removed first by `hits` hits. */
  const fallen = (hits: number, units: Record<string, number>, unitTypes: object, losses?: string) => {
    const defender = { units: { ...units, mast: 1 }, ...(losses === undefined ? {} : { losses }) };
    const input = {
      unitTypes: { ...unitTypes, gun: { ...gun, dice: hits }, mast },
      attacker: { units: { gun: 1 } },
      defender,
    };
    return firstAsked('losses', input, [roll(hits, hits), decide('infantry')])
      ?.split(' ')
      .at(-1);
  };

  const ranks = {
    old: { class: 'infantry', era: 1, dice: 3, hits: 2 },
    mid: { class: 'infantry', era: 2, dice: 1, hits: 2, bonus: 9 },
    new: { class: 'infantry', era: 3, dice: 3, hits: 2 },
  };
  const thin = { ...ranks, old: { ...ranks.old, hits: 1 }, mid: { ...ranks.mid, hits: 1 } };
  const counterparts = { a: mute('infantry', 1), b: mute('infantry', 1) };
  const elders = { a: mute('infantry', 2), b: mute('infantry', 1, { hits: 2 }) };
  const all = { new: 1, mid: 1, old: 1 };

  it.each([
    ['is lowest-era by default', undefined, 2, all, ranks, 'old'],
    ['lowest-era', 'lowest-era', 2, all, ranks, 'old'],
    ['lowest-era: of equals the first in the table', 'lowest-era', 1, { b: 1, a: 1 }, counterparts, 'a'],
    ['highest-era', 'highest-era', 2, all, ranks, 'new'],
    ['highest-era: among those that fit', 'highest-era', 1, all, thin, 'mid'],
    ['highest-era: of equals the first in the table', 'highest-era', 1, { b: 1, a: 1 }, counterparts, 'a'],
    ['fewest-expected-hits-lost: dice x value, up to 6', 'fewest-expected-hits-lost', 2, all, ranks, 'mid'],
    [
      'fewest-expected-hits-lost: of equals the lowest era',
      'fewest-expected-hits-lost',
      2,
      { a: 1, b: 1 },
      elders,
      'b',
    ],
    [
      'fewest-expected-hits-lost: then the first in the table',
      'fewest-expected-hits-lost',
      1,
      { b: 1, a: 1 },
      counterparts,
      'a',
    ],
  ] as const)('%s', (_, losses, hits, units, unitTypes, expected) => {
    expect(fallen(hits, units, unitTypes, losses)).toBe(expected);
  });

  it('orders built-in types before added ones', () => {
    expect(fallen(1, { archer: 1, spearman: 1 }, { archer: mute('infantry', 1) })).toBe('spearman');
  });

  it('fewest-expected-hits-lost includes the site in the values of attackers', () => {
    // In the open a chariot is worth 9 x 2, a spearman 5 x 3; against a settlement 9 x 1 and 5 x 2.
    const unitTypes = { gun, mast, chariot: { dice: 9, hits: 1 }, spearman: { dice: 5, hits: 1 } };
    const attacker = { units: { mast: 1, chariot: 1, spearman: 1 }, losses: 'fewest-expected-hits-lost' };
    const input = { unitTypes, attacker, defender: { units: { gun: 1 }, target: ['artillery'] } };
    expect(firstAsked('losses', input, [roll(1, 1)])).toBe('attacker losses [chariot spearman] spearman');
    const settled = { ...input, site: 'settlement' };
    expect(firstAsked('losses', settled, [roll(1, 1)])).toBe('attacker losses [chariot spearman] chariot');
  });

  it('requests decisions of attackers first, after both sides have named a class', () => {
    const side = { units: { mast: 1, gun: 1, chariot: 1, spearman: 1 }, target: ['artillery'] };
    const { requested } = fight(
      { maxRounds: 1, unitTypes: { gun, mast, chariot: { dice: 0 } }, attacker: side, defender: side },
      [
        roll(1, 1),
        roll(1, 1),
        decide('artillery'),
        decide('artillery'),
        decide('spearman'),
        decide('chariot'),
        roll(1, 0),
      ],
    );
    expect(requested).toEqual([
      'attacker target [artillery cavalry infantry] artillery',
      'defender target [artillery cavalry infantry] artillery',
      'attacker losses [chariot spearman] spearman',
      'defender losses [chariot spearman] chariot',
      'attacker retreat [stay retreat] stay',
    ]);
  });
});
