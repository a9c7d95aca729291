/** How one's own battle ended, and whether that was luck. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LUCK_ORDER, type LuckOption, type LuckTold, unbroken } from '../../../src/tell/index.ts';
import { busy, stale } from '../answering.ts';
import { inquire } from '../inquire.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Fold } from '../parts/fold.tsx';
import { checkedText, good } from '../state.ts';
import { ended, endedBattle, luckOpen as open } from './luck-asked.ts';

const options = signal<readonly LuckOption[]>([]);
const told = signal<readonly LuckTold[]>([]);

const chosen = (): LuckOption | undefined =>
  options.value.find(({ outcome }) => outcome === ended.value.outcome) ?? options.value[0];

/** The value that counts: within what can come. */
function amountOf({ metric }: LuckOption): number | undefined {
  if (metric === undefined) return undefined;
  const { name, low, high, middle } = metric;
  return Math.min(high, Math.max(low, ended.value.value ?? endedBattle.value?.[name] ?? middle));
}

/** Begins to keep what is told up to date with the answer and with what is chosen. */
function watch(): () => void {
  const ends = [
    effect(() => {
      if (!open.value || good.value === undefined || stale.value || busy.value !== 'idle') return undefined;
      const text = checkedText.value;
      return inquire(
        (engine) => engine.luckOptions(text),
        (found = []) => {
          options.value = found;
        },
      );
    }),
    effect(() => {
      const option = chosen();
      if (option === undefined || stale.value) return undefined;
      const [text, amount] = [checkedText.value, amountOf(option)];
      return inquire(
        (engine) => engine.luck(text, option.outcome, amount),
        (found = []) => {
          told.value = found;
        },
      );
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function Left({ option }: { readonly option: LuckOption }) {
  const { outcome, metric } = option;
  const value = amountOf(option);
  if (metric === undefined || value === undefined) return null;
  const { title, low, high, step } = metric;
  const to = (next: number): void => {
    ended.value = { outcome, value: Math.min(high, Math.max(low, next)) };
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
  useEffect(watch, []);
  const option = chosen();
  return (
    <Fold title="Was that luck?" open={open}>
      {option === undefined ? (
        <p class="soft">When the answer is there, say here how your battle ended.</p>
      ) : (
        <div class={stale.value ? 'older' : undefined}>
          <div class="controls">
            <Choice
              label="How your battle ended"
              value={option.outcome}
              onChoice={(outcome) => {
                endedBattle.value = undefined;
                ended.value = { outcome };
              }}
            >
              {options.value.map(({ outcome, clause }) => (
                <option value={outcome}>{clause}</option>
              ))}
            </Choice>
            <Left option={option} />
          </div>
          <div aria-live="polite">
            {told.value.map(({ verdict, lines }) => (
              <div class="found">
                <p class="lead">{verdict}.</p>
                {lines.map((line) => (
                  <p>{unbroken(line)}</p>
                ))}
              </div>
            ))}
          </div>
          <details>
            <summary class="small">What is worse, and what is better?</summary>
            <p class="soft small">{LUCK_ORDER}</p>
          </details>
        </div>
      )}
    </Fold>
  );
}
