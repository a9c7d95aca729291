/** Five design problems with planted solutions: the search must find the same settings as complete enumeration. */
import { describe, expect, test } from 'vitest';
import type { BalanceSolution } from '../../src/analysis/balance-problem/search-problem.ts';
import { loadScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { balanceScenarios } from '../../src/storage/balance/balance-scenarios.ts';
import { validateBalanceProblem } from '../../src/storage/balance/load-problem.ts';
import { DEPTH } from '../depth.ts';
import {
  enumerate,
  mean,
  nondominated,
  outcome,
  type PlainProblem,
  quantile,
  range,
  shareUpTo,
  summarize,
} from './brute-force.ts';

const direct = await loadScenario('scenarios/attrition-direct.yaml');
const elite = await loadScenario('scenarios/attrition-elite.yaml');
const plain = updateScenario(direct, { 'attacker.hp': 12, 'defender.hp': 12 });
const hill = updateScenario(direct, { 'attacker.hp': 12, 'defender.hp': 12, 'defender.defense': 2 });
const levies = updateScenario(elite, { 'attacker.hp': 8, 'defender.hp': 20 });

/** Balance problem as a file and in enumerable form, with its planted solution. */
interface DesignProblem {
  readonly name: string;
  readonly file: { readonly fields: readonly object[]; readonly targets: readonly unknown[] };
  readonly hand: PlainProblem;
  /** Values of the setting that the targets were computed from; absent if the targets conflict. */
  readonly planted?: readonly number[];
}

const percent = (p: number): string => `${(100 * p).toFixed(6)}%`;

function twoFields(): DesignProblem {
  const at = outcome(summarize(plain, { 'attacker.hp': 14, 'defender.hp': 11 }), 'attacker');
  return {
    name: 'two fields of one scenario',
    planted: [14, 11],
    file: {
      fields: [
        { path: 'attacker.hp', range: [6, 20] },
        { path: 'defender.hp', range: [6, 20] },
      ],
      targets: [{ target: `plain.attacker = ${percent(at)}`, tolerance: '0.4pp' }],
    },
    hand: {
      scenarios: { plain },
      fields: [
        { paths: { plain: 'attacker.hp' }, values: range(6, 20), current: 12 },
        { paths: { plain: 'defender.hp' }, values: range(6, 20), current: 12 },
      ],
      targets: [
        {
          value: (s) => outcome(s['plain'], 'attacker'),
          bounds: [Number(at.toFixed(8)) - 0.004, Number(at.toFixed(8)) + 0.004],
          tolerance: 0.004,
        },
      ],
    },
  };
}

function sharedField(): DesignProblem {
  const p = outcome(summarize(plain, { 'attacker.hp': 11, 'defender.hp': 10 }), 'attacker');
  const h = outcome(summarize(hill, { 'attacker.hp': 11, 'defender.hp': 8 }), 'attacker');
  const l = outcome(summarize(levies, { 'attacker.hp': 11, 'defender.hp': 18 }), 'attacker');
  const near = (name: string, value: number) => ({
    value: (s: Parameters<PlainProblem['targets'][number]['value']>[0]) => outcome(s[name], 'attacker'),
    bounds: [value - 0.01, value + 0.01] as const,
    tolerance: 0.01,
  });
  return {
    name: 'a field that three scenarios share',
    planted: [11, 10, 8, 18],
    file: {
      fields: [
        { path: 'attacker.hp', range: [9, 13], current: 12 },
        { name: 'plain hp', path: 'defender.hp', scenarios: ['plain'], range: [7, 13] },
        { name: 'hill hp', path: 'defender.hp', scenarios: ['hill'], range: [6, 11] },
        { name: 'levies hp', paths: { levies: 'defender.hp' }, range: [14, 26], step: 2 },
      ],
      targets: [p, h, l].map((value, t) => `${['plain', 'hill', 'levies'][t] ?? ''}.attacker = ${String(value)}`),
    },
    hand: {
      scenarios: { plain, hill, levies },
      fields: [
        {
          paths: { plain: 'attacker.hp', hill: 'attacker.hp', levies: 'attacker.hp' },
          values: range(9, 13),
          current: 12,
        },
        { paths: { plain: 'defender.hp' }, values: range(7, 13), current: 12 },
        { paths: { hill: 'defender.hp' }, values: range(6, 11), current: 12 },
        { paths: { levies: 'defender.hp' }, values: range(14, 26, 2), current: 20 },
      ],
      targets: [near('plain', p), near('hill', h), near('levies', l)],
    },
  };
}

function conflict(): DesignProblem {
  return {
    name: 'targets that conflict',
    file: {
      fields: [
        { path: 'attacker.hp', range: [6, 16], scenarios: ['plain', 'hill'] },
        { path: 'attacker.attack', range: [-2, 4] },
      ],
      targets: [
        'plain.attacker = 50 %',
        { target: 'hill.attacker >= 60%', tolerance: '2pp' },
        { target: 'plain.rounds <= 3', tolerance: 0.5 },
      ],
    },
    hand: {
      scenarios: { plain, hill },
      fields: [
        { paths: { plain: 'attacker.hp', hill: 'attacker.hp' }, values: range(6, 16), current: 12 },
        { paths: { plain: 'attacker.attack', hill: 'attacker.attack' }, values: range(-2, 4), current: 1 },
      ],
      targets: [
        { value: (s) => outcome(s['plain'], 'attacker'), bounds: [0.49, 0.51], tolerance: 0.01 },
        { value: (s) => outcome(s['hill'], 'attacker'), bounds: [0.6, 1], tolerance: 0.02 },
        { value: (s) => mean(s['plain'], 'rounds'), bounds: [0, 3], tolerance: 0.5 },
      ],
    },
  };
}

function costs(): DesignProblem {
  const at = summarize(plain, { 'attacker.hp': 13, 'defender.hp': 12 });
  const [q, s] = [quantile(at, 'rounds', 0.95), shareUpTo(at, 'rounds', 4)];
  return {
    name: 'the cheapest setting, by quantiles and shares',
    planted: [13, 12],
    file: {
      fields: [
        { path: 'attacker.hp', range: [8, 18], cost: 3 },
        { path: 'defender.hp', range: [8, 18], cost: 2.5 },
      ],
      targets: [
        `quantile(rounds, 95 %) = ${String(q)}`,
        `share(rounds <= 4) >= ${String(s - 0.001)}`,
        '40% <= plain.attacker <= 60%',
      ],
    },
    hand: {
      scenarios: { plain },
      fields: [
        { paths: { plain: 'attacker.hp' }, values: range(8, 18), current: 12, cost: 3 },
        { paths: { plain: 'defender.hp' }, values: range(8, 18), current: 12, cost: 2.5 },
      ],
      targets: [
        {
          value: (each) => quantile(each['plain'], 'rounds', 0.95),
          bounds: [q - Math.max(0.01, q / 100), q + Math.max(0.01, q / 100)],
          tolerance: Math.max(0.01, q / 100),
        },
        { value: (each) => shareUpTo(each['plain'], 'rounds', 4), bounds: [s - 0.001, 1], tolerance: 0.01 },
        { value: (each) => outcome(each['plain'], 'attacker'), bounds: [0.4, 0.6], tolerance: 0.01 },
      ],
    },
  };
}

function differences(): DesignProblem {
  const values = { plain: [10, 12], hill: [10, 9] } as const;
  const [p, h] = [
    outcome(summarize(plain, { 'attacker.hp': values.plain[0], 'defender.hp': values.plain[1] }), 'attacker'),
    outcome(summarize(hill, { 'attacker.hp': values.hill[0], 'defender.hp': values.hill[1] }), 'attacker'),
  ];
  const monotone = true;
  return {
    name: 'a difference of scenarios with monotone fields',
    planted: [10, 12, 9],
    file: {
      fields: [
        { path: 'attacker.hp', range: [6, 16], monotone },
        { name: 'plain hp', path: 'defender.hp', scenarios: ['plain'], range: [6, 16], monotone },
        { name: 'hill hp', path: 'defender.hp', scenarios: ['hill'], range: [6, 16], monotone },
      ],
      targets: [
        { target: `plain.attacker - hill.attacker = ${String(p - h)}`, tolerance: '0.5pp' },
        { target: `hill.attacker = ${String(h)}`, tolerance: '0.5pp' },
      ],
    },
    hand: {
      scenarios: { plain, hill },
      fields: [
        { paths: { plain: 'attacker.hp', hill: 'attacker.hp' }, values: range(6, 16), current: 12 },
        { paths: { plain: 'defender.hp' }, values: range(6, 16), current: 12 },
        { paths: { hill: 'defender.hp' }, values: range(6, 16), current: 12 },
      ],
      targets: [
        {
          value: (s) => outcome(s['plain'], 'attacker') - outcome(s['hill'], 'attacker'),
          bounds: [p - h - 0.005, p - h + 0.005],
          tolerance: 0.005,
        },
        { value: (s) => outcome(s['hill'], 'attacker'), bounds: [h - 0.005, h + 0.005], tolerance: 0.005 },
      ],
    },
  };
}

const SEARCHES = ['complete', 'pruned'] as const;

const load = ({ file, hand }: DesignProblem) =>
  validateBalanceProblem({
    scenarios: Object.fromEntries(Object.entries(hand.scenarios).map(([name, scenario]) => [name, { scenario }])),
    ...file,
  });

const valuesOf = (settings: BalanceSolution['meeting']): string[] => settings.map(({ values }) => values.join()).sort();

describe.each([twoFields(), sharedField(), conflict(), costs(), differences()])('$name', (design) => {
  const all = enumerate(design.hand);
  const meeting = all.filter(({ misses }) => misses.every((miss) => miss === 0));

  test.each(DEPTH > 1 || design.planted === undefined ? SEARCHES : SEARCHES.slice(1))(
    'the %s search equals enumeration',
    async (search) => {
      const found = await balanceScenarios(await load(design), { search });
      expect(found.settings).toBe(all.length);
      expect(found.exact).toBe(true);
      expect(found.allFound).toBe(true);
      expect(valuesOf(found.meeting)).toEqual(meeting.map(({ values }) => values.join()).sort());
      expect(found.targetsMet).toBe(design.planted !== undefined);
      if (design.planted) expect(valuesOf(found.meeting)).toContain(design.planted.join());
      const best = nondominated(all);
      if (meeting.length === 0) {
        expect(valuesOf(found.front)).toEqual(best.map(({ values }) => values.join()).sort());
        const least = Math.min(...all.map(({ misses }) => Math.max(...misses)));
        expect(found.nearest.greatestMiss).toBeCloseTo(least, 9);
      } else {
        const least = (name: 'cost' | 'steps' | 'greatestStep') => Math.min(...meeting.map((each) => each[name]));
        expect(found.fewestSteps.steps).toBeCloseTo(least('steps'), 9);
        expect(found.leastGreatestStep.greatestStep).toBeCloseTo(least('greatestStep'), 9);
        if (design.hand.fields.some(({ cost }) => cost !== undefined))
          expect(found.cheapest?.cost).toBeCloseTo(least('cost'), 9);
        else expect(found.cheapest).toBeUndefined();
      }
      for (const setting of [...found.meeting, ...found.front, found.nearest]) {
        const same = all.find(({ values }) => values.join() === setting.values.join());
        for (const [t, { miss }] of setting.targets.entries())
          expect(miss).toBeCloseTo(same?.misses[t] ?? Number.NaN, 9);
        expect(setting.cost).toBeCloseTo(same?.cost ?? Number.NaN, 9);
        expect(setting.steps).toBeCloseTo(same?.steps ?? Number.NaN, 9);
      }
    },
  );
});
