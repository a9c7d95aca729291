/** HTML report of a search for balance. */

import { type BalanceResult, compareValues } from '../../../analysis/index.ts';
import type { Scenario } from '../../../rules/index.ts';
import { createBalanceSheet, createSearchTable, selectShownSettings } from '../../balance/balance.ts';
import { createBalanceFigure } from '../../figures/balance.ts';
import { getSides } from '../../scenario/sides.ts';
import { markup } from '../markup.ts';
import {
  createCommandBlock,
  createDetails,
  createParagraphs,
  createSection,
  createSheetMarkup,
  type PageOrigin,
  renderCommandPage,
} from './command-page.ts';

export interface BalancePageOrigin extends PageOrigin {
  readonly scenario: Scenario;
  /** Formats the command that shows the effects of a setting, such as `attacker.hp=30`. */
  readonly next: (set: readonly string[]) => string;
}

/** Renders the HTML report of a search for balance. */
export async function renderBalancePage(result: BalanceResult, subject: BalancePageOrigin): Promise<string> {
  const { name, scenario, next } = subject;
  const settings = selectShownSettings(result).toSorted((a, b) => compareValues(a.values, b.values));
  const picture = createBalanceFigure(result, settings, getSides(scenario));
  const [best] = result.meeting;
  const set = best && result.fields.map(({ path }, f) => `${path}=${String(best.values[f] ?? '')}`);
  const command = set === undefined ? markup`` : createCommandBlock(next(set));
  const search = createDetails(
    'All examined settings, in the order of the search',
    createSheetMarkup(createSearchTable(result)),
  );
  return await renderCommandPage(
    {
      title: `${name}: balance`,
      sheet: createBalanceSheet(result, name, { file: '' }),
      warning: result.complete ? undefined : 'The search was interrupted.',
      pictures: picture === undefined ? [] : [picture],
      sections: [
        createSection(
          'search',
          'Search',
          markup`${search}
${set === undefined ? markup`` : createParagraphs(['Show the effects of this setting:'])}${command}`,
        ),
      ],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
