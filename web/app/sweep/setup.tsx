/** Setup of a sweep: one or two fields, and how cells are computed. */

import { formatGrouped } from '../../../src/report/index.ts';
import { perform } from '../../engine/client.ts';
import type { NumberField, Settable } from '../../engine/editing/settable.ts';
import { LINE_MAX, SIDE_MAX } from '../../engine/studies/limits.ts';
import type { SweepRequest } from '../../engine/studies/sweep.ts';
import { useAutoStart } from '../figures/background-work.ts';
import { FieldChoice } from '../figures/choices.tsx';
import { formatFieldRange, hasFields } from '../figures/settable-fields.ts';
import { saveAs } from '../files.ts';
import { Button } from '../parts/button.tsx';
import { Choice, NumberInput, SettingInput } from '../parts/field.tsx';
import { into, questionNow, validScenario } from '../state.ts';
import {
  type AxisNote,
  countValues,
  createAxisNote,
  createSweepSettings,
  EFFORT_PARSERS,
  isEffortName,
  isShortWork,
  parseTypedRange,
  resolveAxisNotes,
  type SweepNote,
  sweepNote,
} from './notes.ts';
import { chooseDefaultEffort, startSweep, work } from './run.ts';

const updateNote = (to: Partial<SweepNote>): void => {
  sweepNote.value = { ...sweepNote.value, ...to };
};

interface AxisProps {
  readonly label: string;
  readonly none?: string;
  readonly swept: AxisNote;
  readonly fields: readonly Settable[];
  readonly onSwept: (swept: AxisNote) => void;
}

function Range({ swept, field, onSwept }: Pick<AxisProps, 'swept' | 'onSwept'> & { readonly field: NumberField }) {
  const { low, high, step } = parseTypedRange(swept, field);
  const text = (name: keyof AxisNote) => (typed: string) => {
    onSwept({ ...swept, [name]: typed });
  };
  const expected = formatFieldRange(field);
  return (
    <>
      <NumberInput label="from" value={swept.low} expected={expected} wrong={low === undefined} onText={text('low')} />
      <NumberInput
        label="to"
        value={swept.high}
        expected={`${expected}, above "from"`}
        wrong={high === undefined}
        onText={text('high')}
      />
      <NumberInput
        label="step"
        value={swept.step}
        expected={field.integer ? 'an integer, 1 or more' : 'a number above 0'}
        wrong={step === undefined}
        size={6}
        onText={text('step')}
      />
    </>
  );
}

function AxisFields({ label, none, swept, fields, onSwept }: AxisProps) {
  const field = fields.find(({ path }) => path === swept.path);
  return (
    <div class="controls">
      <FieldChoice
        label={label}
        fields={fields}
        value={swept.path}
        {...(none !== undefined && { none })}
        onChoice={(path) => {
          onSwept(createAxisNote(fields.find((each) => each.path === path)));
        }}
      />
      {field?.kind === 'number' && <Range swept={swept} field={field} onSwept={onSwept} />}
      {field?.kind === 'word' && <p class="hint values">{field.words.map(String).join(', ')}</p>}
    </div>
  );
}

function Effort() {
  const { how, battles, precision } = sweepNote.value;
  return (
    <>
      <Choice
        label="Method"
        value={how}
        onChoice={(text) => {
          if (isEffortName(text)) updateNote({ how: text });
        }}
      >
        <option value="usual">exact if small, else simulated</option>
        <option value="battles">simulated: number of battles</option>
        <option value="precision">simulated: width of intervals</option>
        <option value="exact">exact</option>
      </Choice>
      {how === 'battles' && (
        <SettingInput
          label="Battles per cell"
          setting={EFFORT_PARSERS.battles}
          value={battles}
          onText={into(sweepNote, 'battles')}
        />
      )}
      {how === 'precision' && (
        <SettingInput
          label="Half-width"
          setting={EFFORT_PARSERS.precision}
          value={precision}
          onText={into(sweepNote, 'precision')}
        />
      )}
    </>
  );
}

type SweepSettings = NonNullable<ReturnType<typeof createSweepSettings>>;

/** Adds the scenario and the seed. */
const completeRequest = (ask: SweepSettings): SweepRequest => ({ ...ask, ...questionNow() });

async function saveFile(ask: SweepRequest): Promise<void> {
  const decided = sweepNote.value.how === 'usual' ? await perform((engine) => chooseDefaultEffort(engine, ask)) : ask;
  const { yaml, yamlName } = await perform((engine) => engine.sweepFile(decided));
  saveAs(new Blob([yaml], { type: 'application/yaml' }), yamlName);
}

const getMaxValues = ({ axes }: SweepSettings): number => (axes.length === 1 ? LINE_MAX : SIDE_MAX);

const isTooLarge = (ask: SweepSettings): boolean => ask.axes.some((axis) => countValues(axis) > getMaxValues(ask));

function Count({ ask }: { readonly ask: SweepSettings }) {
  const cells = ask.axes.reduce((product, axis) => product * countValues(axis), 1);
  const words = cells === 1 ? '1 cell' : `${formatGrouped(cells)} cells`;
  if (!isTooLarge(ask)) return <p class="hint">{words}</p>;
  return (
    <p class="hint wrong">
      {words}: this page allows at most {getMaxValues(ask)} values of{' '}
      {ask.axes.length === 1 ? 'a field' : 'each of two fields'}. Increase the step, or run the sweep file on the
      command line.
    </p>
  );
}

export function Setup({ fields }: { readonly fields: readonly Settable[] }) {
  const [one, two] = resolveAxisNotes(sweepNote.value, fields);
  const ask = createSweepSettings(sweepNote.value, fields);
  const others = fields.filter(({ path }) => path !== one.path);
  const ready = ask !== undefined && !isTooLarge(ask) && validScenario.value !== undefined;
  const startRequestedSweep = (): void => {
    if (ask === undefined) return;
    updateNote({ begun: true });
    void startSweep(completeRequest(ask), sweepNote.value.how === 'usual');
  };
  useAutoStart(work, ready && hasFields() && sweepNote.value.begun && isShortWork(ask) && startRequestedSweep);
  return (
    <>
      <AxisFields
        label="Field"
        swept={one}
        fields={fields}
        onSwept={(swept) => {
          updateNote({ one: swept, ...(swept.path === two.path && { two: createAxisNote(undefined) }) });
        }}
      />
      <AxisFields
        label="Second field"
        none="none (line chart)"
        swept={two}
        fields={others}
        onSwept={(swept) => {
          updateNote({ one, two: swept });
        }}
      />
      <div class="controls">
        <Effort />
        <Button main disabled={!ready || work.busy.value} onClick={startRequestedSweep}>
          Sweep
        </Button>
        <Button
          disabled={ask === undefined || validScenario.value === undefined}
          onClick={() => {
            if (ask !== undefined) void saveFile(completeRequest(ask));
          }}
        >
          Save the sweep file
        </Button>
      </div>
      {ask !== undefined && <Count ask={ask} />}
    </>
  );
}
