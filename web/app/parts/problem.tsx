import { preventNumberBreaks } from '../../../src/report/index.ts';
import { EngineError } from '../../engine/errors.ts';

/** Returns the messages of an error. */
export function formatError(error: unknown): string[] {
  if (error instanceof EngineError && error.problems.length > 0) {
    const more = error.more > 0 ? [`and ${String(error.more)} more`] : [];
    return [...error.problems.map(({ message }) => message), ...more];
  }
  return [error instanceof Error ? error.message : String(error)];
}

/** Error message, announced at once to screen readers. */
export function Problem({ error }: { readonly error: unknown }) {
  return (
    <div class="problem" role="alert">
      {formatError(error).map((line) => (
        <p>{preventNumberBreaks(line)}</p>
      ))}
    </div>
  );
}
