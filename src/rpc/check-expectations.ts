/** `check_expectations`: claims of files about scenarios. */
import { checkList } from '../core/index.ts';
import { checkExpectations, type ExpectationResult, loadExpectations } from '../index.ts';
import { createExpectationsJson, formatExpectationsSheet, PLAIN_STYLE } from '../report/index.ts';
import { type FunctionDeclaration, toOptions } from './call.ts';
import { renderText } from './pages.ts';

export const checkExpectationFiles: FunctionDeclaration = {
  library: 'checkExpectations',
  subjects: ['expectations'],
  output: 'assert',
  table: ['expectations'],
  async call(call) {
    const files = [call.subjects[0]].flat() as string[];
    checkList('expectations', 'a list of paths', files);
    const results: [file: string, verdicts: ExpectationResult[]][] = [];
    for (const file of files) {
      const expectations = await loadExpectations(file, { systems: call.systems });
      results.push([file, await checkExpectations(expectations, toOptions(call))]);
    }
    const verdicts = results.flatMap(([, each]) => each);
    const passed = verdicts.every(({ verdict }) => verdict === 'holds');
    return {
      json: createExpectationsJson(verdicts, files, passed),
      html: (text) =>
        renderText(
          results.map(([file, each]) => formatExpectationsSheet(each, file, PLAIN_STYLE)).join('\n'),
          'check_expectations',
          text,
        ),
    };
  },
};
