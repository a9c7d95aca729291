/** What is swept: one or two fields, and how each cell is answered. */

import { grouped } from '../../../src/tell/index.ts';
import { perform } from '../../engine/client.ts';
import { LINE_MAX, SIDE_MAX } from '../../engine/limits.ts';
import type { NumberField, Settable } from '../../engine/settable.ts';
import type { SweepAsk } from '../../engine/sweep.ts';
import { saveAs } from '../files.ts';
import { Button } from '../parts/button.tsx';
import { Choice, NumberInput, SettingInput } from '../parts/field.tsx';
import { FieldChoice } from '../pictures/choose.tsx';
import { hasFields, rangeOf } from '../pictures/settable.ts';
import { useAtOnce } from '../pictures/work.ts';
import { good, into, questionNow } from '../state.ts';
import {
  askOf,
  countOf,
  EACH,
  isHow,
  isShortWork,
  note,
  noteFor,
  type SweepNote,
  type SweptNote,
  sweptNotes,
  typedOf,
} from './question.ts';
import { start, usual, work } from './run.ts';

const set = (to: Partial<SweepNote>): void => {
  note.value = { ...note.value, ...to };
};

interface SweptProps {
  readonly label: string;
  readonly none?: string;
  readonly swept: SweptNote;
  readonly fields: readonly Settable[];
  readonly onSwept: (swept: SweptNote) => void;
}

function Range({ swept, field, onSwept }: Pick<SweptProps, 'swept' | 'onSwept'> & { readonly field: NumberField }) {
  const { low, high, step } = typedOf(swept, field);
  const text = (name: keyof SweptNote) => (typed: string) => {
    onSwept({ ...swept, [name]: typed });
  };
  const expected = rangeOf(field);
  return (
    <>
      <NumberInput label="from" value={swept.low} expected={expected} wrong={low === undefined} onText={text('low')} />
      <NumberInput
        label="to"
        value={swept.high}
        expected={`${expected}, above from`}
        wrong={high === undefined}
        onText={text('high')}
      />
      <NumberInput
        label="in steps of"
        value={swept.step}
        expected={field.integer ? 'an integer, 1 or more' : 'a number above 0'}
        wrong={step === undefined}
        size={6}
        onText={text('step')}
      />
    </>
  );
}

function Swept({ label, none, swept, fields, onSwept }: SweptProps) {
  const field = fields.find(({ path }) => path === swept.path);
  return (
    <div class="controls">
      <FieldChoice
        label={label}
        fields={fields}
        value={swept.path}
        {...(none !== undefined && { none })}
        onChoice={(path) => {
          onSwept(noteFor(fields.find((each) => each.path === path)));
        }}
      />
      {field?.kind === 'number' && <Range swept={swept} field={field} onSwept={onSwept} />}
      {field?.kind === 'word' && <p class="hint values">{field.words.map(String).join(', ')}</p>}
    </div>
  );
}

function Effort() {
  const { how, battles, precision } = note.value;
  return (
    <>
      <Choice
        label="Cells are"
        value={how}
        onChoice={(text) => {
          if (isHow(text)) set({ how: text });
        }}
      >
        <option value="usual">solved exactly if small, else played</option>
        <option value="battles">played so many battles each</option>
        <option value="precision">played until intervals are ±</option>
        <option value="exact">solved exactly</option>
      </Choice>
      {how === 'battles' && (
        <SettingInput label="Battles of each" setting={EACH.battles} value={battles} onText={into(note, 'battles')} />
      )}
      {how === 'precision' && (
        <SettingInput label="Half-width" setting={EACH.precision} value={precision} onText={into(note, 'precision')} />
      )}
    </>
  );
}

type Asked = NonNullable<ReturnType<typeof askOf>>;

/** With the scenario and the seed of the page. */
const whole = (ask: Asked): SweepAsk => ({ ...ask, ...questionNow() });

async function saveFile(ask: SweepAsk): Promise<void> {
  const decided = note.value.how === 'usual' ? await perform((engine) => usual(engine, ask)) : ask;
  const { yaml, yamlName } = await perform((engine) => engine.sweepFile(decided));
  saveAs(new Blob([yaml], { type: 'application/yaml' }), yamlName);
}

const mostOf = ({ axes }: Asked): number => (axes.length === 1 ? LINE_MAX : SIDE_MAX);

const isTooLarge = (ask: Asked): boolean => ask.axes.some((axis) => countOf(axis) > mostOf(ask));

function Count({ ask }: { readonly ask: Asked }) {
  const cells = ask.axes.reduce((product, axis) => product * countOf(axis), 1);
  const words = cells === 1 ? '1 cell' : `${grouped(cells)} cells`;
  if (!isTooLarge(ask)) return <p class="hint">{words}</p>;
  return (
    <p class="hint wrong">
      {words}: this page takes at most {mostOf(ask)} values of{' '}
      {ask.axes.length === 1 ? 'a field' : 'each of two fields'}. Take larger steps, or give the sweep file to the
      command line, which has no limit.
    </p>
  );
}

export function Setup({ fields }: { readonly fields: readonly Settable[] }) {
  const [one, two] = sweptNotes(note.value, fields);
  const ask = askOf(note.value, fields);
  const others = fields.filter(({ path }) => path !== one.path);
  const ready = ask !== undefined && !isTooLarge(ask) && good.value !== undefined;
  const begin = (): void => {
    if (ask === undefined) return;
    set({ begun: true });
    void start(whole(ask), note.value.how === 'usual');
  };
  useAtOnce(work, ready && hasFields() && note.value.begun && isShortWork(ask) && begin);
  return (
    <>
      <Swept
        label="Field"
        swept={one}
        fields={fields}
        onSwept={(swept) => {
          set({ one: swept, ...(swept.path === two.path && { two: noteFor(undefined) }) });
        }}
      />
      <Swept
        label="Second field"
        none="none: a curve"
        swept={two}
        fields={others}
        onSwept={(swept) => {
          set({ one, two: swept });
        }}
      />
      <div class="controls">
        <Effort />
        <Button main disabled={!ready || work.busy.value} onClick={begin}>
          Sweep
        </Button>
        <Button
          disabled={ask === undefined || good.value === undefined}
          onClick={() => {
            if (ask !== undefined) void saveFile(whole(ask));
          }}
        >
          Save the sweep file
        </Button>
      </div>
      {ask !== undefined && <Count ask={ask} />}
    </>
  );
}
