/** HTML reports of results, for notebooks. */
import { type Scenario, version } from '../index.ts';
import type { formatSheet } from '../report/index.ts';
import type { PageOrigin } from '../report/node.ts';
import type { CallText } from './call.ts';

/** Terminal output of a command, as a sheet. */
export type OutputSheet = Parameters<typeof formatSheet>[0];

/** Creates the origin of a report. @param name of the scenario or the file */
export const createOrigin = (name: string, { command }: CallText): PageOrigin => ({
  version,
  name,
  command,
  renderSvg: async (...given) => (await import('../report/figures/render.ts')).renderSvg(...given),
});

/** Renders a sheet as a report without figures. */
export async function renderSheet(
  sheet: OutputSheet,
  name: string,
  text: CallText,
  scenarios: readonly (readonly [name: string, scenario: Scenario])[] = [],
): Promise<string> {
  const { renderCommandPage } = await import('../report/html/commands/command-page.ts');
  return await renderCommandPage({ title: name, sheet, pictures: [], scenarios }, createOrigin(name, text));
}

/** Renders a text as a report. */
export async function renderText(lines: string, name: string, text: CallText): Promise<string> {
  const [{ renderPage }, { createCommandBlock, createSection }, { markup }, { SINGLE_STYLE }] = await Promise.all([
    import('../report/html/page-template.ts'),
    import('../report/html/commands/command-page.ts'),
    import('../report/html/markup.ts'),
    import('../report/html/commands/stylesheet.ts'),
  ]);
  return renderPage({
    title: name,
    lead: '',
    warpool: version,
    style: SINGLE_STYLE,
    sections: [
      createSection('result', 'Result', markup`<pre>${lines}</pre>`),
      createSection('made', 'Origin', createCommandBlock(text.command)),
    ],
  });
}
