/** The page of a search for balance. */
import type { Scenario } from '../../../rules/index.ts';
import { ascending, type Balance } from '../../../studies/index.ts';
import { balanceSheet, searchTable, shownSettings } from '../../balance.ts';
import { balancePicture } from '../../pictures/balance.ts';
import { sidesOf } from '../../sides.ts';
import { markup } from '../markup.ts';
import { answerPage, commandOf, detailsOf, paragraphs, type Subject, sectionOf, sheetOf } from './answer.ts';

export interface BalanceSubject extends Subject {
  readonly scenario: Scenario;
  /** The command that continues with a setting: `attacker.hp=30`. */
  readonly next: (set: readonly string[]) => string;
}

/** The whole page of a search for balance. */
export async function balancePage(result: Balance, subject: BalanceSubject): Promise<string> {
  const { name, scenario, next } = subject;
  const settings = shownSettings(result).toSorted((a, b) => ascending(a.values, b.values));
  const picture = balancePicture(result, settings, sidesOf(scenario));
  const [best] = result.meeting;
  const set = best && result.fields.map(({ path }, f) => `${path}=${String(best.values[f] ?? '')}`);
  const command = set === undefined ? markup`` : commandOf(next(set));
  const search = detailsOf(
    'All settings that were looked at, in the order of the search',
    sheetOf(searchTable(result)),
  );
  return await answerPage(
    {
      title: `${name}: balance`,
      sheet: balanceSheet(result, name, { file: '' }),
      alarm: result.finished ? undefined : 'The search was interrupted.',
      pictures: picture === undefined ? [] : [picture],
      sections: [
        sectionOf(
          'search',
          'The search',
          markup`${search}
${set === undefined ? markup`` : paragraphs(['To see what the setting changes, battle by battle on the same dice:'])}${command}`,
        ),
      ],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
