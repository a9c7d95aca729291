/** Comparison, sensitivity and balance in the web app have the results of the library. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { balance as balancing, compare as comparing, parseScenario, stepSensitivity } from '../../src/index.ts';
import { labelField } from '../../src/rules/index.ts';
import { settable } from '../../web/engine/editing/settable.ts';
import { setFields } from '../../web/engine/output/figures.ts';
import { balance, sensitivity } from '../../web/engine/studies/balance-sensitivity.ts';
import { type CompareRequest, compare } from '../../web/engine/studies/compare.ts';
import { task } from '../../web/engine/task.ts';

const TEXT = `# A duel.
system: attrition
mode: direct # hand to hand
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 9 }

defender:
  name: Pikemen # two ranks
  attack: 1
  defense: 1
  hp: 8 # few
`;

const INDIRECT = `system: attrition
mode: indirect
cover: none
attacker: { attack: 1, defense: 1, ranged: 2, hp: 9 }
defender: { attack: 1, defense: 1, ranged: 1, hp: 8 }
`;

const SCENARIO = parseScenario(TEXT);
const CHANGED = parseScenario(TEXT.replace('hp: 9', 'hp: 11'));

const ASK: CompareRequest = { text: TEXT, file: 'my duel.yaml', copy: [['attacker.hp', 11]], battles: 3000, seed: '7' };

const nothing = (): void => undefined;

/** Parses a CSV to records by column. */
function records(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  return lines.map((line) => {
    const fields = line.split(',');
    return Object.fromEntries(head.split(',').map((name, n) => [name, fields[n] ?? '']));
  });
}

describe('setFields', () => {
  test('changes values in place and nothing else', () => {
    const changed = setFields(TEXT, [
      ['attacker.hp', 12],
      ['defender.hp', 9],
    ]);
    expect(changed).toBe(TEXT.replace('hp: 9', 'hp: 12').replace('hp: 8 # few', 'hp: 9 # few'));
  });

  test('adds a missing field, and changes a value in JSON', () => {
    expect(parseScenario(setFields(TEXT, [['maxRounds', 7]]))).toMatchObject({ maxRounds: 7 });
    const json = setFields(JSON.stringify(SCENARIO), [['defender.hp', 5]]);
    expect(JSON.parse(json)).toMatchObject({ defender: { hp: 5 } });
  });

  test('rejects an invalid path', () => {
    expect(() => setFields(TEXT, [['attacker..hp', 1]])).toThrow('expected a path such as attacker.hp');
  });
});

test('settable lists written fields first, with their ranges or values', () => {
  const fields = settable.settable(TEXT);
  const paths = fields.map(({ path }) => path);
  expect(paths.slice(0, 3)).toEqual(['attacker.attack', 'attacker.defense', 'attacker.hp']);
  expect(fields.find(({ path }) => path === 'attacker.hp')).toMatchObject({
    ...{ kind: 'number', label: 'attacker’s hit points', written: true, value: 9, integer: true, min: 1 },
  });
  expect(fields.find(({ path }) => path === 'maxRounds')).toMatchObject({ kind: 'number', written: false });
  expect(paths).not.toContain('system');
  expect(paths).not.toContain('attacker.name');
  const [cover, fire] = settable.settable(INDIRECT).filter(({ kind }) => kind === 'word');
  expect(cover).toEqual({
    ...{ kind: 'word', path: 'cover', label: 'cover', written: true, value: 'none' },
    words: ['none', 'forest', 'stronghold', 'capital'],
  });
  expect(fire).toEqual({
    ...{ kind: 'word', path: 'returnFire', label: 'return fire', written: false, value: true },
    words: [true, false],
  });
});

test.each(readdirSync('scenarios'))('the fields of %s have different labels', (file) => {
  const labels = settable.settable(readFileSync(`scenarios/${file}`, 'utf8')).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

describe('compare', () => {
  test('returns the results of the library and the equivalent command', async () => {
    const result = await compare.compare(ASK, 1, nothing);
    const { all, battles } = await comparing([SCENARIO, CHANGED], { battles: 3000, seed: 7 });
    expect(result).toMatchObject({ battles, complete: true });
    const shares =
      all?.exact?.map((distribution) => `${(100 * (distribution.outcomes[0]?.p ?? 0)).toFixed(1)} %`) ?? [];
    expect(result.lines).toEqual([`Swordsmen win: ${shares.join(' becomes ')}.`]);
    // Without the least important columns, because the table would be cut off at 1280 px.
    const heads = [result.outcomeTable, result.metricTable].flatMap(([table]) =>
      table?.kind === 'table' ? table.heads : [],
    );
    expect(heads.map(({ head }) => head).filter((head) => /variance|unobserved/.test(head))).toEqual([]);
    const rows = records(result.csv);
    for (const { name, p, difference, ci95, differing } of all?.outcomes ?? []) {
      const row = rows.find((each) => each['kind'] === 'outcome' && each['name'] === name);
      expect([row?.['first'], row?.['second']].map(Number)).toEqual(p);
      expect([row?.['difference'], row?.['low'], row?.['high']].map(Number)).toEqual([difference, ...ci95]);
      const [one, two] = (all?.exact ?? []).map(
        (distribution) => distribution.outcomes.find((each) => each.name === name)?.p ?? 0,
      );
      expect(Number(row?.['exact'])).toBe((two ?? 0) - (one ?? 0));
      expect(Number(row?.['differing'])).toBe(differing);
    }
    expect(rows).toHaveLength((all?.outcomes.length ?? 0) + (all?.metrics.length ?? 0));
    expect(result.distributions.length).toBeGreaterThan(0);
    expect(result.command).toBe("warpool compare-rules 'my duel.yaml' --set attacker.hp=11 --battles 3000 --seed 7");
    expect(result.copy).toBe(TEXT.replace('hp: 9', 'hp: 11'));
  });

  test('returns the same results for a copy that is given as text', async () => {
    const byField = await compare.compare(ASK, 2, nothing);
    const byText = await compare.compare({ ...ASK, copy: byField.copy }, 3, nothing);
    expect(byText.csv).toBe(byField.csv);
    expect(byText.command).toBe("warpool compare 'my duel.yaml' 'my duel-changed.yaml' --battles 3000 --seed 7");
  });

  test('formats the values of --set as in YAML', async () => {
    const ask: CompareRequest = {
      ...ASK,
      text: INDIRECT,
      copy: [
        ['cover', 'forest'],
        ['returnFire', false],
      ],
      battles: 10,
    };
    const { command } = await compare.compare(ask, 4, nothing);
    expect(command).toContain('--set cover=forest --set returnFire=false');
  });

  test('reports progress, and returns the simulated battles after a stop', async () => {
    const reported: number[] = [];
    const result = await compare.compare({ ...ASK, battles: 50_000_000 }, 5, ({ done, total: requested }) => {
      expect(requested).toBe(50_000_000);
      reported.push(done);
      task.stop(5);
    });
    expect(reported[0]).toBeGreaterThan(0);
    expect(result.complete).toBe(false);
    expect(result.battles).toBeGreaterThanOrEqual(reported.at(-1) ?? 0);
    expect(result.command).toContain(`--battles ${String(result.battles)}`);
  });

  test('rejects an invalid copy with the error of its field', async () => {
    await expect(compare.compare({ ...ASK, copy: [['attacker.hp', 0]] }, 6, nothing)).rejects.toThrow(
      'attacker.hp: expected an integer',
    );
  });
});

test('stepEffects returns the effects of the library', async () => {
  const ask = { text: TEXT, file: 'duel.yaml', seed: '3', of: 'defender', battles: 500 };
  const result = await sensitivity.stepEffects(ask, 7, nothing);
  const study = await stepSensitivity(SCENARIO, { of: 'defender', seed: 3, battles: 500 });
  const rows = records(result.csv);
  expect(rows.map(({ field }) => field)).toEqual(study.fields.map(({ path }) => path));
  expect(rows.map(({ down, up }) => [down, up].map(Number))).toEqual(
    study.fields.map(({ down, up }) => [down?.effect ?? 0, up?.effect ?? 0]),
  );
  const [table] = result.table;
  if (table?.kind !== 'table') throw new Error('no table');
  const effective = study.fields.filter(({ verdict }) => verdict !== 'none');
  expect(table.rows.map(([label]) => label)).toEqual(effective.map(({ path }) => labelField(SCENARIO, path)));
  expect(table.heads.at(-1)?.head).not.toBe('');
  expect(result.picture?.svg).toContain('attacker’s hit points');
  expect(result.command).toBe('warpool sensitivity duel.yaml --of defender --battles 500 --seed 3');
});

test('balance returns the values of the library, and they meet the target', async () => {
  const ask = {
    ...{ text: TEXT, file: 'duel.yaml', seed: '1', of: 'attacker', battles: 10_000 },
    ...{ field: 'defender.hp', range: [4, 20] as const, target: 0.5, tolerance: 0.05 },
  };
  const result = await balance.balance(ask, 8);
  const found = await balancing(SCENARIO, {
    ...{ vary: [{ path: 'defender.hp', range: [4, 20] }], target: 'attacker=0.5', tolerance: 0.05, battles: 10_000 },
  });
  expect(result.met).toBe(true);
  expect(found.targetMet).toBe(true);
  const meeting = found.meeting.map(({ values: [hp] }) => hp).filter((hp) => hp !== 8);
  expect(result.matches.map(({ changes }) => changes[0]?.[1])).toEqual(meeting.slice(0, 6));
  expect(records(result.csv).map(({ value }) => Number(value))).toContain(found.nearest.value);
  const taken = setFields(TEXT, result.matches[0]?.changes ?? []);
  expect(taken).toContain('# two ranks');
  const again = await balance.balance({ ...ask, text: taken }, 9);
  expect(again.verdict).toContain('gives attacker = 50 ± 5 %');
  expect(result.command).toBe(
    'warpool balance duel.yaml --vary defender.hp=4..20 --target attacker=0.5 --tolerance 0.05 --battles 10000 --seed 1',
  );
});
