import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { findTextError, type TextParser } from './text-parsers.ts';

interface LabelProps {
  readonly label: string;
  /** Small print below the field. */
  readonly hint?: ComponentChildren;
  /** Error of the value. */
  readonly error?: string | undefined;
}

interface FieldProps extends LabelProps {
  readonly value: string;
  readonly inputMode?: 'text' | 'numeric' | 'decimal';
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** Width in characters. */
  readonly size?: number;
  /** Receives the text while it is typed. */
  readonly onText: (text: string) => void;
}

function FieldMessage({ id, hint, error }: { readonly id: string } & Pick<LabelProps, 'hint' | 'error'>) {
  if (error === undefined && hint === undefined) return null;
  return (
    <span class={error === undefined ? 'hint' : 'hint wrong'} id={`${id}-hint`}>
      {error ?? hint}
    </span>
  );
}

/** Labeled input of one line. */
export function Field({ label, hint, error, onText, disabled = false, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        disabled={disabled}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined && hint === undefined ? undefined : `${id}-hint`}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
        }}
        {...rest}
      />
      <FieldMessage id={id} hint={hint} error={error} />
    </div>
  );
}

interface ChoiceProps extends LabelProps {
  readonly value: string;
  /** `option` and `optgroup` elements. */
  readonly children: ComponentChildren;
  readonly onChoice: (value: string) => void;
  readonly disabled?: boolean;
}

/** Labeled choice. */
export function Choice({ label, hint, error, value, children, onChoice, disabled = false }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onChoice(currentTarget.value);
        }}
      >
        {children}
      </select>
      <FieldMessage id={id} hint={hint} error={error} />
    </div>
  );
}

/** Names as options of a choice. */
export function Options({
  names,
  titles = {},
}: {
  names: readonly string[];
  titles?: Readonly<Record<string, string>>;
}) {
  return (
    <>
      {names.map((name) => (
        <option key={name} value={name}>
          {titles[name] ?? name}
        </option>
      ))}
    </>
  );
}

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly size?: number;
  readonly onText: (text: string) => void;
}

interface NumberProps extends InputProps {
  readonly expected: string;
  readonly wrong: boolean;
}

/** Number input whose validity depends on other inputs. */
export function NumberInput({ expected, wrong, size = 9, ...rest }: NumberProps) {
  return <Field inputMode="decimal" size={size} error={wrong ? `expected ${expected}` : undefined} {...rest} />;
}

interface SettingProps extends InputProps {
  readonly setting: TextParser<unknown>;
}

/** Input with a parser. */
export function SettingInput({ setting, size = 12, ...rest }: SettingProps) {
  return <Field inputMode="decimal" size={size} error={findTextError(setting, rest.value)} {...rest} />;
}
