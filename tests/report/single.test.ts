/**
 * HTML reports of single results: complete, equal to the result, and safe against injected names and network access.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { balance } from '../../src/analysis/balance/index.ts';
import { compare } from '../../src/analysis/comparing/compare.ts';
import { measureRuleCoverageSync } from '../../src/analysis/rule-coverage.ts';
import { morrisSensitivity, sobolSensitivity, stepSensitivity } from '../../src/analysis/sensitivity/index.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { createComparisonSheet } from '../../src/report/compare/comparison.ts';
import { renderSvg } from '../../src/report/figures/render.ts';
import { renderBalancePage } from '../../src/report/html/commands/balance.ts';
import { renderBestResponsePage } from '../../src/report/html/commands/best-response.ts';
import { renderComparisonPage } from '../../src/report/html/commands/compare.ts';
import { renderRunPage } from '../../src/report/html/commands/run.ts';
import { renderSensitivityPage } from '../../src/report/html/commands/sensitivity.ts';
import { toPlainText } from '../../src/report/sheet/sheet.ts';
import { joinHeading } from '../../src/report/text/column.ts';
import { SHIPPED_REGISTRY, shippedSystems } from '../../src/rules/index.ts';
import { parseScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { astray, intruders, textOf, unbalanced } from './html.ts';
import { DUEL, EVIL } from './store.ts';

const duel = validateScenario(DUEL);
const strong = validateScenario({ ...DUEL, attacker: { ...DUEL.attacker, hp: 26 } });
const command = 'warpool run duel.yaml --battles 2000 --seed 1';
const subject = { version: '1.2.3', name: 'a duel', command, renderSvg };
const replay = (battle: number): string => `warpool replay duel.yaml --seed 1 --battle ${String(battle)}`;

async function pageOfRun(scenario: Scenario, battles = 1500, name = 'a duel'): Promise<string> {
  const result = await simulate(scenario, { battles, workers: 1 });
  return renderRunPage(result, undefined, { ...subject, name, requestedBattles: battles, replay });
}

/** One HTML report of each kind. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const result = await simulate(duel, { battles: 2000, workers: 1 });
  pages.set('run', await renderRunPage(result, solveSync(duel), { ...subject, requestedBattles: 2000, replay }));
  const both = await compare([duel, strong], { battles: 2000 });
  const compared = {
    ...subject,
    scenarios: [duel, strong],
    names: ['even', 'strong'],
    replay: (_: number, b: number) => replay(b),
  };
  pages.set('compare', await renderComparisonPage(both, compared));
  const found = await balance(duel, {
    vary: [{ path: 'attacker.hp' }],
    target: 'attacker=0.5',
    tolerance: 0.0122,
    workers: 1,
  });
  const next = (set: readonly string[]): string => `warpool compare-rules duel.yaml --set ${set.join(' ')}`;
  pages.set('balance', await renderBalancePage(found, { ...subject, scenario: duel, next }));
  pages.set('step', await renderSensitivityPage(await stepSensitivity(duel), { ...subject, scenario: duel }));
  const space = ['attacker.hp=10..30', 'defender.hp=10..30'];
  pages.set(
    'morris',
    await renderSensitivityPage(await morrisSensitivity(duel, { space, trajectories: 4 }), {
      ...subject,
      scenario: duel,
    }),
  );
  pages.set(
    'sobol',
    await renderSensitivityPage(await sobolSensitivity(duel, { space, points: 16 }), { ...subject, scenario: duel }),
  );
  const example = SHIPPED_REGISTRY.system('phased-dice').examples.find(({ name }) => name.includes('broadside'));
  const decided = validateScenario(example?.scenario ?? SHIPPED_REGISTRY.system('phased-dice').examples[0]?.scenario);
  pages.set('optimal', await renderBestResponsePage(findBestResponseSync(decided), subject));
});

const page = (kind: string): string => pages.get(kind) ?? '';

describe.each(['run', 'compare', 'balance', 'step', 'morris', 'sobol', 'optimal'])('HTML report of %s', (kind) => {
  test('is complete, and refers to no external resource', () => {
    expect(page(kind)).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(unbalanced(page(kind))).toEqual([]);
    expect(astray(page(kind))).toEqual([]);
    expect(page(kind)).not.toMatch(
      /https?:|@import|url\((?!#)|<(link|iframe|object|embed|base|img)\b|\s(src|srcset|xlink:href)=/i,
    );
    expect(page(kind).match(/<script/g)).toHaveLength(1);
  });

  test('has a title, an answer, figures, the command, and a valid scenario', () => {
    expect(page(kind)).toContain('<h1>');
    expect(page(kind)).toMatch(/<p class="answer">[^<]{20,}<\/p>/);
    expect(page(kind).match(/<figure/g)?.length).toBeGreaterThan(0);
    expect(textOf(page(kind))).toContain(subject.command);
    const [, yaml = ''] = /<\/summary><pre>([^<]*)<\/pre>/.exec(page(kind)) ?? [];
    const reported = parseScenario(yaml.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
    expect(page(kind)).toContain(hashScenario(reported));
  });
});

describe('HTML report', () => {
  test('has the tables and sentences of the terminal once, and explains its columns', async () => {
    const result = await compare([duel, strong], { battles: 2000 });
    const sheet = createComparisonSheet(result, ['even', 'strong']);
    const text = textOf(page('compare'));
    const heads: string[] = [];
    for (const part of sheet.flat()) {
      if (part.kind === 'note') expect(text.split(part.text.replaceAll('"', '&quot;'))).toHaveLength(2);
      if (part.kind !== 'table') continue;
      heads.push(...part.heads.map(joinHeading));
      for (const row of part.rows)
        expect(text).toContain(
          row
            .map(toPlainText)
            .filter((cell) => cell !== '')
            .join(' '),
        );
    }
    const [, columns = ''] = /Origin(?:.*)Columns (.*) Origin/.exec(text) ?? [];
    expect(heads.length).toBeGreaterThan(10);
    for (const head of heads) expect(columns).toContain(head.replaceAll('<', '&lt;'));
    expect(columns).toContain('number of unpaired battles that give the same precision as one paired battle');
  });
});

describe('HTML report of a run', () => {
  test('begins with an answer with its exact value, and shows the distribution of every metric', () => {
    const text = textOf(page('run'));
    expect(text).toContain(
      'Swordsmen win 46 of 100 times (46.24 %) and then keep 9.7 hit points on average. Pikemen win in 46.24 % and then keep 9.7 hit points on average; both sides fall in 7.53 %. Simulated: 47 % of 2 000 battles (95 % interval 44 .. 49 %).',
    );
    for (const name of ['rounds', 'hp.attacker', 'hp.defender']) expect(text).toContain(`Distribution of ${name}`);
  });

  test('shows example battles with the reasons for their selection and the commands to replay them', () => {
    const text = textOf(page('run'));
    for (const kind of ['Typical', 'Closest', 'Strangest']) expect(text).toMatch(new RegExp(`${kind}: battle \\d`));
    expect(page('run').match(/<article/g)).toHaveLength(3);
    expect(page('run').match(/<h4>Round 1\.<\/h4>/g)).toHaveLength(3);
    expect(text).toMatch(/Swordsmen deals \d+ damage: Pikemen 20 -&gt; \d+ hp\. \[ 3d10: \d+ against \d+ \]/);
    for (const [, battle] of text.matchAll(/: battle (\d+) The/g)) expect(text).toContain(replay(Number(battle)));
    expect(text).toContain('They are selected from all 2 000 battles; among equal ones, the first is selected.');
    expect(text).toMatch(/Only [\d.e-]+ % of all battles \(exact\) end “\w+”/);
  });

  test('is identical if rendered again', async () => {
    const again = await simulate(duel, { battles: 2000, workers: 1 });
    expect(await renderRunPage(again, solveSync(duel), { ...subject, requestedBattles: 2000, replay })).toBe(
      page('run'),
    );
  });

  test.each(shippedSystems.map(({ id }) => id))('shows example battles of every system: %s', async (id) => {
    for (const { scenario } of SHIPPED_REGISTRY.system(id).examples.slice(0, 1)) {
      const html = await pageOfRun(validateScenario(scenario), 300);
      expect(unbalanced(html)).toEqual([]);
      expect(astray(html)).toEqual([]);
      expect(html).toContain('class="tale"');
      expect(textOf(html)).not.toMatch(/undefined|NaN|\[object|Infinity/);
    }
  });

  test('escapes names of scenarios', async () => {
    const html = await pageOfRun(validateScenario(EVIL.scenario), 300, EVIL.name);
    expect(intruders(html)).toEqual([]);
    expect(unbalanced(html)).toEqual([]);
    expect(html.match(/<script/g)).toHaveLength(1);
    for (const hidden of ['\u202e', '\u0007', '\u0001', '\u0002', '\u0003']) expect(html).not.toContain(hidden);
    expect(textOf(html)).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('limits the length of a long battle, and mentions the command that prints all of it', async () => {
    const long = { ...DUEL, attacker: { ...DUEL.attacker, hp: 20_000 }, defender: { ...DUEL.defender, hp: 20_000 } };
    const html = await pageOfRun(validateScenario(long), 3);
    expect(textOf(html)).toContain('The battle continues; the command prints all of it.');
    expect(html.length).toBeLessThan(300_000);
  });

  test('shows a single example if all battles are alike', async () => {
    const idle = {
      ...DUEL,
      attacker: { ...DUEL.attacker, attack: -1000 },
      defender: { ...DUEL.defender, attack: -1000 },
    };
    const text = textOf(await pageOfRun(validateScenario(idle), 300));
    expect(text).toContain('In all 300 simulated battles there is a stalemate (&gt; 98.7 %).');
    expect(text).toContain('Typical, closest and strangest: battle 0 There is a stalemate.');
    expect(text).toContain('All battles have this outcome.');
    expect(text).toContain('This battle has no rolls, decisions or losses.');
  });

  test('has no example battles if results are drawn from the exact distribution', async () => {
    const drawn = await simulate(duel, { battles: 500, workers: 1, engine: 'sampled' });
    const html = await renderRunPage(drawn, undefined, { ...subject, requestedBattles: 500, replay });
    expect(html).not.toContain('class="tale"');
    expect(textOf(html)).toContain('so there are no battles to replay');
  });

  test('says why a run stopped, whether it was interrupted, and which rules applied', async () => {
    const precise = await simulate(duel, { precision: 0.05, workers: 1 });
    const rules = { coverage: measureRuleCoverageSync(duel, { battles: 50 }), battles: 50 };
    const html = textOf(
      await renderRunPage({ ...precise, complete: false }, undefined, {
        ...subject,
        requestedBattles: 9999,
        replay,
        rules,
      }),
    );
    expect(html).toContain('precision reached: outcomes within ±');
    expect(html).toMatch(/The run was interrupted: [\d ]+ of 9 999 battles were simulated\./);
    expect(html).toContain('rules that applied in the first 50 battles');
    expect(html).toContain('direct.blow');
  });
});

describe('HTML report of a comparison', () => {
  test('shows one battle with the same random numbers in both scenarios', () => {
    const text = textOf(page('compare'));
    expect(text).toMatch(/Attacker: strong is higher than even, by exact values\./);
    const [, one, two] = /strong: battle (\d+) .* even: battle (\d+) /.exec(text) ?? [];
    expect(one).toBe(two);
    expect(text).toContain(replay(Number(one)));
  });

  test('of many scenarios ranks them, and names ties', async () => {
    const scenarios = [duel, duel, strong];
    const result = await compare(scenarios, { battles: 2000 });
    const names = ['one', 'two', '<script>alert(1)</script>'];
    const html = await renderComparisonPage(result, { ...subject, scenarios, names, replay: (_, b) => replay(b) });
    expect(intruders(html)).toEqual([]);
    expect(textOf(html)).toContain('&lt;script&gt;alert(1)&lt;/script&gt; has the highest share of attacker');
    expect(textOf(html)).toContain('It differs from all others.');
    const best = await compare(scenarios, { battles: 2000, best: 'lowest' });
    const raced = textOf(
      await renderComparisonPage(best, { ...subject, scenarios, names, replay: (_, b) => replay(b) }),
    );
    expect(raced).toContain('Attacker: a tie of one, two, by exact values.');
  });
});

describe('HTML reports of studies', () => {
  test('of balance has the answer, the next command, and every setting of the search', () => {
    const text = textOf(page('balance'));
    const [, hp] =
      /class="answer">attacker’s hit points = (\d+) gives attacker = 50 ± 1\.22/.exec(page('balance')) ?? [];
    expect(hp).toBe('21');
    expect(text).toContain('warpool compare-rules duel.yaml --set attacker.hp=21');
    expect(text.match(/attacker\.hp/g)).toHaveLength(1);
    expect(page('balance')).toContain('<i class="tone side0"></i>attacker’s hit points');
    expect(text).toContain('All examined settings, in the order of the search');
    expect(text).toContain('exact');
  });

  test('of sensitivity has labels of fields, in the order of the table', () => {
    expect(page('morris')).toContain('<i class="tone side1"></i>defender’s hit points');
    expect(textOf(page('step') + page('morris') + page('sobol'))).not.toMatch(/(attacker|defender)\.\w/);
    expect(page('step')).toMatch(
      /class="answer">Strongest effect on attacker: attacker’s [\w ]+, \+[\d.]+ points one step up, -[\d.]+ points one step down\./,
    );
    expect(page('morris')).toMatch(
      /class="answer">Strongest effect on attacker: (attacker|defender)’s hit points, [\d.]+ points mean absolute effect of a change through its range/,
    );
    expect(page('sobol')).toMatch(
      /class="answer">Strongest effect on attacker: (attacker|defender)’s hit points, [\d.]+ % of the variance/,
    );
  });

  test('of a best response has its value, and the states in which the policy is not optimal', () => {
    expect(page('optimal')).toMatch(
      /class="answer">The value of a battle for attacker is -?[\d.]+ by the best response to the policy of the scenario for defender \(reward win\)/,
    );
    expect(textOf(page('optimal'))).toContain('States in which the policy is not optimal: ');
  });

  test('of a best response says if a system has no decisions', async () => {
    expect(await renderBestResponsePage(findBestResponseSync(duel), subject)).toContain('it has no decision to make');
  });
});
