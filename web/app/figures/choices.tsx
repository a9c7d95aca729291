/** Choices that compare and sweep share: a field of the scenario, an outcome or metric, a number. */
import type { Settable } from '../../engine/editing/settable.ts';
import { Choice, Options } from '../parts/field.tsx';
import { checkResult } from '../state.ts';

interface FieldChoiceProps {
  readonly label: string;
  readonly fields: readonly Settable[];
  readonly value: string;
  /** What stands for no field; there must be one unless this is given. */
  readonly none?: string;
  readonly onChoice: (path: string) => void;
}

function Fields({ fields, label }: Pick<FieldChoiceProps, 'fields' | 'label'>) {
  if (fields.length === 0) return null;
  return (
    <optgroup label={label}>
      {fields.map(({ path, value }) => (
        <option key={path} value={path}>
          {path} ({String(value)})
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

/** Names of outcomes and metrics of the scenario as it was last in order. */
export function getQuantityNames(): { readonly outcomes: readonly string[]; readonly metrics: readonly string[] } {
  const found = checkResult.value;
  return found?.ok === true ? found : { outcomes: [], metrics: [] };
}

/** The outcome that is asked about unless another is named. */
export function getFirstOutcome(): string {
  const { outcomes } = getQuantityNames();
  return outcomes.find((outcome) => outcome !== 'stalemate') ?? outcomes[0] ?? '';
}

interface QuantityChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Stands for all outcomes together. */
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
