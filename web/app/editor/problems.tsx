import type { LocatedProblem } from '../../engine/editing/check.ts';
import { checkResult, file } from '../state.ts';

/** Formats a problem as the command line does, with the file name. */
function formatProblem({ message }: LocatedProblem): string {
  return message.replace(/^scenario(?=[: ])/, () => file.value);
}

/** List of problems; with `onGo`, each is a button that moves to its position. */
export function Problems({ onGo }: { readonly onGo?: (problem: LocatedProblem) => void }) {
  const found = checkResult.value;
  const problems = found?.ok === false ? found.problems : [];
  const more = found?.ok === false ? found.more : 0;
  return (
    <ul class="problems" aria-live="polite">
      {problems.map((problem) => (
        <li key={problem.message}>
          {onGo === undefined ? (
            formatProblem(problem)
          ) : (
            <button
              type="button"
              onClick={() => {
                onGo(problem);
              }}
            >
              {formatProblem(problem)}
            </button>
          )}
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}
