/** Best response next to a replay: the values of the library at each decision. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { findBestResponseSync as optimumOf } from '../../src/environments/best-response/best-response.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { setRegistry } from '../../web/engine/registry/registry.ts';
import { battle } from '../../web/engine/studies/battle.ts';
import { type BestResponseAnswer, type BestResponseRequest, optimal } from '../../web/engine/studies/best-response.ts';
import { DEPTH, some } from '../depth.ts';

const textOf = (file: string): string => readFileSync(file, 'utf8');
const aim = (more: Partial<BestResponseRequest> = {}): BestResponseRequest => ({
  agent: 'attacker',
  reward: 'win',
  budget: 200_000,
  ...more,
});

function answered(file: string, requested: BestResponseRequest, number = 0): BestResponseAnswer {
  const found = optimal.findBestResponse({ text: textOf(file), file, seed: '1', battle: number }, requested);
  if (found.kind === 'optimal') return found;
  throw new Error(found.message);
}

const BLUFF = 'scenarios/strength-cards-bluff.yaml';
const DOGFIGHT = 'scenarios/phased-dice-dogfight.yaml';
const BATTERING = 'scenarios/cube-bag-battering.yaml';

describe('the best response next to a replay', () => {
  test.each(some([BLUFF, DOGFIGHT, BATTERING]))('has the value of the library: %s', (file) => {
    const {
      value,
      policyValue: given,
      outcomes,
      decisionStates: decisions,
    } = optimumOf(parseScenario(textOf(file), { source: file }));
    const won = outcomes.find(({ name }) => name === 'attacker');
    const found = answered(file, aim());
    expect([found.best, found.given, found.decisions]).toEqual([value, given, decisions]);
    // A policy that maximizes the win probability may draw more or less often, and wins at least as often.
    const chance = answered(file, aim({ reward: 'chance' }));
    expect(chance.given).toBeCloseTo(won?.policy ?? -1, 12);
    expect(chance.best).toBeGreaterThanOrEqual((won?.bestResponse ?? 2) - 1e-12);
  });

  test('values the first decision like the whole battle if nothing precedes it', () => {
    const { best, given, advice } = answered(BLUFF, aim());
    const [first] = advice;
    const worths = first?.payoffs ?? [];
    expect(worths.map(({ action }) => action)).toHaveLength(3);
    expect(Math.max(...worths.map((payoff) => payoff.best))).toBeCloseTo(best, 12);
    expect(worths.reduce((sum, payoff) => sum + payoff.policy * payoff.given, 0)).toBeCloseTo(given, 12);
    expect(worths.filter(({ isBest }) => isBest).every((payoff) => payoff.best > best - 1e-9)).toBe(true);
  });

  test.runIf(DEPTH > 1)('reports the loss of the policy correction at each decision', () => {
    const { corrections } = optimumOf(parseScenario(textOf(DOGFIGHT), { source: DOGFIGHT }));
    const wrong = Array.from({ length: 12 }, (_, number) => answered(DOGFIGHT, aim(), number).advice)
      .flat()
      .filter(({ loss }) => loss > 1e-9);
    expect(wrong.length).toBeGreaterThan(3);
    for (const { point, loss, payoffs: worths } of wrong) {
      const best = worths?.find(({ isBest }) => isBest)?.action;
      const same = corrections.filter((each) => each.decision === point && each.bestAction === best);
      expect(Math.min(...same.map((each) => Math.abs(each.loss - loss)))).toBeLessThan(1e-9);
    }
  });

  test.runIf(DEPTH > 1)('has advice at the replay step of each decision, with the chosen action', () => {
    const number = 3;
    const { advice } = answered(DOGFIGHT, aim(), number);
    const { steps } = battle.getReplay({ text: textOf(DOGFIGHT), file: 'it', seed: '1', battle: number });
    const decided = steps.flatMap(({ events: seen }, s) =>
      seen.flatMap((event) =>
        event.kind === 'decide' && event.player === 'attacker' && event.options.length > 1
          ? [{ step: s, choice: event.choice, point: event.point }]
          : [],
      ),
    );
    expect(decided.length).toBeGreaterThan(0);
    expect(advice.map(({ step, chosen: taken, point }) => ({ step, taken, point }))).toEqual(
      decided.map(({ step, choice, point }) => ({
        step,
        point,
        taken: expect.stringContaining(String(choice)) as string,
      })),
    );
    for (const { payoffs: worths, chosen: taken } of advice)
      expect(worths?.some(({ action }) => action === taken)).toBe(true);
  });

  test('includes the equivalent command if the command line supports the objective', () => {
    expect(answered(BLUFF, aim()).command).toBe(`warpool best-response ${BLUFF} --agent attacker --reward win`);
    expect(answered(BLUFF, aim({ reward: 'chance' })).command).toBeUndefined();
  });

  test('is replaced by a suggested budget if the budget is too small', () => {
    const file = 'scenarios/phased-dice-ground.yaml';
    const found = optimal.findBestResponse({ text: textOf(file), file, seed: '1', battle: 0 }, aim({ budget: 1000 }));
    expect(found).toMatchObject({ kind: 'too-large', suggested: 2000 });
    expect(found).toHaveProperty('message', expect.stringContaining('budget of 1 000 steps') as string);
  });

  test('lists the players that make decisions', () => {
    expect(optimal.listBestResponseChoices(textOf(BATTERING))).toMatchObject({ players: ['attacker', 'defender'] });
    expect(optimal.listBestResponseChoices(textOf('scenarios/attrition-direct.yaml')).points).toEqual([]);
  });
});

describe('a player that does not observe the choices of others', () => {
  afterAll(() => {
    setRegistry(SHIPPED_REGISTRY);
  });

  test('is valued by its information, not by the true state of the battle', () => {
    expect(optimumOf(parseScenario(textOf(BLUFF), { source: BLUFF }), { agent: 'defender' }).beliefs).toBeGreaterThan(
      0,
    );
    // The attacker has chosen its card: states with different cards look alike to the defender and have the same value.
    const all = [0, 1, 2, 3, 4, 5].map((number) => answered(BLUFF, aim({ agent: 'defender' }), number));
    for (const { advice, best, given } of all) {
      const worths = advice[0]?.payoffs ?? [];
      expect(Math.max(...worths.map((payoff) => payoff.best))).toBeCloseTo(best, 12);
      expect(worths.reduce((sum, payoff) => sum + payoff.policy * payoff.given, 0)).toBeCloseTo(given, 12);
    }
  });

  test.runIf(DEPTH > 1)('is valued by its information in a custom module', async () => {
    setRegistry(await loadSystems(['examples/systems/feint.mjs']));
    const file = 'examples/systems/feint-reader.yaml';
    const found = answered(file, aim({ agent: 'red' }));
    expect(found.advice.length).toBeGreaterThan(0);
    expect(found.advice.every(({ payoffs: worths }) => worths?.length === 4)).toBe(true);
    // Blue chooses after red, in secret: the value of the first decision is the value of the battle.
    expect(Math.max(...(found.advice[0]?.payoffs ?? []).map(({ best }) => best))).toBeCloseTo(found.best, 9);
    const blue = answered(file, aim({ agent: 'blue' }));
    expect(blue.advice.every(({ payoffs: worths }) => worths?.length === 4)).toBe(true);
    expect(Math.max(...(blue.advice[0]?.payoffs ?? []).map(({ best }) => best))).toBeCloseTo(blue.best, 9);
  });
});
