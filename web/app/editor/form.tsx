/** Form view of the scenario, generated from the declared fields. */
import { useLayoutEffect } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import './editor.css';
import { changeError, form, watchForm } from './form-edits.ts';
import { Entries } from './form-groups.tsx';

export function FormView() {
  useLayoutEffect(watchForm, []);
  const found = form.value;
  if (found === undefined) return <p class="soft">Loading …</p>;
  if (!found.ok) {
    return (
      <p class="form-none" role="status">
        {found.reason}
      </p>
    );
  }
  return (
    <form
      class="scenario-form"
      aria-label="Scenario"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      {changeError.value !== undefined && <Problem error={changeError.value} />}
      <Entries entries={found.entries} />
    </form>
  );
}
