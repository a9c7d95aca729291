/** What one step of each field does, the strongest first. */

import type { HowFar } from '../../../src/tell/index.ts';
import type { Effects } from '../../engine/balance.ts';
import { stemOf } from '../../engine/stem.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { SettingInput } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { battlesIn, read } from '../parts/typed.ts';
import { firstOutcome, QuantityChoice } from '../pictures/choose.tsx';
import { Figure } from '../pictures/figure.tsx';
import { hasFields, isNumber, useFields } from '../pictures/settable.ts';
import { useAtOnce, Work } from '../pictures/work.ts';
import { file, good, into, questionNow } from '../state.ts';
import { AT_ONCE, steps } from './question.ts';
import { Running } from './running.tsx';

const work = new Work<Effects, HowFar>();

const BATTLES = battlesIn(2, 10_000_000);

function begin(of: string, battles: number): void {
  into(steps, 'begun')(true);
  const ask = { ...questionNow(), of, battles };
  void work.start(ask.text, (engine, task, tell) => engine.stepEffects(ask, task, tell));
}

function Result({ result }: { readonly result: Effects }) {
  const { facts, table, notes, picture, csv, command } = result;
  const stem = stemOf(file.value);
  const files = [{ label: 'CSV', name: `${stem}-steps.csv`, type: 'text/csv', content: csv }];
  return (
    <>
      <p class="soft small" aria-live="polite">
        {facts.join(', ')}
      </p>
      <Figure title="Effects of one step of each field" picture={picture} name={`${stem}-steps`} files={files} />
      <Sheet caption="Effects of one step of each field" parts={table} />
      <Sheet caption="Notes" parts={notes} />
      <Copyable text={command} />
    </>
  );
}

export function Steps() {
  const { of, battles } = steps.value;
  const quantity = of === '' ? firstOutcome() : of;
  const count = read(BATTLES, battles);
  const fields = useFields().filter(isNumber).length;
  const ready = good.value !== undefined && count !== undefined;
  const atOnce = ready && hasFields() && steps.value.begun && 2 * fields * count <= AT_ONCE;
  const compute = (): void => {
    if (count !== undefined) begin(quantity, count);
  };
  useAtOnce(work, atOnce && compute);
  return (
    <section aria-label="Steps">
      <h2>What one step of each field does</h2>
      <p class="soft">Each number of the scenario one step up and one step down, the rest as it is.</p>
      <div class="controls">
        <QuantityChoice label="Of" value={quantity} onChoice={into(steps, 'of')} />
        <SettingInput label="Battles, if not exact" setting={BATTLES} value={battles} onText={into(steps, 'battles')} />
        <Button main disabled={!ready || work.busy.value} onClick={compute}>
          Compute
        </Button>
      </div>
      <Running work={work} what="cells">
        {(result) => <Result result={result} />}
      </Running>
    </section>
  );
}
