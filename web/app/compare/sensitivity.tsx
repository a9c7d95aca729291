/** Effects of one step of each field, the largest first. */

import type { ProgressCount } from '../../../src/report/index.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import type { SensitivityView } from '../../engine/studies/balance-sensitivity.ts';
import { BackgroundWork, useAutoStart } from '../figures/background-work.ts';
import { getFirstOutcome, QuantityChoice } from '../figures/choices.tsx';
import { Figure } from '../figures/figure.tsx';
import { hasFields, isNumberField, useFields } from '../figures/settable-fields.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { SettingInput } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { createBattleCountParser, readText } from '../parts/text-parsers.ts';
import { file, into, questionNow, validScenario } from '../state.ts';
import { AT_ONCE, sensitivityNote } from './notes.ts';
import { RunningStatus } from './running.tsx';

const work = new BackgroundWork<SensitivityView, ProgressCount>();

const BATTLE_COUNT = createBattleCountParser(2, 10_000_000);

function startSensitivity(of: string, battles: number): void {
  into(sensitivityNote, 'begun')(true);
  const ask = { ...questionNow(), of, battles };
  void work.start(ask.text, (engine, task, onProgress) => engine.stepEffects(ask, task, onProgress));
}

function SensitivityResult({ result }: { readonly result: SensitivityView }) {
  const { facts, table, notes, picture, csv, command } = result;
  const stem = getFileStem(file.value);
  const files = [{ label: 'CSV', name: `${stem}-steps.csv`, type: 'text/csv', content: csv }];
  return (
    <>
      <p class="soft small" aria-live="polite">
        {facts.join(', ')}
      </p>
      <Figure title="Effects of one step" picture={picture} name={`${stem}-steps`} files={files} />
      <Sheet caption="Effects of one step" parts={table} />
      <Sheet caption="Notes" parts={notes} />
      <Copyable text={command} />
    </>
  );
}

export function SensitivityStudy() {
  const { of, battles } = sensitivityNote.value;
  const quantity = of === '' ? getFirstOutcome() : of;
  const count = readText(BATTLE_COUNT, battles);
  const fields = useFields().filter(isNumberField).length;
  const ready = validScenario.value !== undefined && count !== undefined;
  const atOnce = ready && hasFields() && sensitivityNote.value.begun && 2 * fields * count <= AT_ONCE;
  const compute = (): void => {
    if (count !== undefined) startSensitivity(quantity, count);
  };
  useAutoStart(work, atOnce && compute);
  return (
    <section aria-label="Sensitivity">
      <h2>Sensitivity to each field</h2>
      <p class="soft">Changes each number by one step up and down, one at a time.</p>
      <div class="controls">
        <QuantityChoice label="Outcome or metric" value={quantity} onChoice={into(sensitivityNote, 'of')} />
        <SettingInput
          label="Battles if not exact"
          setting={BATTLE_COUNT}
          value={battles}
          onText={into(sensitivityNote, 'battles')}
        />
        <Button main disabled={!ready || work.busy.value} onClick={compute}>
          Compute
        </Button>
      </div>
      <RunningStatus work={work} what="cells">
        {(result) => <SensitivityResult result={result} />}
      </RunningStatus>
    </section>
  );
}
