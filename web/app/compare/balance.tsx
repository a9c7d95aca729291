/** Search for values of a field that bring an outcome or metric to a target. */

import { type ProgressCount, preventNumberBreaks } from '../../../src/report/index.ts';
import { probabilityOption } from '../../../src/rules/index.ts';
import { perform } from '../../engine/client.ts';
import type { Settable } from '../../engine/editing/settable.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import type { BalanceMatch, BalanceView } from '../../engine/studies/balance-sensitivity.ts';
import { BackgroundWork, useAutoStart } from '../figures/background-work.ts';
import { FieldChoice, getFirstOutcome, getQuantityNames, QuantityChoice } from '../figures/choices.tsx';
import { Figure } from '../figures/figure.tsx';
import { formatFieldRange, hasFields, isNumberField, useFields } from '../figures/settable-fields.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { NumberInput, SettingInput } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { createNumberParser, readText } from '../parts/text-parsers.ts';
import { file, into, questionNow, text, validScenario } from '../state.ts';
import { balanceNote } from './notes.ts';
import { RunningStatus } from './running.tsx';

const work = new BackgroundWork<BalanceView, ProgressCount>();

/** Default tolerance of the library; relative for means. */
const TOLERANCE = 0.01;

interface BalanceTarget {
  readonly field: string;
  readonly of: string;
  readonly target: number;
  readonly range: readonly [number, number] | undefined;
}

const SHARE_PARSER = probabilityOption('');
const MEAN_PARSER = createNumberParser(-1e15, 1e15, 'a number');

/** Parses a range: both ends, or none. */
function parseRange(low: string, high: string): readonly [number, number] | 'none' | undefined {
  if (low.trim() === '' && high.trim() === '') return 'none';
  const [from, to] = [low, high].map((end) => readText(MEAN_PARSER, end));
  return from !== undefined && to !== undefined && from < to ? [from, to] : undefined;
}

function startSearch({ field, of, target, range }: BalanceTarget): void {
  into(balanceNote, 'begun')(true);
  const tolerance = Math.max(TOLERANCE, TOLERANCE * Math.abs(target));
  const ask = { ...questionNow(), of, target, tolerance, field, range };
  void work.start(ask.text, (engine, task) => engine.balance({ ...ask, battles: 1_000_000 }, task));
}

/** Sets the found value in the scenario. */
async function applyMatch({ changes }: BalanceMatch): Promise<void> {
  const now = text.value;
  text.value = await perform((engine) => engine.setFields(now, changes));
}

function MatchList({ result }: { readonly result: BalanceView }) {
  return (
    <ul class="offers">
      {result.matches.map((found) => (
        <li>
          <Button onClick={() => void applyMatch(found)}>Set {found.label}</Button>{' '}
          <span class="small">{preventNumberBreaks(found.resultText)}</span>
        </li>
      ))}
    </ul>
  );
}

function Result({ result }: { readonly result: BalanceView }) {
  const stem = getFileStem(file.value);
  const files = [{ label: 'CSV', name: `${stem}-balance.csv`, type: 'text/csv', content: result.csv }];
  return (
    <>
      <div class="found" aria-live="polite">
        <p class="lead">{preventNumberBreaks(result.verdict)}</p>
        {!result.complete && <p class="soft small">Stopped. These results are partial.</p>}
        <MatchList result={result} />
      </div>
      <Sheet caption="Tested settings" parts={result.table} />
      {result.notes.map((line) => (
        <p class="soft small">{line}</p>
      ))}
      <Figure title="Tested settings" picture={result.picture} name={`${stem}-balance`} files={files} />
      <Copyable text={result.command} />
    </>
  );
}

function formatRangeHint(fields: readonly Settable[], path: string): string {
  const field = fields.find((each) => each.path === path);
  return field === undefined ? '' : formatFieldRange(field);
}

export function BalanceSearch() {
  const numbers = useFields().filter(isNumberField);
  const { of, field: named, target: typed, low, high } = balanceNote.value;
  const quantity = of === '' ? getFirstOutcome() : of;
  const isShare = getQuantityNames().outcomes.includes(quantity);
  const field = named === '' ? (numbers[0]?.path ?? '') : named;
  const wanted = typed === '' && isShare ? '0.5' : typed;
  const setting = isShare ? SHARE_PARSER : MEAN_PARSER;
  const target = readText(setting, wanted);
  const range = parseRange(low, high);
  const ready = validScenario.value !== undefined && field !== '' && target !== undefined && range !== undefined;
  const find = (): void => {
    if (ready) startSearch({ field, of: quantity, target, range: range === 'none' ? undefined : range });
  };
  useAutoStart(work, ready && hasFields() && balanceNote.value.begun && find);
  return (
    <section aria-label="Balance">
      <h2>Find a balanced value</h2>
      <div class="controls">
        <FieldChoice
          label="Vary"
          fields={numbers}
          value={field}
          onChoice={(path) => {
            balanceNote.value = { ...balanceNote.value, field: path, low: '', high: '' };
          }}
        />
        <NumberInput
          label="from"
          value={low}
          expected="a number"
          wrong={range === undefined}
          hint="optional"
          onText={into(balanceNote, 'low')}
        />
        <NumberInput
          label="to"
          value={high}
          expected="a larger number"
          wrong={range === undefined}
          hint={formatRangeHint(numbers, field)}
          onText={into(balanceNote, 'high')}
        />
      </div>
      <div class="controls">
        <QuantityChoice label="Outcome or metric" value={quantity} onChoice={into(balanceNote, 'of')} />
        <SettingInput
          label={isShare ? 'Target probability' : 'Target mean'}
          setting={setting}
          value={wanted}
          size={9}
          onText={into(balanceNote, 'target')}
        />
        <Button main disabled={!ready || work.busy.value} onClick={find}>
          Find
        </Button>
      </div>
      <RunningStatus work={work} what="battles">
        {(result) => <Result result={result} />}
      </RunningStatus>
    </section>
  );
}
