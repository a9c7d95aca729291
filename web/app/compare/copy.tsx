/** Comparison with a copy that is changed by fields or as text. */

import type { ProgressCount } from '../../../src/report/index.ts';
import { perform } from '../../engine/client.ts';
import type { Settable } from '../../engine/editing/settable.ts';
import type { PathChange } from '../../engine/output/figures.ts';
import type { ComparisonView } from '../../engine/studies/compare.ts';
import { BackgroundWork, useAutoStart } from '../figures/background-work.ts';
import { FieldChoice } from '../figures/choices.tsx';
import { formatFieldRange, hasFields, parseFieldValue, useFields } from '../figures/settable-fields.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field, Options, SettingInput } from '../parts/field.tsx';
import { createBattleCountParser, readText } from '../parts/text-parsers.ts';
import { checkedText, into, questionNow, validScenario } from '../state.ts';
import { CopyResult } from './copy-result.tsx';
import { AT_ONCE, compareNote, type FieldEdit, MAX_EDITS } from './notes.ts';
import { RunningStatus } from './running.tsx';

const work = new BackgroundWork<ComparisonView, ProgressCount>();

const BATTLE_COUNT = createBattleCountParser(1, 100_000_000);

/** Parses the changes; undefined unless all are valid. */
function parseChanges(edits: readonly FieldEdit[], fields: readonly Settable[]): PathChange[] | undefined {
  const changes = edits.map(({ path, value }) => {
    const field = fields.find((each) => each.path === path);
    const meant = field && parseFieldValue(field, value);
    return meant === undefined ? undefined : ([path, meant] as const);
  });
  return changes.length > 0 && changes.every((change) => change !== undefined) ? changes : undefined;
}

const setEdits = into(compareNote, 'edits');

function ValueInput({
  edit,
  field,
  onText,
}: {
  edit: FieldEdit;
  field: Settable | undefined;
  onText: (text: string) => void;
}) {
  if (field?.kind === 'word')
    return (
      <Choice label="New value" value={edit.value} onChoice={onText}>
        <Options names={field.words.map(String)} />
      </Choice>
    );
  const wrong = field === undefined || parseFieldValue(field, edit.value) === undefined;
  return (
    <Field
      label="New value"
      value={edit.value}
      inputMode="decimal"
      size={9}
      error={wrong && field !== undefined ? `expected ${formatFieldRange(field)}` : undefined}
      onText={onText}
    />
  );
}

function EditRow({
  edit,
  at,
  fields,
}: {
  readonly edit: FieldEdit;
  readonly at: number;
  readonly fields: readonly Settable[];
}) {
  const { edits } = compareNote.value;
  const change = (to: FieldEdit): void => {
    setEdits(edits.map((each, e) => (e === at ? to : each)));
  };
  return (
    <div class="controls">
      <FieldChoice
        label="Field"
        fields={fields}
        value={edit.path}
        onChoice={(path) => {
          change({ path, value: chooseOtherValue(fields.find((field) => field.path === path)) });
        }}
      />
      <ValueInput
        edit={edit}
        field={fields.find(({ path }) => path === edit.path)}
        onText={(value) => {
          change({ ...edit, value });
        }}
      />
      <Button
        aria-label={`Remove ${fields.find(({ path }) => path === edit.path)?.label ?? edit.path}`}
        onClick={() => {
          setEdits(edits.filter((_, e) => e !== at));
        }}
      >
        Remove
      </Button>
    </div>
  );
}

/** Returns a value other than the current one: one step up, else one down, or the next word. */
function chooseOtherValue(field: Settable | undefined): string {
  if (field === undefined) return '';
  if (field.kind === 'word') {
    const at = field.words.indexOf(field.value);
    return String(field.words[(at + 1) % field.words.length] ?? field.value);
  }
  const { value, integer, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  const step = integer ? 1 : 10 ** Math.floor(Math.log10(Math.abs(value) || 1)) / 10;
  const near = [value + step, value - step].find((each) => each >= min && each <= max) ?? value;
  return String(Number(near.toPrecision(12)));
}

/** Adds a field that is not changed yet. */
function addEdit(fields: readonly Settable[]): void {
  const { edits } = compareNote.value;
  const free = fields.find(({ path }) => edits.every((edit) => edit.path !== path));
  if (free !== undefined) setEdits([...edits, { path: free.path, value: chooseOtherValue(free) }]);
}

/** Switches to editing as text, with the changes so far. */
async function writeCopy(fields: readonly Settable[]): Promise<void> {
  const changes = parseChanges(compareNote.value.edits, fields) ?? [];
  const text = checkedText.value;
  into(compareNote, 'text')(await perform((engine) => engine.setFields(text, changes)));
}

function AsFields({ fields }: { readonly fields: readonly Settable[] }) {
  const { edits } = compareNote.value;
  return (
    <>
      {edits.map((edit, e) => (
        <EditRow key={e} edit={edit} at={e} fields={fields} />
      ))}
      <p class="saves">
        <Button
          disabled={fields.length === 0 || edits.length >= MAX_EDITS}
          onClick={() => {
            addEdit(fields);
          }}
        >
          {edits.length === 0 ? 'Change a field' : 'Change another field'}
        </Button>
        <Button disabled={validScenario.value === undefined} onClick={() => void writeCopy(fields)}>
          Edit copy as text
        </Button>
      </p>
    </>
  );
}

function AsText({ text }: { readonly text: string }) {
  return (
    <>
      <label class="field whole">
        <span class="label">Changed copy (YAML)</span>
        <textarea
          class="copy"
          rows={14}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            into(compareNote, 'text')(currentTarget.value);
          }}
        />
      </label>
      <p class="saves">
        <Button
          onClick={() => {
            const { text: _, ...rest } = compareNote.value;
            compareNote.value = rest;
          }}
        >
          Change fields instead
        </Button>
      </p>
    </>
  );
}

function startComparison(copy: readonly PathChange[] | string, battles: number): void {
  into(compareNote, 'begun')(true);
  const ask = { ...questionNow(), copy, battles };
  void work.start(ask.text, (engine, task, onProgress) => engine.compare(ask, task, onProgress));
}

export function Copy() {
  const fields = useFields();
  const { edits, text, battles } = compareNote.value;
  const copy = text ?? parseChanges(edits, fields);
  const count = readText(BATTLE_COUNT, battles);
  const ready = validScenario.value !== undefined && copy !== undefined && count !== undefined;
  const atOnce = ready && hasFields() && compareNote.value.begun === true && 2 * count <= AT_ONCE;
  const compare = (): void => {
    if (copy !== undefined && count !== undefined) startComparison(copy, count);
  };
  useAutoStart(work, atOnce && compare);
  return (
    <section aria-label="Changed copy">
      <h2>Compare with changed copy</h2>
      <p class="soft">Both are simulated with the same dice, so small differences become visible.</p>
      {text === undefined ? <AsFields fields={fields} /> : <AsText text={text} />}
      <div class="controls">
        <SettingInput
          label="Battles per scenario"
          setting={BATTLE_COUNT}
          value={battles}
          onText={into(compareNote, 'battles')}
        />
        <Button main disabled={!ready || work.busy.value} onClick={compare}>
          Compare
        </Button>
      </div>
      <RunningStatus work={work} what="battles">
        {(result) => <CopyResult result={result} />}
      </RunningStatus>
    </section>
  );
}
