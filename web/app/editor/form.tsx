/** The scenario as a form: made of the declared fields, it shows what the text says and changes the text. */
import { useLayoutEffect } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import { form, refused, watchForm } from './changes.ts';
import { Entries } from './form-groups.tsx';

/** Leads to a field of the form. @returns whether it is there */
export function goToField(place: string): boolean {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-place]')];
  const found = fields.find(({ dataset }) => dataset['place'] === place);
  for (let each = found?.closest('details'); each !== null && each !== undefined; ) {
    each.open = true;
    each = each.parentElement?.closest('details');
  }
  const input = found?.querySelector<HTMLElement>('input, select, button, summary');
  input?.focus();
  return input !== null && input !== undefined;
}

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
      {refused.value !== undefined && <Problem error={refused.value} />}
      <Entries entries={found.entries} />
    </form>
  );
}
