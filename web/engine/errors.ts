/** Errors on their way from the engine to the page: Comlink alone would leave out what they hold beside the message. */
import { transferHandlers } from 'comlink';
import { BudgetError, InputError } from '../../src/core/index.ts';

/** One thing that is wrong with what was given. */
export interface InputProblem {
  /** `scenario:12:16 attacker.hp`, or the field alone. */
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

/** What the engine has thrown. */
export class EngineError extends Error {
  override readonly name: string;
  /** Of an InputError; otherwise empty. */
  readonly problems: readonly InputProblem[];
  /** Problems beyond those. */
  readonly more: number;
  /** Steps of a budget that may be enough, of a BudgetError. */
  readonly suggested: number | undefined;

  constructor({ name, message, problems, more, suggested }: SerializedError) {
    super(message);
    this.name = name;
    this.problems = problems;
    this.more = more;
    this.suggested = suggested;
  }
}

/** The problems that an error tells of; undefined if it is of another kind. */
export function listProblems(error: unknown): { problems: readonly InputProblem[]; more: number } | undefined {
  const plain = ({ place, expected, found, message }: InputError): InputProblem => ({
    place,
    expected,
    found,
    message,
  });
  return error instanceof InputError ? { problems: error.errors.map(plain), more: error.more } : undefined;
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

/** Has errors arrive as an `EngineError`; for both ends of the channel. */
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
