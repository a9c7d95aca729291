import { describe, expect, test } from 'vitest';
import type { EventData } from '../../src/core/chance/chance.ts';
import type { ReplayEvent } from '../../src/core/chance/recorded-chance.ts';
import { formatReplay, formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { Rule } from '../../src/rules/system.ts';

const rules: Record<string, Rule> = {
  site: { source: '', describe: () => 'The site is a settlement.' },
  round: { source: '', describe: ({ round }) => `Round ${String(round)}.` },
  roll: { source: '', describe: ({ side, hits }) => `${String(side)} rolls ${String(hits)} hits.` },
  name: { source: '', describe: ({ unit }) => `Defender names ${String(unit)}.` },
  detail: { source: '', describe: () => '  A detail.' },
};

const decisions = [
  {
    point: 'retreat',
    who: 'the defender',
    about: '',
    policies: [],
    describe: { stay: ['stays', 'stay'], retreat: ['retreats', 'retreat'] },
  },
] as const;

function rule(id: string, facts: Record<string, string | number> = {}): ReplayEvent {
  return { kind: 'rule', id, facts };
}

const pool = (value: number, faces: number[]): ReplayEvent => ({
  kind: 'hits',
  pool: { dice: faces.length, value },
  faces,
  hits: faces.filter((face) => face <= value).length,
});

function reported(events: readonly ReplayEvent[], width = 80): string[] {
  const replay = {
    system: 'test',
    seed: '7',
    battle: 1234,
    outcome: 'defender',
    metrics: { rounds: 2, margin: -0.5 },
    events,
  };
  return formatReplay(replay, 'a fight', { rules, decisions }, { width, paint: PLAIN_PAINT }).split('\n');
}

describe('formatted replay', () => {
  test('has a title, a paragraph for each round, and the outcome', () => {
    expect(reported([rule('site'), rule('round', { round: 1 }), rule('detail'), rule('round', { round: 2 })])).toEqual([
      'a fight · test · seed 7 · battle 1 234',
      '',
      '  The site is a settlement.',
      '',
      'Round 1.',
      '    A detail.',
      '',
      'Round 2.',
      '',
      'Outcome: defender',
      '  rounds   2',
      '  margin  -0.5',
      '',
    ]);
  });

  test('shows dice after their result', () => {
    const lines = reported([pool(2, [6, 3, 2, 1]), rule('roll', { side: 'Attacker', hits: 2 })]);
    expect(lines[2]).toBe('  Attacker rolls 2 hits.  [4 dice, hit on 1-2: 6 3 2* 1*]');
  });

  test('shows dice on separate lines if the line is too short', () => {
    const lines = reported([pool(2, [6, 3, 2, 1]), pool(3, [5]), rule('roll', { side: 'Attacker', hits: 2 })], 50);
    expect(lines.slice(2, 5)).toEqual([
      '  Attacker rolls 2 hits.',
      '      4 dice, hit on 1-2: 6 3 2* 1*',
      '      1 die, hit on 1-3: 5',
    ]);
  });

  test('shows both rolls of an exchange with their bonus', () => {
    const dice = { count: 3, sides: 10 };
    const lines = reported([
      { kind: 'excess', dice, attack: 18, defence: 12, bonus: -2, excess: 4 },
      { kind: 'sum', dice, sum: 9 },
      rule('roll', { side: 'A', hits: 4 }),
    ]);
    expect(lines[2]).toBe('  A rolls 4 hits.  [3d10: 18 - 2 against 12; 3d10: 9]');
  });

  test('shows a choice with its alternatives, if there were any', () => {
    const decide = (...options: string[]): ReplayEvent => ({
      kind: 'decide',
      point: 'target',
      player: 'Defender',
      options,
      choice: 'cavalry',
    });
    const three = decide('artillery', 'cavalry', 'infantry');
    expect(reported([three, rule('name', { unit: 'cavalry' })])[2]).toBe(
      '  Defender names cavalry.  [instead of artillery or infantry]',
    );
    expect(reported([decide('cavalry'), rule('name', { unit: 'cavalry' })])[2]).toBe('  Defender names cavalry.');
    expect(reported([three])[2]).toBe('  Target: Defender chooses cavalry, not artillery or infantry');
  });

  test('shows a decision as a sentence if no rule describes it', () => {
    const retreat = (choice: string): ReplayEvent => ({
      kind: 'decide',
      point: 'retreat',
      player: 'defender',
      options: ['stay', 'retreat'],
      choice,
    });
    expect(reported([retreat('stay')])[2]).toBe('  The defender stays (could retreat).');
    expect(reported([retreat('retreat'), rule('detail')])[2]).toBe(
      '    A detail.  [the defender retreats, could stay]',
    );
  });

  describe('descriptions of decisions', () => {
    const raise = {
      ...{ point: 'raise', who: 'red', about: '', policies: [] },
      describe: { raise: ['raises', 'raise'], not: ['does not', 'do not'], fold: ['folds', 'fold'] },
    } as const;
    const sentences = {
      ...rules,
      plays: { source: '', describe: ({ card }: EventData) => `Red plays ${String(card)} of 15.` },
    };
    const lines = (events: readonly ReplayEvent[]): string[] =>
      formatReplayLines(events, { rules: sentences, decisions: [raise] }, { width: 90, paint: PLAIN_PAINT });
    const decide = (player: string, choice: string, ...options: string[]): ReplayEvent => ({
      ...{ kind: 'decide', point: 'raise', player, options, choice },
    });

    test('have an article for roles, and none for names', () => {
      expect(lines([decide('red', 'raise', 'raise', 'fold')])).toEqual(['  Red raises (could fold).']);
      expect(lines([decide('attacker', 'raise', 'raise', 'fold')])).toEqual(['  The attacker raises (could fold).']);
    });

    test('have "need not" instead of "could do not"', () => {
      expect(lines([decide('red', 'raise', 'raise', 'not')])).toEqual(['  Red raises (need not).']);
      expect(lines([decide('red', 'raise', 'raise', 'not', 'fold')])).toEqual(['  Red raises (could fold, need not).']);
      expect(lines([decide('red', 'not', 'raise', 'not'), rule('detail')])).toEqual([
        '    A detail.  [red does not, could raise]',
      ]);
    });

    test('are in full for each of two decisions before one rule', () => {
      const both = [decide('red', 'fold', 'raise', 'fold'), decide('blue', 'raise', 'raise', 'fold')];
      expect(lines([...both, rule('detail')])).toEqual([
        '    A detail.  [red folds, could raise; blue raises, could fold]',
      ]);
    });

    test('are in full for two decisions, even if the rule names both', () => {
      const both = [decide('red', 'fold', 'raise', 'fold'), decide('blue', 'raise', 'raise', 'fold')];
      const line = '  Red plays raise after fold of 15.  [red folds, could raise; blue raises, could fold]';
      expect(lines([...both, rule('plays', { card: 'raise after fold' })])).toEqual([line]);
    });

    test('are in full if the rule has the chosen number only within another number', () => {
      const card = (choice: number): ReplayEvent => ({
        ...{ kind: 'decide', point: 'card', player: 'red', options: [4, 5, 6], choice },
      });
      expect(lines([card(4), rule('plays', { card: 4 })])).toEqual(['  Red plays 4 of 15.  [instead of 5 or 6]']);
      expect(lines([card(5), rule('plays', { card: 'it' })])).toEqual([
        '  Red plays it of 15.  [card: red chooses 5, not 4 or 6]',
      ]);
    });
  });

  test('names the drawn and picked items if the rules have names for them', () => {
    const names = ['king', 'page'];
    const events: ReplayEvent[] = [
      { kind: 'draw', bag: [1, 4], drawn: [1, 2], names },
      { kind: 'draw', bag: [1, 1], drawn: [0, 1], names },
      { kind: 'draw', bag: [1, 1], drawn: [0, 0], names },
      { kind: 'pick', weights: [3, 1], index: 1, names },
      { kind: 'draw', bag: [1, 4], drawn: [1, 2] },
      { kind: 'pick', weights: [3, 1], index: 1 },
    ];
    expect(reported(events).slice(2, 8)).toEqual([
      '  Drawn 1 king, 2 page of 1 king, 4 page',
      '  Drawn page of 2',
      '  Drawn nothing of 2',
      '  Page, chance 25.0 %',
      '  Drawn 1 2 of 1 4',
      '  Number 2 of 2, chance 25.0 %',
    ]);
  });

  test('marks no die if no face hits', () => {
    expect(reported([pool(0, [1, 2]), rule('detail')])[2]).toBe('    A detail.  [2 dice, hit on no face: 1 2]');
  });

  test('shows the faces of custom dice', () => {
    const dice = [
      [0, 0, 1, 1, 2, 3],
      [0, 0, 0, 0, 0, 1],
    ];
    const lines = reported([{ kind: 'faces', dice, shown: [3, 0], sum: 3 }, rule('roll', { side: 'A', hits: 3 })]);
    expect(lines[2]).toBe('  A rolls 3 hits.  [2 dice: 3 0]');
  });

  test('shows values with the name of their distribution or their chance, and faces with their dice', () => {
    const lines = reported([
      { kind: 'sample', distribution: 'highest 3 of 4d6', value: 14, probability: 0.12 },
      { kind: 'sample', value: -2, probability: 1 / 36 },
      { kind: 'roll', dice: { count: 3, sides: 6 }, faces: [6, 4, 4] },
      { kind: 'roll', dice: { count: 0, sides: 6 }, faces: [] },
      rule('detail'),
    ]);
    expect(lines[2]).toBe('    A detail.  [highest 3 of 4d6: 14; value -2, chance 2.8 %; 3d6: 6 4 4]');
  });

  test('shows draws and picks', () => {
    const lines = reported([
      { kind: 'draw', bag: [4, 3, 1], drawn: [2, 0, 1] },
      { kind: 'pick', weights: [1, 3], index: 1 },
      rule('detail'),
    ]);
    expect(lines[2]).toBe('    A detail.  [drawn 2 0 1 of 4 3 1; number 2 of 2, chance 75.0 %]');
  });

  test('replaces control characters in names', () => {
    expect(reported([rule('name', { unit: '\u001B[2J' })])[2]).toBe('  Defender names \uFFFD[2J.');
  });
});
