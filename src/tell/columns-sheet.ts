/** What `warpool columns` prints. */
import { GLOSSARY, headsOf, type Topic } from './glossary.ts';
import { type Look, wrapped } from './text/table.ts';

function lines({ title, commands, columns }: Topic, { paint, width }: Look): string[] {
  return [
    `${paint.bold(title)} (${commands.join(', ')})`,
    ...columns.flatMap((each) => [
      `  ${headsOf(each).join(paint.dim(' | '))}`,
      ...wrapped(each[1], 6, width).map(paint.dim),
    ]),
  ];
}

/** The columns of a command's tables, or of all. */
export function columnsSheet(command: string | undefined, look: Look): string {
  const shown = GLOSSARY.filter(({ commands }) => command === undefined || commands.includes(command));
  const words = look.paint.dim('Terms: docs/reference/glossary.md');
  return `${[...shown.map((topic) => lines(topic, look).join('\n')), words].join('\n\n')}\n`;
}
