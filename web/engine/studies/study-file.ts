/** Studies that a file describes: matchups of a roster, and balance problems. */
import { ScenarioLoader } from '../../../src/analysis/index.ts';
import { AbortError, InputError, version } from '../../../src/core/index.ts';
import { preloadKernels } from '../../../src/core/platform/browser/kernels.ts';
import {
  formatBlocks,
  formatCommandLine,
  PLAIN_STYLE,
  type ProgressCount,
  type Sheet,
  type SheetBlock,
} from '../../../src/report/index.ts';
import { type DocumentSource, readDocument } from '../../../src/rules/index.ts';
import { adaptToPage, parseScenarioText } from '../editing/check.ts';
import { listProblems } from '../errors.ts';
import { type RenderedFigure, renderFigure } from '../output/figures.ts';
import { createSheetParts, type SheetPart } from '../output/sheet.ts';
import { createScenarioOptions, getRegistry } from '../registry/registry.ts';
import { getSignal } from '../task.ts';
import { formatOptions, type WrittenOptions } from './study-options.ts';

/** Kinds of studies, by the names of their panels. */
export type StudyKind = 'matchup' | 'balance-problem';

export interface StudyFileRequest {
  readonly kind: StudyKind;
  readonly text: string;
  /** File name, for messages and the command line. */
  readonly file: string;
  /** Options of the command, as written; empty ones have their default. */
  readonly options?: WrittenOptions;
  /** Texts of scenarios that the file can refer to, by file name. */
  readonly scenarios: Readonly<Record<string, string>>;
}

/** Result of the validation of a file. */
export interface StudyCheck {
  /** Size of a valid study: `4 x 4 armies, 16 cells`. */
  readonly summary?: string;
  /** Messages of an invalid one. */
  readonly problems: readonly string[];
}

/** Figure with its title. */
export interface StudyFigure {
  readonly title: string;
  readonly picture: RenderedFigure;
}

/** Result of a study as shown on the page. */
export interface StudyView {
  /** Main result in a sentence; empty if the tables are the result. */
  readonly answer: string;
  readonly figures: readonly StudyFigure[];
  /** Tables and sentences of the command; the title of the first section is empty. */
  readonly sections: readonly { readonly title: string; readonly parts: readonly SheetPart[] }[];
  readonly command: string;
}

/** Formats of result files. */
export type StudyFormat = 'json' | 'csv' | 'html';

/** Origin of an HTML report. */
export interface StudyOrigin {
  readonly version: string;
  readonly command: string;
  readonly renderSvg: (...figure: Parameters<typeof renderFigure>) => Promise<string>;
}

/** Result of a study. */
export interface StudyResult {
  readonly sheet: Sheet;
  createFigures(): Promise<StudyFigure[]>;
  createJson(): unknown;
  createCsv(): string;
  renderReport(origin: StudyOrigin): Promise<string>;
}

export interface StudyRunOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ProgressCount) => void;
}

/** Validated study. */
export interface PreparedStudy {
  readonly summary: string;
  /** Ids of the systems of its scenarios. */
  readonly systems: readonly string[];
  run(options: StudyRunOptions): Promise<StudyResult>;
}

/** Validates the document of a study. @param name of the file @param options as written */
export type StudyParser = (
  source: DocumentSource,
  name: string,
  loader: ScenarioLoader,
  options: WrittenOptions,
) => Promise<PreparedStudy>;

interface StudyDeclaration {
  readonly command: string;
  /** Expected content in messages. */
  readonly what: string;
  readonly load: () => Promise<StudyParser>;
}

const STUDIES: Readonly<Record<StudyKind, StudyDeclaration>> = {
  matchup: { command: 'matchup', what: 'a roster', load: async () => (await import('./matchup.ts')).parseMatchup },
  'balance-problem': {
    command: 'balance',
    what: 'a balance problem',
    load: async () => (await import('./balance-problem.ts')).parseProblem,
  },
};

/** @throws InputError for an invalid file or scenario */
async function prepareStudy({ kind, text, file, options = {}, scenarios }: StudyFileRequest): Promise<PreparedStudy> {
  const { what, load } = STUDIES[kind];
  const source = { ...readDocument(text, file, what), registry: getRegistry() };
  const loader = new ScenarioLoader(source, (path) => {
    const name = path.split('/').at(-1) ?? '';
    const content = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
    if (content !== undefined) return parseScenarioText(content, name);
    const expected = 'a shipped scenario, or the name of the scenario in the editor';
    throw new InputError(path, expected, 'no such scenario', { code: 'unreadable-file' });
  });
  return await (await load())(source, file, loader, options);
}

/** Last result of each kind, for its files. */
const lastResults = new Map<StudyKind, { readonly key: string; readonly result: StudyResult }>();

async function computeStudy(ask: StudyFileRequest, options: StudyRunOptions): Promise<StudyResult> {
  const key = JSON.stringify(ask);
  const last = lastResults.get(ask.kind);
  if (last?.key === key) return last.result;
  const study = await prepareStudy(ask);
  await preloadKernels(['chain', ...study.systems]);
  const result = await study.run(options);
  lastResults.set(ask.kind, { key, result });
  return result;
}

const formatStudyCommand = ({ kind, file, options = {} }: StudyFileRequest): string =>
  formatCommandLine(STUDIES[kind].command, createScenarioOptions(file), ...formatOptions(options));

/** Divides a sheet into its answer and sections: a bold note is the title of its block. */
function divideSheet(sheet: Sheet): Pick<StudyView, 'answer' | 'sections'> {
  const isAnswer = (part: SheetBlock): boolean => part.kind === 'note' && part.isAnswer === true;
  const sections = sheet.map((block) => {
    const [first, ...rest] = block.filter((part) => !isAnswer(part));
    if (first === undefined) return { title: '', parts: [] };
    const isTitled = first.kind === 'note' && first.tones.includes('bold');
    return { title: isTitled ? first.text : '', parts: createSheetParts(isTitled ? rest : [first, ...rest]) };
  });
  return {
    answer: formatBlocks(sheet.flat().filter(isAnswer), PLAIN_STYLE).join(' '),
    sections: sections.filter(({ parts }) => parts.length > 0),
  };
}

/** Milliseconds between two messages to the page. */
const MESSAGE_INTERVAL = 100;

/** Limits the number of calls. */
function createThrottled(onProgress: StudyRunOptions['onProgress']): StudyRunOptions['onProgress'] {
  let last = 0;
  return (progress) => {
    if (performance.now() - last < MESSAGE_INTERVAL) return;
    last = performance.now();
    onProgress(progress);
  };
}

const noop = (): void => undefined;

export const studies = {
  /** Validates a file; problems are returned, not thrown. */
  async checkStudy(ask: StudyFileRequest): Promise<StudyCheck> {
    try {
      return { summary: (await prepareStudy(ask)).summary, problems: [] };
    } catch (error) {
      const reported = listProblems(error);
      if (reported === undefined) throw error;
      const more = reported.more > 0 ? [`and ${String(reported.more)} more`] : [];
      return { problems: [...reported.problems.map(({ message }) => adaptToPage(message)), ...more] };
    }
  },

  /**
   * Computes a study.
   * @param onProgress receives the number of computed cells several times per second
   * @returns undefined if it was stopped
   * @throws InputError for an invalid file or scenario
   * @throws BudgetError if exact answers are required and one is too large
   */
  async runStudy(
    ask: StudyFileRequest,
    task: number,
    onProgress: (progress: ProgressCount) => void,
  ): Promise<StudyView | undefined> {
    const signal = getSignal(task);
    try {
      const result = await computeStudy(ask, { signal, onProgress: createThrottled(onProgress) });
      return {
        figures: await result.createFigures(),
        ...divideSheet(result.sheet),
        command: formatStudyCommand(ask),
      };
    } catch (error) {
      if (signal.aborted && error instanceof AbortError) return undefined;
      throw error;
    }
  },

  /** Creates a file of the result; computes it again if the engine has lost it. */
  async exportStudy(ask: StudyFileRequest, format: StudyFormat, task: number): Promise<string> {
    const result = await computeStudy(ask, { signal: getSignal(task), onProgress: noop });
    if (format === 'csv') return result.createCsv();
    if (format === 'json') return `${JSON.stringify(result.createJson())}\n`;
    return await result.renderReport({
      version: version(),
      command: formatStudyCommand(ask),
      renderSvg: async (...figure) => (await renderFigure(...figure)).svg,
    });
  },
};
