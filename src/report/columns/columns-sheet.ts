/** Output of `warpool columns`. */

import { type TerminalStyle, wrapText } from '../text/table.ts';
import { GLOSSARY, type GlossaryTopic, listHeadings } from './glossary.ts';

function formatTopic({ title, commands, columns }: GlossaryTopic, { paint, width }: TerminalStyle): string[] {
  return [
    `${paint.bold(title)} (${commands.join(', ')})`,
    ...columns.flatMap((each) => [
      `  ${listHeadings(each).join(paint.dim(' | '))}`,
      ...wrapText(each[1], 6, width).map(paint.dim),
    ]),
  ];
}

/** Formats the glossary of the tables of one command, or of all. */
export function formatColumnsSheet(command: string | undefined, look: TerminalStyle): string {
  const shown = GLOSSARY.filter(({ commands }) => command === undefined || commands.includes(command));
  const words = look.paint.dim('Terms: docs/reference/glossary.md');
  return `${[...shown.map((topic) => formatTopic(topic, look).join('\n')), words].join('\n\n')}\n`;
}
