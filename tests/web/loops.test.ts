/**
 * Custom modules that never respond, in the built web app: they are stopped with a reason, and the page still works.
 * Needs Chromium.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { inBrowser, lookedAt, MISSING } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';

/** Code to insert into the parts of a module. */
interface Fault {
  readonly top?: string;
  readonly battle?: string;
  readonly round?: string;
}

/** Creates a duel module with a fault. */
const moduleWith = ({ top = '', battle = '', round = '' }: Fault): string => `
import { d, defineSystem, integer } from 'warpool/system';
${top}
export default defineSystem({
  id: 'blows',
  title: 'Blows',
  about: 'Both lose a life on a 6.',
  fields: { lives: integer(1, 10, 'Lives.').default(2) },
  rules: { blow: () => 'A blow.' },
  examples: { even: { lives: 2 } },
  battle: ({ lives }) => {
    ${battle}
    return {
      outcomes: ['red', 'blue'],
      metrics: { left: { min: 0, max: lives, of: (state) => state.left } },
      start: () => ({ left: lives }),
      round: [
        (state, chance) => {
          ${round}
          chance.rule('blow');
          return { left: state.left - (chance.sample(d(6)) === 6 ? 1 : 0) };
        },
      ],
      outcome: ({ left }) => (left > 0 ? undefined : 'blue'),
    };
  },
});
`;

const DUEL = `system: attrition
mode: direct
attacker: { attack: 1, defense: 1, hp: 9 }
defender: { attack: 1, defense: 1, hp: 8 }
`;

const FOREVER = 'for (;;) {}';
const GROWING = 'const all = []; for (;;) all.push({ at: all.length });';
/** Time limit in milliseconds: a busy machine is slow, and modules are stopped after ten seconds. */
const LATE = 180_000;

describe.skipIf(MISSING || DEPTH === 1)('a faulty module', () => {
  const served = inBrowser();

  const own = (page: Page) => page.getByRole('tabpanel', { name: 'Custom rules' });
  const answer = (page: Page) => page.getByRole('tabpanel', { name: 'Answer' });

  async function run(page: Page, fault: Fault): Promise<void> {
    await page.goto(await served.link(SCENARIO, { panel: 'own', battles: 1000 }));
    const buffer = Buffer.from(moduleWith(fault));
    await own(page)
      .getByLabel('Module with a system')
      .setInputFiles({ name: 'blows.js', mimeType: 'text/javascript', buffer });
    await own(page).getByRole('button', { name: /^Run / }).click();
  }

  /** Expects that an element disappears, waiting for slow machines. */
  const expectNone = (what: Locator) => expect.poll(() => what.count(), { timeout: 30_000 }).toBe(0);

  /** Expects that the page answers a shipped scenario. */
  async function expectUse(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('token-conflict-open');
    await page.getByRole('tab', { name: 'Answer' }).click();
    await answer(page)
      .getByText(/battles simulated/)
      .waitFor();
    await expectNone(page.locator('.older'));
    await expectNone(page.getByRole('alert'));
  }

  test.each([
    ['loops at load', { top: FOREVER }, 'blows.js did not load within 10 s: it may be in an infinite loop'],
    ['waits at load', { top: 'await new Promise(() => {});' }, 'blows.js did not load within 10 s'],
    ['closes the worker at load', { top: 'close();' }, 'close is not available to modules'],
    [
      'closes it by its prototype',
      { top: 'Object.getPrototypeOf(self).close.call(self);' },
      'blows.js: expected a module',
    ],
  ])('is reported when it %s, and the page still works', { timeout: LATE }, async (_, fault, printed) => {
    const { page } = await served.visit();
    await run(page, fault);
    await own(page).getByRole('alert').filter({ hasText: printed }).waitFor();
    await expectNone(own(page).getByText('Opening …'));
    await own(page).getByRole('button', { name: 'Do not run' }).click();
    await expectUse(page);
  });

  test('can be stopped while it is opened', { timeout: LATE }, async () => {
    const { page } = await served.visit();
    await run(page, { top: FOREVER });
    await own(page).getByText('Opening …').waitFor();
    await own(page).getByRole('button', { name: 'Stop' }).click();
    await own(page).getByText('Opening …').waitFor({ state: 'detached' });
    expect(await own(page).getByRole('alert').count()).toBe(1);
    await own(page).getByRole('button', { name: 'Do not run' }).click();
    await expectUse(page);
  });

  test.each([
    ['loops for ever where battles are set up', { battle: FOREVER }],
    ['loops for ever in a round', { round: FOREVER }],
    ['takes more and more memory', { round: GROWING }],
  ])('is ended with an error when it %s, without showing an older answer', { timeout: LATE }, async (_, fault) => {
    const { page } = await served.visit();
    await run(page, fault);
    await own(page).getByRole('button', { name: 'even' }).click();
    // The previous answer belongs to another scenario.
    await page
      .getByText(/Checking the text|Solving|Simulating/)
      .first()
      .waitFor();
    expect(
      await answer(page)
        .getByText(/battles? simulated/)
        .count(),
    ).toBe(0);
    await page.getByRole('alert').filter({ hasText: 'has not responded for several seconds' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'blows.js did not respond for 10 s' }).first().waitFor();
    await page.getByRole('tab', { name: 'Custom rules' }).click();
    await own(page).getByRole('button', { name: 'Close the module' }).click();
    await expectUse(page);
  });

  test('is stopped by a button, and another text is answered', { timeout: LATE }, async () => {
    const { page } = await served.visit();
    await run(page, { round: FOREVER });
    await own(page).getByRole('button', { name: 'even' }).click();
    await answer(page).getByText('Solving').waitFor();
    await answer(page).getByRole('button', { name: 'Stop', exact: true }).click();
    await answer(page).getByText('Stopped without an answer').waitFor();
    // A new text replaces the stopped answer.
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(DUEL);
    await answer(page)
      .getByText(/battles simulated/)
      .waitFor();
  });

  test('is answered with a warning if it failed its checks', { timeout: LATE }, async () => {
    const { page } = await served.visit();
    await run(page, { round: 'if (Math.random() < 0.5) return { left: 0 };' });
    await own(page).locator('.checks .wrong').first().waitFor();
    await own(page).getByRole('button', { name: 'even' }).click();
    await page.getByRole('alert').filter({ hasText: 'These results may be wrong' }).waitFor();
    expect(await lookedAt(page, 'own-doubt')).toEqual([]);
  });
});
