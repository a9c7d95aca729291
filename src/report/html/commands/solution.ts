/** HTML report of a balance problem. */

import type { BalanceSolution } from '../../../analysis/index.ts';
import { createSolutionSheet } from '../../balance/solution.ts';
import { createSettingMap } from '../../figures/setting-map.ts';
import { type PageOrigin, renderCommandPage } from './command-page.ts';

/** Renders the HTML report of a balance problem. */
export async function renderSolutionPage(result: BalanceSolution, subject: PageOrigin): Promise<string> {
  const map = createSettingMap(result);
  return await renderCommandPage(
    {
      title: `${subject.name}: balance`,
      sheet: createSolutionSheet(result),
      pictures: map === undefined ? [] : [map],
      scenarios: result.problem.scenarios.map(({ name, scenario }) => [name, scenario]),
    },
    subject,
  );
}
