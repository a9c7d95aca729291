/** What single values are typed or chosen with. */
import { useState } from 'preact/hooks';
import type { Entry, Shape } from '../../engine/form.ts';
import { change } from './changes.ts';

type Of<Kind extends Shape['kind']> = Extract<Shape, { readonly kind: Kind }>;

export interface ControlProps<S extends Shape> {
  readonly entry: Entry;
  readonly shape: S;
  /** Of the control, for its label. */
  readonly id: string;
  readonly wrong: boolean;
  /** Where there is no label beside it. */
  readonly label?: string;
}

/** What a field says of itself to those who do not see it. */
function described({ id, wrong, entry, label }: Omit<ControlProps<Shape>, 'shape'>) {
  return {
    id,
    'aria-label': label,
    'aria-invalid': wrong,
    'aria-required': entry.required,
    'aria-describedby': wrong || entry.about !== '' ? `${id}-hint` : undefined,
  };
}

/** Writes what was typed; a field that is emptied is left out. */
function write({ path, present }: Entry, typed: string, value: unknown): void {
  if (typed !== '') change({ kind: 'set', path, value });
  else if (present && typeof path.at(-1) === 'string') change({ kind: 'remove', path });
}

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)$/;

/** While one types the field shows what is typed; afterwards what the text has. */
function useDraft(value: string): [shown: string, type: (typed: string) => void, end: () => void] {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const end = (): void => {
    setDraft(undefined);
  };
  return [draft ?? value, setDraft, end];
}

export function NumberControl(props: ControlProps<Of<'number'>>) {
  const { entry, shape } = props;
  const [shown, type, end] = useDraft(shape.value === undefined ? '' : String(shape.value));
  return (
    <input
      {...described(props)}
      type="number"
      inputMode={shape.whole && (shape.low ?? 0) >= 0 ? 'numeric' : 'decimal'}
      min={shape.low}
      max={shape.high}
      step={shape.whole ? 1 : 'any'}
      placeholder={entry.default}
      value={shown}
      onInput={({ currentTarget: { value, validity } }) => {
        type(value);
        if (!validity.badInput) write(entry, value, Number(value));
      }}
      onBlur={end}
    />
  );
}

export function TextControl(props: ControlProps<Of<'text'>>) {
  const { entry, shape } = props;
  const [shown, type, end] = useDraft(shape.value ?? '');
  return (
    <input
      {...described(props)}
      type="text"
      autocomplete="off"
      spellcheck={false}
      placeholder={entry.default}
      value={shown}
      onInput={({ currentTarget: { value } }) => {
        type(value);
        write(entry, value, shape.number && NUMBER.test(value) ? Number(value) : value);
      }}
      onBlur={end}
    />
  );
}

export function SwitchControl(props: ControlProps<Of<'switch'>>) {
  const { entry, shape } = props;
  return (
    <input
      {...described(props)}
      type="checkbox"
      checked={shape.value}
      onChange={({ currentTarget: { checked } }) => {
        change({ kind: 'set', path: entry.path, value: checked });
      }}
    />
  );
}

/** The first line of a choice where nothing is chosen. */
function leftOut({ required, default: given }: Entry): string {
  if (given !== undefined) return `default: ${given}`;
  return required ? 'choose' : 'left out';
}

export function ChoiceControl(props: ControlProps<Of<'choice'>>) {
  const { entry, shape } = props;
  const removable = typeof entry.path.at(-1) === 'string' && (!entry.required || shape.chosen < 0);
  return (
    <select
      {...described(props)}
      value={String(shape.chosen)}
      onChange={({ currentTarget: { value } }) => {
        const option = shape.options[Number(value)];
        change(
          option === undefined
            ? { kind: 'remove', path: entry.path }
            : { kind: 'set', path: entry.path, value: option.value },
        );
      }}
    >
      {removable && <option value="-1">{leftOut(entry)}</option>}
      {shape.options.map(({ label }, i) => (
        <option key={label} value={String(i)}>
          {label}
        </option>
      ))}
    </select>
  );
}
