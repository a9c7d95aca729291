/** Transfer of errors from the engine to the page: Comlink would keep only the message. */
import { transferHandlers } from 'comlink';
import { BudgetError, InputError } from '../../src/core/index.ts';

/** Problem of an input. */
export interface InputProblem {
  /** Position and field, `scenario:12:16 attacker.hp`, or only the field. */
  readonly place: string;
  readonly expected: string;
  readonly found: string;
  readonly message: string;
}

interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly problems: readonly InputProblem[];
  readonly more: number;
  readonly suggested?: number | undefined;
}

/** Error of the engine. */
export class EngineError extends Error {
  override readonly name: string;
  /** Problems of an InputError; otherwise empty. */
  readonly problems: readonly InputProblem[];
  /** Number of further problems. */
  readonly more: number;
  /** Suggested budget in steps, of a BudgetError. */
  readonly suggested: number | undefined;

  constructor({ name, message, problems, more, suggested }: SerializedError) {
    super(message);
    this.name = name;
    this.problems = problems;
    this.more = more;
    this.suggested = suggested;
  }
}

/** Lists the problems of an InputError; undefined for other errors. */
export function listProblems(error: unknown): { problems: readonly InputProblem[]; more: number } | undefined {
  const toInputProblem = ({ place, expected, found, message }: InputError): InputProblem => ({
    place,
    expected,
    found,
    message,
  });
  return error instanceof InputError ? { problems: error.errors.map(toInputProblem), more: error.more } : undefined;
}

function serializeError(error: unknown): SerializedError {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const { problems = [], more = 0 } = listProblems(error) ?? {};
  const suggested = error instanceof BudgetError ? error.suggested : undefined;
  return { name, message, problems, more, suggested };
}

interface ThrownValue {
  readonly value: unknown;
}

/** Installs the transfer of errors as `EngineError`, at both ends of the channel. */
export function installErrorTransfer(): void {
  const original = transferHandlers.get('throw');
  if (original === undefined) throw new TypeError('Comlink has no handler for errors');
  transferHandlers.set('throw', {
    canHandle: (value): value is ThrownValue => original.canHandle(value),
    serialize: (thrown: ThrownValue) => [serializeError(thrown.value), []],
    deserialize: (sent: SerializedError) => {
      throw new EngineError(sent);
    },
  });
}
