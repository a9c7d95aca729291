/** What makes it even: values of a field with which an outcome comes to a target, and a click that takes one. */

import { chance } from '../../../src/rules/index.ts';
import { type HowFar, unbroken } from '../../../src/tell/index.ts';
import type { Balanced, Found } from '../../engine/balance.ts';
import { perform } from '../../engine/client.ts';
import type { Settable } from '../../engine/settable.ts';
import { stemOf } from '../../engine/stem.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { NumberInput, SettingInput } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { numberIn, read } from '../parts/typed.ts';
import { FieldChoice, firstOutcome, names, QuantityChoice } from '../pictures/choose.tsx';
import { Figure } from '../pictures/figure.tsx';
import { hasFields, isNumber, rangeOf, useFields } from '../pictures/settable.ts';
import { useAtOnce, Work } from '../pictures/work.ts';
import { file, good, into, questionNow, text } from '../state.ts';
import { even } from './question.ts';
import { Running } from './running.tsx';

const work = new Work<Balanced, HowFar>();

/** The tolerances of the library: a part of targets that are no probabilities. */
const TOLERANCE = 0.01;

interface Wish {
  readonly field: string;
  readonly of: string;
  readonly target: number;
  readonly range: readonly [number, number] | undefined;
}

const SHARE = chance('');
const MEAN = numberIn(-1e15, 1e15, 'a number');

/** Both ends, or neither. */
function rangeIn(low: string, high: string): readonly [number, number] | 'none' | undefined {
  if (low.trim() === '' && high.trim() === '') return 'none';
  const [from, to] = [low, high].map((end) => read(MEAN, end));
  return from !== undefined && to !== undefined && from < to ? [from, to] : undefined;
}

function begin({ field, of, target, range }: Wish): void {
  into(even, 'begun')(true);
  const tolerance = Math.max(TOLERANCE, TOLERANCE * Math.abs(target));
  const ask = { ...questionNow(), of, target, tolerance, field, range };
  void work.start(ask.text, (engine, task) => engine.balance({ ...ask, battles: 1_000_000 }, task));
}

/** Takes a value into the scenario, in its place. */
async function apply({ changes }: Found): Promise<void> {
  const now = text.value;
  text.value = await perform((engine) => engine.setFields(now, changes));
}

function Offers({ result }: { readonly result: Balanced }) {
  return (
    <ul class="offers">
      {result.found.map((found) => (
        <li>
          <Button onClick={() => void apply(found)}>Set {found.label}</Button>{' '}
          <span class="small">{unbroken(found.gives)}</span>
        </li>
      ))}
    </ul>
  );
}

function Result({ result }: { readonly result: Balanced }) {
  const stem = stemOf(file.value);
  const files = [{ label: 'CSV', name: `${stem}-balance.csv`, type: 'text/csv', content: result.csv }];
  return (
    <>
      <div class="found" aria-live="polite">
        <p class="lead">{unbroken(result.verdict)}</p>
        {!result.complete && <p class="soft small">Stopped: this is what is known so far.</p>}
        <Offers result={result} />
      </div>
      <Sheet caption="Settings that were looked at" parts={result.table} />
      {result.notes.map((line) => (
        <p class="soft small">{line}</p>
      ))}
      <Figure title="What was looked at" picture={result.picture} name={`${stem}-balance`} files={files} />
      <Copyable text={result.command} />
    </>
  );
}

function rangeHint(fields: readonly Settable[], path: string): string {
  const field = fields.find((each) => each.path === path);
  return field === undefined ? '' : rangeOf(field);
}

export function Even() {
  const numbers = useFields().filter(isNumber);
  const { of, field: named, target: typed, low, high } = even.value;
  const quantity = of === '' ? firstOutcome() : of;
  const isShare = names().outcomes.includes(quantity);
  const field = named === '' ? (numbers[0]?.path ?? '') : named;
  const wanted = typed === '' && isShare ? '0.5' : typed;
  const setting = isShare ? SHARE : MEAN;
  const target = read(setting, wanted);
  const range = rangeIn(low, high);
  const ready = good.value !== undefined && field !== '' && target !== undefined && range !== undefined;
  const find = (): void => {
    if (ready) begin({ field, of: quantity, target, range: range === 'none' ? undefined : range });
  };
  useAtOnce(work, ready && hasFields() && even.value.begun && find);
  return (
    <section aria-label="Balance">
      <h2>What makes it even</h2>
      <div class="controls">
        <FieldChoice
          label="Vary"
          fields={numbers}
          value={field}
          onChoice={(path) => {
            even.value = { ...even.value, field: path, low: '', high: '' };
          }}
        />
        <NumberInput
          label="from"
          value={low}
          expected="a number"
          wrong={range === undefined}
          hint="optional"
          onText={into(even, 'low')}
        />
        <NumberInput
          label="to"
          value={high}
          expected="a larger number"
          wrong={range === undefined}
          hint={rangeHint(numbers, field)}
          onText={into(even, 'high')}
        />
      </div>
      <div class="controls">
        <QuantityChoice label="Until" value={quantity} onChoice={into(even, 'of')} />
        <SettingInput
          label={isShare ? 'comes in this share of battles' : 'has this mean'}
          setting={setting}
          value={wanted}
          size={9}
          onText={into(even, 'target')}
        />
        <Button main disabled={!ready || work.busy.value} onClick={find}>
          Find
        </Button>
      </div>
      <Running work={work} what="battles">
        {(result) => <Result result={result} />}
      </Running>
    </section>
  );
}
