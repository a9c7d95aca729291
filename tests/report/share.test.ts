/** Shared answers: as text, as an image, and as a chat message. */
import { describe, expect, test } from 'vitest';
import { loadScenario, loadSystems, parseScenario, type Scenario, simulate, solveSync } from '../../src/index.ts';
import { measureTextWidth } from '../../src/report/figures/font.ts';
import { NEUTRAL_COLORS, SIDE_COLORS } from '../../src/report/figures/theme.ts';
import { CARD_SIZE, renderCardSvg } from '../../src/report/share/card.ts';
import { formatChatMessage } from '../../src/report/share/chat.ts';
import {
  createSharedAnswer,
  formatOdds,
  formatSharedAnswer,
  type SharedAnswer,
  selectHeadlineParts,
} from '../../src/report/share/shared-answer.ts';

const DUEL = 'scenarios/attrition-direct.yaml';

const games = await loadSystems(['conquest-dice', 'hit-wound-save'].map((id) => `examples/games/${id}.mjs`));

function exactly(scenario: Scenario): SharedAnswer {
  const { summary, distribution: exactDistribution } = solveSync(scenario);
  return createSharedAnswer({ scenario, exact: { summary, counts: exactDistribution } });
}

const ofFile = async (file: string): Promise<SharedAnswer> => exactly(await loadScenario(file, { systems: games }));

const duel = (attacker: string, name = ''): SharedAnswer =>
  exactly(
    parseScenario(
      `system: attrition\nmode: direct\n${name}attacker: { name: ${JSON.stringify(attacker)}, attack: 1, defense: 1, hp: 3 }\ndefender: { attack: 1, defense: 1, hp: 3 }\n`,
      { source: 'duel' },
    ),
  );

/** Returns the rectangles of the bar with their position, width and color. */
function piecesOf(svg: string): { x: number; width: number; fill: string }[] {
  const [, bar = ''] = /clip-path="url\(#bar\)">(.*?)<\/g>/.exec(svg) ?? [];
  const found = bar.matchAll(/<rect x="([\d.]+)" y="346" width="([\d.]+)" height="92" fill="(#\w+)"/g);
  return [...found]
    .map(([, x, width, fill = '']) => ({ x: Number(x), width: Number(width), fill }))
    .filter(({ fill }) => fill !== '#fff');
}

/** Returns the texts of an image with their left and right ends. */
function textsOf(svg: string): { text: string; left: number; right: number }[] {
  const found = svg.matchAll(
    /<text x="(\d+)" y="\d+" font-size="(\d+)"( font-weight="bold")? fill="#\w+"(?: text-anchor="(\w+)")?>([^<]*)<\/text>/g,
  );
  return [...found].map(([, x, size, bold, anchor, text = '']) => {
    const width = measureTextWidth(text, Number(size), bold !== undefined);
    const left = anchor === 'end' ? Number(x) - width : Number(x);
    return { text, left, right: left + width };
  });
}

test('odds are rounded to a tenth of a percent, but only 0 and 1 to 0 and 100 %', () => {
  expect([0, 1, 0.5, 0.57647, 0.00004, 0.99996].map(formatOdds)).toEqual([
    '0 %',
    '100 %',
    '50 %',
    '57.6 %',
    '0.0040 %',
    '99.9960 %',
  ]);
});

describe('shared answer', () => {
  test('has both sides, their odds, and the average remainder of the winner', async () => {
    const reported = await ofFile(DUEL);
    expect(reported).toMatchObject({
      title: 'Swordsmen against Pikemen',
      system: 'Attrition',
      of: '',
      how: 'exact odds',
    });
    expect(formatSharedAnswer(reported)).toBe('Swordsmen 57.6 %, Both sides fall 6.1 %, Pikemen 36.2 %');
    expect(reported.left).toEqual([
      'On winning, Swordsmen keep 13.6 hit points on average.',
      'On winning, Pikemen keep 10.2 hit points on average.',
    ]);
    expect(selectHeadlineParts(reported).map(({ name, tone }) => [name, tone])).toEqual([
      ['Swordsmen', 0],
      ['Pikemen', 1],
    ]);
  });

  test('has the number of simulated battles if there is no exact answer', async () => {
    const scenario = await loadScenario(DUEL);
    const { summary, counts } = await simulate(scenario, { battles: 2000, seed: 1 });
    const reported = createSharedAnswer({ scenario, simulated: { summary, counts, battles: 2000 } });
    expect(reported.how).toBe('from 2 000 battles');
    expect(reported.parts.map(({ p }) => p)).toEqual(
      ['attacker', 'mutual', 'defender'].map((name) => summary.outcomes.find((each) => each.name === name)?.p),
    );
  });

  test('of a volley has the distribution of losses, in the color of the shooter', async () => {
    const reported = await ofFile('examples/games/hit-wound-save-volley.yaml');
    expect(formatSharedAnswer(reported)).toBe(
      'Defender: models lost 0: 44.0 %, 1: 43.6 %, 2: 11.0 %, 3 or more: 1.4 %',
    );
    expect(new Set(reported.parts.map(({ tone }) => tone))).toEqual(new Set([0]));
    expect(reported.parts.reduce((sum, { p }) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(reported.left).toEqual(['The defender loses 0.7 models on average.']);
    expect(selectHeadlineParts(reported)).toEqual([]);
  });

  test('has the most frequent outcome as its headline if no side ever wins', async () => {
    const reported = await ofFile('scenarios/attrition-deadlock.yaml');
    expect(selectHeadlineParts(reported)).toMatchObject([{ name: 'Stalemate', p: 1, tone: undefined }]);
  });

  test('has the name of the game and the units', async () => {
    const risk = parseScenario('system: conquest-dice\nattacker: 8\ndefender: 1\n', { source: 'risk', systems: games });
    expect(createSharedAnswer({ scenario: risk }).title).toBe('Risk: 8 armies against 1 army');
    const named = async (file: string): Promise<string> =>
      createSharedAnswer({ scenario: await loadScenario(file) }).system;
    expect(await named('examples/games/combined-arms-convoy.yaml')).toBe(
      'Axis & Allies: 2 submarines against 1 destroyer, 1 fighter',
    );
    expect(await named('examples/games/symbol-dice-hill.yaml')).toBe(
      'Memoir ’44: 3 armour figures against 4 infantry figures',
    );
    expect(await named('scenarios/cube-bag-landing.yaml')).toBe(
      'Cubes from a bag: 5 galleys against 2 swordsmen, 2 archers',
    );
  });

  test('summarizes equal outcomes of several areas', async () => {
    const { parts } = await ofFile('scenarios/token-conflict-sieges.yaml');
    expect(parts.map(({ name }) => name)).toContain('The city falls in all 4 areas');
  });

  test('begins with the name of the scenario, if it has one', () => {
    expect(duel('A', 'name: last stand\n').title).toBe('Last stand');
    expect(duel('A').title).toBe('A against Defender');
  });
});

describe('image', () => {
  test('is deterministic and has the size of link previews', async () => {
    const reported = await ofFile(DUEL);
    expect(renderCardSvg(reported)).toBe(renderCardSvg(await ofFile(DUEL)));
    expect(CARD_SIZE).toEqual({ width: 1200, height: 630 });
    expect(renderCardSvg(reported)).toMatch(
      /^<svg [^>]*width="1200" height="630" viewBox="0 0 1200 630"[^>]* role="img"/,
    );
  });

  test('has a bar whose parts have the widths of their odds, in the colors of the sides', async () => {
    const reported = await ofFile(DUEL);
    const pieces = piecesOf(renderCardSvg(reported));
    expect(pieces.map(({ fill }) => fill)).toEqual([SIDE_COLORS[0], NEUTRAL_COLORS[0], SIDE_COLORS[1]]);
    let x = 64;
    for (const [p, piece] of pieces.entries()) {
      expect(piece.x).toBeCloseTo(x, 0);
      expect(piece.width).toBeCloseTo(1072 * (reported.parts[p]?.p ?? 0), 0);
      x += piece.width;
    }
    expect(x).toBeCloseTo(1136, 0);
  });

  test.each([
    DUEL,
    'scenarios/attrition-brawl.yaml',
    'scenarios/token-conflict-sieges.yaml',
    'scenarios/phased-dice-great-wall.yaml',
    'examples/games/conquest-dice-siege.yaml',
    'examples/games/hit-wound-save-volley.yaml',
  ])('of %s has the odds of each part with enough space, and no text beyond its edges', async (file) => {
    const reported = await ofFile(file);
    const texts = textsOf(renderCardSvg(reported));
    for (const { text, left, right } of texts) {
      expect(left, text).toBeGreaterThanOrEqual(63);
      expect(right, text).toBeLessThanOrEqual(1137);
    }
    const likeliest = Math.max(...reported.parts.map(({ p }) => p));
    expect(texts.some(({ text }) => text.endsWith(formatOdds(likeliest)))).toBe(true);
  });

  test('has labels below the bar that do not overlap', async () => {
    const svg = renderCardSvg(await ofFile('scenarios/attrition-brawl.yaml'));
    const labels = textsOf(svg.replaceAll(/<text x="\d+" y="(?!476")\d+".*?<\/text>/g, ''));
    expect(labels.length).toBeGreaterThan(1);
    for (const [l, { left }] of labels.entries()) if (l > 0) expect(left).toBeGreaterThan(labels[l - 1]?.right ?? 0);
  });

  test('escapes names and truncates long ones', () => {
    const svg = renderCardSvg(duel('<script>&"\u202E'));
    expect(svg).not.toMatch(/<script|\u202E|&(?!amp;|lt;|gt;|quot;)/);
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
    for (const { right } of textsOf(renderCardSvg(duel('W'.repeat(60))))) expect(right).toBeLessThanOrEqual(1137);
  });
});

describe('chat message', () => {
  test('has a title, a bar, sentences and a link', async () => {
    const reported = await ofFile(DUEL);
    expect(formatChatMessage(reported, 'https://example.org/#1').split('\n')).toEqual([
      'Swordsmen against Pikemen (Attrition)',
      '🟧🟧🟧🟧🟧🟧🟦🟦🟦🟦',
      ...reported.lines,
      'https://example.org/#1',
    ]);
    expect(reported.lines[0]).toContain('57.65 %');
    expect(formatChatMessage(reported, '').endsWith(reported.lines.at(-1) ?? '?')).toBe(true);
  });

  test('has a bar of ten squares for any odds', () => {
    for (const shares of [[1], [0.05, 0.95], [0.25, 0.25, 0.5], [0.149, 0.149, 0.702], [0.04, 0.04, 0.04, 0.88]]) {
      const parts = shares.map((p, tone) => ({ name: String(tone), p, tone }));
      const reported: SharedAnswer = { title: '', system: '', sides: [], of: '', parts, lines: [], left: [], how: '' };
      const [, bar = ''] = formatChatMessage(reported, '').split('\n');
      expect(Array.from(bar), String(shares)).toHaveLength(10);
      const counts = parts.map((_, tone) => bar.split(['🟧', '🟦', '🟩', '🟪'][tone] ?? '?').length - 1);
      for (const [k, count] of counts.entries()) expect(Math.abs(count - 10 * (shares[k] ?? 0))).toBeLessThan(1);
    }
  });

  test('of a distribution has no bar', async () => {
    const reported = await ofFile('examples/games/hit-wound-save-volley.yaml');
    expect(formatChatMessage(reported, '').split('\n')[1]).toBe(formatSharedAnswer(reported));
  });
});
