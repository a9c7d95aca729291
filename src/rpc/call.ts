/** Calls of functions for other languages, and their results. */
import type { WorkProgress } from '../core/index.ts';
import type { Scenario, SystemRegistry } from '../index.ts';
import type { OutputName } from '../report/index.ts';
import { readScenarioSubject, type ScenarioSubject } from './subjects.ts';

/** Progress of a call: of battles, cells or steps. */
export type CallProgress = WorkProgress | Readonly<Record<string, unknown>>;

/** Observers of a call, for functions of the library that accept them. */
export interface CallWatch {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

/** A call of a function. */
export interface FunctionCall {
  /** Scenarios, folders and other subjects, as they were sent. */
  readonly subjects: readonly unknown[];
  /** Options as they were sent: the functions of the library check them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly systems: SystemRegistry;
  readonly watch: CallWatch;
}

/** The call as code of the other language, for the origin of an HTML report. */
export interface CallText {
  /** The whole call: `warpool.run("attrition-direct", battles=1000)`. */
  readonly command: string;
  /** Its subjects: `"attrition-direct"`. */
  readonly subjects: readonly string[];
}

/** Result of a call. */
export interface FunctionResult {
  /** Name of the JSON Schema. Default: the output of the declaration. */
  readonly output?: OutputName;
  /** The JSON of the command with `--json`. */
  readonly json: object;
  /** Renders the HTML report. */
  readonly html: (text: CallText) => Promise<string>;
}

/** A function for other languages. */
export interface FunctionDeclaration {
  /**
   * Name of the function of the library, which has the same options; by value of `method` if there are several. Absent
   * for a function without options that only commands have.
   */
  readonly library?: string | Readonly<Record<string, string>>;
  /** Description. Default: the comment of the function of the library. */
  readonly about?: string;
  /** Names of the subjects. Names in the plural are lists. */
  readonly subjects: readonly string[];
  /** Name of the JSON Schema of results. */
  readonly output: OutputName;
  /** Name of the JSON Schema of results of calls with an option, by option. */
  readonly variants?: Readonly<Record<string, OutputName>>;
  /** Keys of the main table of results: lists or mappings of objects. Absent: one row of the result itself. */
  readonly table?: readonly string[];
  /** Keys of objects that results have besides the output, with their descriptions. */
  readonly added?: Readonly<Record<string, string>>;
  /** Instead of a table: keys of the names of rows and columns, and of the matrix. */
  readonly matrix?: readonly [rows: string, columns: string, values: string];
  /** Functions of the library that are called with the result, and whose options are accepted too. */
  readonly also?: readonly string[];
  readonly call: (call: FunctionCall) => Promise<FunctionResult>;
}

/** Options and observers for a function of the library, which checks them: their type is the one that it expects. */
export const toOptions = ({ options, watch }: FunctionCall): never => ({ ...options, ...watch }) as never;

/** Reads the scenario of a call. @throws InputError if it is invalid */
export const readSubject = (call: FunctionCall, index = 0): Promise<ScenarioSubject> =>
  readScenarioSubject(call.subjects[index], call.systems);

/** Reads a list of scenarios. @throws InputError if one is invalid */
export const readSubjects = (sources: readonly unknown[], systems: SystemRegistry): Promise<ScenarioSubject[]> =>
  Promise.all(sources.map((source) => readScenarioSubject(source, systems)));

/** Pairs of names and scenarios, for reports. */
export const toNamedScenarios = (subjects: readonly ScenarioSubject[]): (readonly [string, Scenario])[] =>
  subjects.map(({ name, scenario }) => [name, scenario]);
