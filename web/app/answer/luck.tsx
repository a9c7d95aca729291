/** Section that rates the luck of a result. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  LUCK_ORDER_EXPLANATION,
  type LuckOption,
  type LuckReport,
  preventNumberBreaks,
} from '../../../src/report/index.ts';
import { busy, isStale } from '../answering.ts';
import { inquire } from '../inquire.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { checkedText, validScenario } from '../state.ts';
import { endedBattleNote, isLuckOpen as open, replayedMetrics } from './luck-note.ts';

const options = signal<readonly LuckOption[]>([]);
const reports = signal<readonly LuckReport[]>([]);

const getChosenOption = (): LuckOption | undefined =>
  options.value.find(({ outcome }) => outcome === endedBattleNote.value.outcome) ?? options.value[0];

/** Returns the value of the metric, clamped to the possible range. */
function getAmount({ metric }: LuckOption): number | undefined {
  if (metric === undefined) return undefined;
  const { name, low, high, middle } = metric;
  return Math.min(high, Math.max(low, endedBattleNote.value.value ?? replayedMetrics.value?.[name] ?? middle));
}

/** Starts to update options and reports with the answer and the chosen result. */
function watchLuck(): () => void {
  const ends = [
    effect(() => {
      if (!open.value || validScenario.value === undefined || isStale.value || busy.value !== 'idle') return undefined;
      const text = checkedText.value;
      return inquire(
        (engine) => engine.luckOptions(text),
        (found = []) => {
          options.value = found;
        },
      );
    }),
    effect(() => {
      const option = getChosenOption();
      if (option === undefined || isStale.value) return undefined;
      const [text, amount] = [checkedText.value, getAmount(option)];
      return inquire(
        (engine) => engine.luck(text, option.outcome, amount),
        (found = []) => {
          reports.value = found;
        },
      );
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function RemainingField({ option }: { readonly option: LuckOption }) {
  const { outcome, metric } = option;
  const value = getAmount(option);
  if (metric === undefined || value === undefined) return null;
  const { title, low, high, step } = metric;
  const to = (next: number): void => {
    endedBattleNote.value = { outcome, value: Math.min(high, Math.max(low, next)) };
  };
  return (
    <div class="left-over">
      <Button
        aria-label={`Fewer ${title}`}
        disabled={value <= low}
        onClick={() => {
          to(value - step);
        }}
      >
        −
      </Button>
      <Field
        label={`${title} (${String(low)}..${String(high)})`}
        value={String(value)}
        inputMode="decimal"
        size={6}
        onText={(typed) => {
          if (typed.trim() !== '' && Number.isFinite(Number(typed))) to(Number(typed));
        }}
      />
      <Button
        aria-label={`More ${title}`}
        disabled={value >= high}
        onClick={() => {
          to(value + step);
        }}
      >
        +
      </Button>
    </div>
  );
}

export function Luck() {
  useEffect(watchLuck, []);
  const option = getChosenOption();
  return (
    <Fold title="Luck" open={open}>
      {option === undefined ? (
        <p class="soft">When the odds are ready, enter your result here.</p>
      ) : (
        <div class={isStale.value ? 'older' : undefined}>
          <div class="controls">
            <Choice
              label="Your result"
              value={option.outcome}
              onChoice={(outcome) => {
                replayedMetrics.value = undefined;
                endedBattleNote.value = { outcome };
              }}
            >
              {options.value.map(({ outcome, clause }) => (
                <option value={outcome}>{clause}</option>
              ))}
            </Choice>
            <RemainingField option={option} />
          </div>
          <div aria-live="polite">
            {reports.value.map(({ verdict, lines }) => (
              <div class="found">
                <p class="lead">{verdict}.</p>
                {lines.map((line) => (
                  <p>{preventNumberBreaks(line)}</p>
                ))}
              </div>
            ))}
          </div>
          <details>
            <summary class="small">Order of results</summary>
            <p class="soft small">{LUCK_ORDER_EXPLANATION}</p>
          </details>
        </div>
      )}
    </Fold>
  );
}
