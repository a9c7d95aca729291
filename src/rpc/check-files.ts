/** `check`: kinds and errors of files, or of their fields. */
import { type CheckedFile, createCheckJson, formatCheckLine, PLAIN_STYLE } from '../report/index.ts';
import { checkFile } from '../report/node.ts';
import type { FunctionDeclaration } from './call.ts';
import { renderText } from './pages.ts';
import { nameSource, openSource } from './subjects.ts';

/** Formats the line of a file, or its errors. */
const formatChecked = (file: CheckedFile): string =>
  file.error === undefined ? formatCheckLine(file, PLAIN_STYLE) : `${file.error.message}\n`;

export const checkFiles: FunctionDeclaration = {
  about: 'Validates scenarios, sweeps, rosters and expectation files. The result has the errors of invalid files.',
  subjects: ['files'],
  table: ['files'],
  output: 'check',
  async call({ subjects: [files], systems }) {
    const checked: CheckedFile[] = [];
    for (const source of [files].flat())
      checked.push(await checkFile(nameSource(source), { place: 'set', systems }, () => openSource(source, systems)));
    return {
      json: createCheckJson(checked),
      html: (text) => renderText(checked.map(formatChecked).join(''), 'check', text),
    };
  },
};
