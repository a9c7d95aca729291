/** Fields, groups and lists of the form. */
import { useId, useState } from 'preact/hooks';
import type { TextEdit } from '../../engine/editing/edit.ts';
import type { FieldShape, FormEntry } from '../../engine/editing/form.ts';
import { Button } from '../parts/button.tsx';
import { ChoiceControl, type ControlProps, NumberControl, SwitchControl, TextControl } from './form-controls.tsx';
import { getFieldProblem, queueEdit } from './form-edits.ts';

type EntryShape<Kind extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: Kind }>;

function isElement({ path }: FormEntry): boolean {
  return typeof path.at(-1) === 'number';
}

interface RemoveProps {
  readonly words: string;
  readonly path: FormEntry['path'];
  readonly onEdit: (edit: TextEdit) => void;
}

export function RemoveButton({ words, path, onEdit }: RemoveProps) {
  return (
    <button
      type="button"
      class="remove"
      title={words}
      aria-label={words}
      onClick={() => {
        onEdit({ kind: 'remove', path });
      }}
    >
      ×
    </button>
  );
}

function Remove({ entry }: { readonly entry: FormEntry }) {
  const words = `Remove ${entry.place}`;
  return <RemoveButton words={words} path={entry.path} onEdit={queueEdit} />;
}

/** Returns whether a field needs a button to be removed, because it cannot be emptied. */
function hasRemove({ shape, present, required, ...entry }: FormEntry): boolean {
  if (!present || required) return false;
  if (typeof entry.path.at(-1) === 'number') return true;
  return shape.kind !== 'number' && shape.kind !== 'text' && (shape.kind !== 'choice' || shape.inner !== undefined);
}

function Control(props: ControlProps<FieldShape>) {
  const { shape } = props;
  switch (shape.kind) {
    case 'number':
      return <NumberControl {...props} shape={shape} />;
    case 'text':
      return <TextControl {...props} shape={shape} />;
    case 'switch':
      return <SwitchControl {...props} shape={shape} />;
    case 'choice':
      return <ChoiceControl {...props} shape={shape} />;
    default:
      return <code>{shape.kind === 'strange' ? shape.text : ''}</code>;
  }
}

/** Value of the chosen alternative, such as a number or a list. */
function ChosenValue({ entry, shape }: { readonly entry: FormEntry; readonly shape: FieldShape }) {
  const id = useId();
  const wrong = getFieldProblem(entry.place) !== undefined;
  if (shape.kind === 'group') return <Entries entries={shape.entries} />;
  if (shape.kind === 'list') return <List entry={entry} shape={shape} />;
  return (
    <span class="inner">
      <Control entry={entry} shape={shape} id={id} wrong={wrong} label={`${entry.name}, value`} />
    </span>
  );
}

/** Formats the declared range: `1..100`; empty without one. */
function formatRange(shape: FieldShape): string {
  if (shape.kind !== 'number' || shape.low === undefined || shape.high === undefined) return '';
  return `${String(shape.low)}..${String(shape.high)}`;
}

/** Field with one value. */
function FieldLine({ entry }: { readonly entry: FormEntry }) {
  const id = useId();
  const { shape, name, required, about, place } = entry;
  const fault = getFieldProblem(place);
  const hint = fault ?? about;
  const inner = shape.kind === 'choice' ? shape.inner : undefined;
  const nested = inner?.kind === 'group' || inner?.kind === 'list';
  return (
    <div class={nested ? 'entry broad' : 'entry'} data-place={place}>
      <div class="entry-head">
        <label for={id}>
          {name}
          {required && <abbr title="required">*</abbr>}
        </label>
        <span class="range">{formatRange(inner ?? shape)}</span>
        {hasRemove(entry) && <Remove entry={entry} />}
      </div>
      <div class="entry-value">
        <Control entry={entry} shape={shape} id={id} wrong={fault !== undefined} />
        {inner !== undefined && !nested && <ChosenValue entry={entry} shape={inner} />}
      </div>
      {hint !== '' && (
        <span class={fault === undefined ? 'hint' : 'hint wrong'} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {inner !== undefined && nested && <ChosenValue entry={entry} shape={inner} />}
    </div>
  );
}

function List({ entry, shape: { entries, fresh } }: { readonly entry: FormEntry; readonly shape: EntryShape<'list'> }) {
  return (
    <>
      <Entries entries={entries} />
      {fresh !== undefined && (
        <Button
          onClick={() => {
            queueEdit({ kind: 'append', path: entry.path, value: fresh.value });
          }}
        >
          Add to {entry.name}
        </Button>
      )}
    </>
  );
}

/** Input that adds a field with a chosen name. */
function AddNamed({ entry, value }: { readonly entry: FormEntry; readonly value: unknown }) {
  const [name, setName] = useState('');
  const add = (): void => {
    if (name.trim() === '') return;
    queueEdit({ kind: 'set', path: [...entry.path, name.trim()], value });
    setName('');
  };
  return (
    <div class="add-named">
      <input
        type="text"
        aria-label={`New name in ${entry.place}`}
        placeholder="new name"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') add();
        }}
      />
      <Button onClick={add}>Add</Button>
    </div>
  );
}

function Content({
  entry,
  shape,
}: {
  readonly entry: FormEntry;
  readonly shape: EntryShape<'group'> | EntryShape<'list'>;
}) {
  if (shape.kind === 'list') return <List entry={entry} shape={shape} />;
  return (
    <>
      <Entries entries={shape.entries} />
      {shape.fresh !== undefined && <AddNamed entry={entry} value={shape.fresh.value} />}
    </>
  );
}

/** Returns the title of a list element: its name or its number. */
function formatElementTitle(entry: FormEntry, shape: EntryShape<'group'> | EntryShape<'list'>): string {
  if (!isElement(entry)) return entry.name;
  const named = shape.kind === 'group' ? shape.entries.find(({ name }) => name === 'name')?.shape : undefined;
  return named?.kind === 'text' && named.value !== undefined ? `${entry.name}. ${named.value}` : `${entry.name}.`;
}

/** Group or list; open if the text has it or requires it. */
function Group({
  entry,
  shape,
}: {
  readonly entry: FormEntry;
  readonly shape: EntryShape<'group'> | EntryShape<'list'>;
}) {
  const { required, present, place, about } = entry;
  const fault = getFieldProblem(place);
  return (
    <div class="group-box">
      {hasRemove(entry) && <Remove entry={entry} />}
      <details class="group" open={present || required} data-place={place}>
        <summary>
          <span class="group-name">{formatElementTitle(entry, shape)}</span>
          {required && <abbr title="required">*</abbr>}
          {(fault ?? about) !== '' && <span class={fault === undefined ? 'hint' : 'hint wrong'}>{fault ?? about}</span>}
        </summary>
        <div class="group-content">
          <Content entry={entry} shape={shape} />
        </div>
      </details>
    </div>
  );
}

/** Returns whether all fields have the same description, which is then shown once. */
function hasRepeatedText(entries: readonly FormEntry[]): boolean {
  const [first, ...others] = entries;
  return others.length > 1 && first !== undefined && others.every(({ about }) => about === first.about);
}

export function Entries({ entries }: { readonly entries: readonly FormEntry[] }) {
  const alike = hasRepeatedText(entries);
  const about = alike ? (entries[0]?.about ?? '') : '';
  return (
    <div class={alike ? 'entries narrow' : 'entries'}>
      {about !== '' && <p class="hint">{about}</p>}
      {entries.map((each) => {
        const entry = alike ? { ...each, about: '' } : each;
        const { shape, place } = entry;
        const many = shape.kind === 'group' || shape.kind === 'list';
        return many ? <Group key={place} entry={entry} shape={shape} /> : <FieldLine key={place} entry={entry} />;
      })}
    </div>
  );
}
