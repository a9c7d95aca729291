/** An answer that is pinned: it stays above the next ones, with the differences. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { sharePercent } from '../../../src/tell/odds/chances.ts';
import { perform } from '../../engine/client.ts';
import type { Odds } from '../../engine/odds-beside.ts';
import { stemOf } from '../../engine/stem.ts';
import { checkedText, file, good, openText, seed, text } from '../state.ts';
import { Button } from './button.tsx';
import { Table } from './table.tsx';

interface Pinned {
  readonly text: string;
  readonly file: string;
  readonly odds: Odds;
}

const pinned = signal<Pinned | undefined>(undefined);
const now = signal<{ readonly text: string; readonly odds: Odds } | undefined>(undefined);

const askFor = (of: string, signal?: AbortSignal): Promise<Odds> => {
  const ask = { text: of, seed: seed.peek() };
  return perform((engine, task) => engine.oddsOf(ask, task), signal);
};

async function pin(): Promise<void> {
  const [of, name] = [checkedText.value, file.value];
  pinned.value = { text: of, file: name, odds: await askFor(of) };
}

/** Asks for the odds of what is shown, as long as something is pinned. */
function watchNow(): () => void {
  return effect(() => {
    const of = checkedText.value;
    if (pinned.value === undefined || good.value === undefined) return undefined;
    const controller = new AbortController();
    askFor(of, controller.signal).then(
      (odds) => {
        if (!controller.signal.aborted) now.value = { text: of, odds };
      },
      // What is wrong is told by the answer itself.
      () => undefined,
    );
    return () => {
      controller.abort();
    };
  });
}

/** With its sign; the differences of what was played are not exact. */
function difference(before: number, after: number): string {
  const points = 100 * (after - before);
  const size = Math.abs(points).toFixed(2);
  if (Number(size) === 0) return '0';
  return `${points > 0 ? '+' : '\u2212'}${size} pp`;
}

function Beside({ of, odds: after }: { readonly of: Pinned; readonly odds: Odds }) {
  const before = new Map(of.odds.outcomes.map(({ name, p }) => [name, p]));
  const names = new Map([...of.odds.outcomes, ...after.outcomes].map(({ name, phrase }) => [name, phrase]));
  const later = new Map(after.outcomes.map(({ name, p }) => [name, p]));
  const rows = [...names]
    .map(([name, phrase]) => ({ phrase, before: before.get(name) ?? 0, after: later.get(name) ?? 0 }))
    .filter((row) => row.before > 0 || row.after > 0);
  const played = Math.max(of.odds.error, after.error);
  return (
    <>
      <Table
        caption="Pinned and now"
        heads={[
          { head: 'how it ends' },
          { head: 'pinned', number: true },
          { head: 'now', number: true },
          { head: 'difference', number: true, title: 'in percentage points' },
        ]}
        rows={rows.map((row) => [
          row.phrase,
          sharePercent(row.before),
          sharePercent(row.after),
          difference(row.before, row.after),
        ])}
      />
      {played > 0 && <p class="small soft">Played a million times each: ± {(100 * played).toFixed(2)} points.</p>}
    </>
  );
}

/** What pins the answer that is shown; nothing while one is pinned. */
export function Pin() {
  if (pinned.value !== undefined) return null;
  return (
    <Button
      class="button pins"
      title="It stays in sight while you change the scenario"
      disabled={good.value === undefined}
      onClick={() => void pin().catch(() => undefined)}
    >
      Pin this answer
    </Button>
  );
}

export function Pinned() {
  useEffect(watchNow, []);
  const of = pinned.value;
  if (of === undefined) return null;
  const same = of.text === text.value;
  const after = now.value?.text === text.value ? now.value.odds : undefined;
  return (
    <section class="pin" aria-label="Pinned answer">
      <h2>Pinned: {stemOf(of.file)}</h2>
      {same ? (
        <p class="soft">This is the scenario that was pinned. Change something, and see both.</p>
      ) : (
        <div aria-live="polite">{after === undefined ? <p class="soft">…</p> : <Beside of={of} odds={after} />}</div>
      )}
      <p class="saves">
        {!same && (
          <Button
            onClick={() => {
              openText(of.text, of.file);
            }}
          >
            Back to it
          </Button>
        )}
        {!same && <Button onClick={() => void pin().catch(() => undefined)}>Pin this one instead</Button>}
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
