/** Input controls of single values. */
import { useState } from 'preact/hooks';
import type { FieldShape, FormEntry } from '../../engine/editing/form.ts';
import { queueEdit } from './form-edits.ts';

type ControlShape<Kind extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: Kind }>;

export interface ControlProps<S extends FieldShape> {
  readonly entry: FormEntry;
  readonly shape: S;
  /** Element id of the control, for its label. */
  readonly id: string;
  readonly wrong: boolean;
  /** Accessible name, if there is no visible label. */
  readonly label?: string;
}

/** Returns the ARIA properties of a control. */
function getAriaProps({ id, wrong, entry, label }: Omit<ControlProps<FieldShape>, 'shape'>) {
  return {
    id,
    'aria-label': label,
    'aria-invalid': wrong,
    'aria-required': entry.required,
    'aria-describedby': wrong || entry.about !== '' ? `${id}-hint` : undefined,
  };
}

/** Writes a typed value; an empty value removes the field. */
function writeValue({ path, present }: FormEntry, typed: string, value: unknown): void {
  if (typed !== '') queueEdit({ kind: 'set', path, value });
  else if (present && typeof path.at(-1) === 'string') queueEdit({ kind: 'remove', path });
}

const NUMBER_PATTERN = /^-?(?:\d+\.?\d*|\.\d+)$/;

/** Keeps the typed text while the user types; afterwards shows the value of the scenario. */
function useDraft(value: string): [shown: string, type: (typed: string) => void, end: () => void] {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const end = (): void => {
    setDraft(undefined);
  };
  return [draft ?? value, setDraft, end];
}

export function NumberControl(props: ControlProps<ControlShape<'number'>>) {
  const { entry, shape } = props;
  const [shown, type, end] = useDraft(shape.value === undefined ? '' : String(shape.value));
  return (
    <input
      {...getAriaProps(props)}
      type="number"
      inputMode={shape.whole && (shape.low ?? 0) >= 0 ? 'numeric' : 'decimal'}
      min={shape.low}
      max={shape.high}
      step={shape.whole ? 1 : 'any'}
      placeholder={entry.default}
      value={shown}
      onInput={({ currentTarget: { value, validity } }) => {
        type(value);
        if (!validity.badInput) writeValue(entry, value, Number(value));
      }}
      onBlur={end}
    />
  );
}

export function TextControl(props: ControlProps<ControlShape<'text'>>) {
  const { entry, shape } = props;
  const [shown, type, end] = useDraft(shape.value ?? '');
  return (
    <input
      {...getAriaProps(props)}
      type="text"
      autocomplete="off"
      spellcheck={false}
      placeholder={entry.default}
      value={shown}
      onInput={({ currentTarget: { value } }) => {
        type(value);
        writeValue(entry, value, shape.number && NUMBER_PATTERN.test(value) ? Number(value) : value);
      }}
      onBlur={end}
    />
  );
}

export function SwitchControl(props: ControlProps<ControlShape<'switch'>>) {
  const { entry, shape } = props;
  return (
    <input
      {...getAriaProps(props)}
      type="checkbox"
      checked={shape.value}
      onChange={({ currentTarget: { checked } }) => {
        queueEdit({ kind: 'set', path: entry.path, value: checked });
      }}
    />
  );
}

/** Returns the label of the empty option. */
function formatEmptyChoice({ required, default: given }: FormEntry): string {
  if (given !== undefined) return `default: ${given}`;
  return required ? 'choose' : 'not set';
}

export function ChoiceControl(props: ControlProps<ControlShape<'choice'>>) {
  const { entry, shape } = props;
  const removable = typeof entry.path.at(-1) === 'string' && (!entry.required || shape.chosen < 0);
  return (
    <select
      {...getAriaProps(props)}
      value={String(shape.chosen)}
      onChange={({ currentTarget: { value } }) => {
        const option = shape.options[Number(value)];
        queueEdit(
          option === undefined
            ? { kind: 'remove', path: entry.path }
            : { kind: 'set', path: entry.path, value: option.value },
        );
      }}
    >
      {removable && <option value="-1">{formatEmptyChoice(entry)}</option>}
      {shape.options.map(({ label }, i) => (
        <option key={label} value={String(i)}>
          {label}
        </option>
      ))}
    </select>
  );
}
