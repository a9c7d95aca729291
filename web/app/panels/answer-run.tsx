/** How long is played, with which seed; what is under way, and a button that ends it. */
import { useState } from 'preact/hooks';
import type { Effort } from '../../../src/tell/link/question.ts';
import { grouped } from '../../../src/tell/text/digits.ts';
import { busy, played, resume, stale, stop, stopped } from '../answering.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Seed } from '../seed.tsx';
import { effort } from '../state.ts';

const BATTLES = 'an integer 1..2^53-1';
const PRECISION = 'a number 0.00001..0.25';

function battlesOf(text: string): Effort | undefined {
  const battles = Number(text.replaceAll(/[ _\u00A0]/g, ''));
  return text.trim() !== '' && Number.isSafeInteger(battles) && battles >= 1 ? { kind: 'battles', battles } : undefined;
}

function precisionOf(text: string): Effort | undefined {
  const precision = Number(text);
  return text.trim() !== '' && precision >= 1e-5 && precision <= 0.25 ? { kind: 'precision', precision } : undefined;
}

const shownAmount = (value: Effort): string =>
  value.kind === 'battles' ? grouped(value.battles) : String(value.precision);

/** A field that keeps what was typed as long as it means nothing. */
function Amount() {
  const { kind } = effort.value;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const read = kind === 'battles' ? battlesOf : precisionOf;
  const value = typed ?? shownAmount(effort.value);
  const wrong = read(value) === undefined;
  return (
    <>
      <Choice
        label="Play"
        value={kind}
        onChoice={(to) => {
          setTyped(undefined);
          effort.value =
            to === 'battles' ? { kind: 'battles', battles: 1_000_000 } : { kind: 'precision', precision: 0.001 };
        }}
      >
        <option value="battles">so many battles</option>
        <option value="precision">until intervals are ±</option>
      </Choice>
      <Field
        label={kind === 'battles' ? 'Battles' : 'Half-width'}
        value={value}
        inputMode="decimal"
        size={12}
        error={wrong ? `expected ${kind === 'battles' ? BATTLES : PRECISION}` : undefined}
        onText={(text) => {
          const meant = read(text);
          setTyped(text);
          if (meant !== undefined) effort.value = meant;
        }}
      />
    </>
  );
}

export function Controls() {
  return (
    <div class="controls">
      <Amount />
      <Seed />
      {stopped.value ? (
        <Button onClick={resume}>Answer</Button>
      ) : (
        <Button disabled={busy.value === 'idle'} onClick={stop}>
          Stop
        </Button>
      )}
    </div>
  );
}

const battlesText = ({ battles }: { readonly battles: number }): string =>
  `${grouped(battles)} battle${battles === 1 ? '' : 's'}`;

/** What was played of the question that stands there. */
const playedNow = () => (stale.value ? undefined : played.value);

function words(): string {
  const shown = playedNow();
  if (stopped.value) return 'Stopped before there was an answer';
  if (busy.value === 'solving') return 'Solving …';
  if (busy.value === 'playing') return shown?.kind === 'part' ? `Playing: ${battlesText(shown)} so far` : 'Playing …';
  if (shown?.kind !== 'played') return '';
  return `${battlesText(shown)} played${shown.complete ? '' : '; stopped before the end'}`;
}

export function Progress() {
  const shown = playedNow();
  const wanted = effort.value.kind === 'battles' ? effort.value.battles : undefined;
  const part =
    busy.value === 'playing' && shown?.kind === 'part' && wanted !== undefined ? shown.battles / wanted : undefined;
  const value = busy.value === 'idle' ? Number(!stale.value) : part;
  return (
    <p class="progress">
      <progress max={1} {...(value !== undefined && { value })} aria-label="Battles played" />
      <span class="small soft">{words()}</span>
      {stale.value && played.value !== undefined && (
        <span class="small outdated slowly">What is shown below answers an older question.</span>
      )}
    </p>
  );
}
