/** Choices shared by Compare and Sweep: a field, an outcome or metric. */
import type { Settable } from '../../engine/editing/settable.ts';
import { Choice, Options } from '../parts/field.tsx';
import { checkResult } from '../state.ts';

interface FieldChoiceProps {
  readonly label: string;
  readonly fields: readonly Settable[];
  readonly value: string;
  /** Label of the option without a field; without it, a field is required. */
  readonly none?: string;
  readonly onChoice: (path: string) => void;
}

function Fields({ fields, label }: Pick<FieldChoiceProps, 'fields' | 'label'>) {
  if (fields.length === 0) return null;
  return (
    <optgroup label={label}>
      {fields.map(({ path, label: name, value }) => (
        <option key={path} value={path}>
          {name}: {String(value)}
        </option>
      ))}
    </optgroup>
  );
}

export function FieldChoice({ label, fields, value, none, onChoice }: FieldChoiceProps) {
  const known = fields.some(({ path }) => path === value) || value === '';
  return (
    <Choice label={label} value={value} onChoice={onChoice}>
      {none !== undefined && <option value="">{none}</option>}
      {!known && <option value={value}>{value} (not in this scenario)</option>}
      <Fields fields={fields.filter((field) => field.written)} label="In the scenario" />
      <Fields fields={fields.filter((field) => !field.written)} label="Defaults" />
    </Choice>
  );
}

/** Returns the names of outcomes and metrics of the last valid scenario. */
export function getQuantityNames(): { readonly outcomes: readonly string[]; readonly metrics: readonly string[] } {
  const found = checkResult.value;
  return found?.ok === true ? found : { outcomes: [], metrics: [] };
}

/** Returns the default outcome: the first that is not a stalemate. */
export function getFirstOutcome(): string {
  const { outcomes } = getQuantityNames();
  return outcomes.find((outcome) => outcome !== 'stalemate') ?? outcomes[0] ?? '';
}

interface QuantityChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Label of the option for all outcomes. */
  readonly all?: string;
  readonly onChoice: (name: string) => void;
}

export function QuantityChoice({ label, value, all, onChoice }: QuantityChoiceProps) {
  const { outcomes, metrics } = getQuantityNames();
  return (
    <Choice label={label} value={value} onChoice={onChoice}>
      {all !== undefined && <option value="">{all}</option>}
      <optgroup label="Probability of">
        <Options names={outcomes} />
      </optgroup>
      <optgroup label="Mean of">
        <Options names={metrics} />
      </optgroup>
    </Choice>
  );
}
