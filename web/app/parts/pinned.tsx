/** Pinned answer: it stays above later ones, with the differences. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatSharePercent } from '../../../src/report/index.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import type { ScenarioOdds } from '../../engine/studies/compare.ts';
import { OddsBar } from '../answer/odds.tsx';
import { inquire } from '../inquire.ts';
import {
  checkedText,
  createNoteSignal,
  type FileText,
  file,
  isFileText,
  openText,
  PINNED_NOTE,
  seed,
  text,
  validScenario,
} from '../state.ts';
import { Button } from './button.tsx';
import { Table } from './table.tsx';

/** Maximum UTF-16 units of a pinned text, which links hold next to rules. */
const MAX_PINNED_LENGTH = 20_000;

const pinned = createNoteSignal<FileText | undefined>(PINNED_NOTE, undefined, (value) =>
  isFileText(value, MAX_PINNED_LENGTH) ? value : undefined,
);

/** Odds by scenario text; computed again when a link is opened. */
const oddsByText = signal<ReadonlyMap<string, ScenarioOdds>>(new Map());

function pinAnswer(): void {
  pinned.value = { text: checkedText.value, file: file.value };
}

/** Starts to compute the odds of the pinned and the shown scenario. */
function watchPinned(): () => void {
  return effect(() => {
    if (pinned.value === undefined) return undefined;
    const texts = [pinned.value.text, ...(validScenario.value === undefined ? [] : [checkedText.value])];
    // Errors are shown by the answer.
    const ends = texts
      .filter((each) => !oddsByText.peek().has(each))
      .map((content) =>
        inquire(
          (engine, task) => engine.getOdds({ text: content, seed: seed.peek() }, task),
          (odds) => {
            oddsByText.value = new Map(oddsByText.peek()).set(content, odds);
          },
          { ends: true },
        ),
      );
    return () => {
      for (const end of ends) end();
    };
  });
}

/** Formats a difference in percentage points with its sign. */
function formatDifference(before: number, after: number): string {
  const points = 100 * (after - before);
  const size = Math.abs(points).toFixed(2);
  if (Number(size) === 0) return '0';
  return `${points > 0 ? '+' : '\u2212'}${size} pp`;
}

function OddsComparison({ of, odds: after }: { readonly of: ScenarioOdds; readonly odds: ScenarioOdds }) {
  const earlier = new Map(of.outcomes.map(({ name, p }) => [name, p]));
  const names = new Map([...of.outcomes, ...after.outcomes].map(({ name, phrase }) => [name, phrase]));
  const later = new Map(after.outcomes.map(({ name, p }) => [name, p]));
  const rows = [...names]
    .map(([name, phrase]) => ({ phrase, before: earlier.get(name) ?? 0, after: later.get(name) ?? 0 }))
    .filter((row) => row.before > 0 || row.after > 0);
  const played = Math.max(of.error, after.error);
  return (
    <>
      <Table
        caption="Pinned and now"
        heads={[
          { head: 'outcome' },
          { head: 'pinned', number: true },
          { head: 'now', number: true },
          { head: 'difference', number: true, title: 'in percentage points' },
        ]}
        rows={rows.map((row) => [
          row.phrase,
          formatSharePercent(row.before),
          formatSharePercent(row.after),
          formatDifference(row.before, row.after),
        ])}
      />
      {played > 0 && (
        <p class="small soft">One million simulated battles each: ± {(100 * played).toFixed(2)} points.</p>
      )}
    </>
  );
}

/** Button that pins the current answer; hidden while one is pinned. */
export function Pin() {
  if (pinned.value !== undefined) return null;
  return (
    <Button
      class="button pins"
      title="Keep it visible while you change the scenario"
      disabled={validScenario.value === undefined || checkedText.value.length > MAX_PINNED_LENGTH}
      onClick={pinAnswer}
    >
      Pin this answer
    </Button>
  );
}

export function Pinned() {
  useEffect(watchPinned, []);
  const of = pinned.value;
  if (of === undefined) return null;
  const same = of.text === text.value;
  const [odds, after] = [oddsByText.value.get(of.text), oddsByText.value.get(text.value)];
  return (
    <section class="pin" aria-label="Pinned answer">
      <h2>Pinned: {odds?.armies || getFileStem(of.file)}</h2>
      {odds !== undefined && <OddsBar parts={odds.bar} compact />}
      {same ? (
        <p class="soft">This is the pinned scenario. Change it to compare both.</p>
      ) : (
        <div aria-live="polite">
          {odds === undefined || after === undefined ? (
            <p class="soft">…</p>
          ) : (
            <OddsComparison of={odds} odds={after} />
          )}
        </div>
      )}
      <p class="saves">
        {!same && (
          <Button
            onClick={() => {
              openText(of.text, of.file);
            }}
          >
            Open pinned scenario
          </Button>
        )}
        {!same && <Button onClick={pinAnswer}>Pin this one instead</Button>}
        <Button
          onClick={() => {
            pinned.value = undefined;
          }}
        >
          Unpin
        </Button>
      </p>
    </section>
  );
}
