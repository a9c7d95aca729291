/** How long is played, with which seed; and what is under way, with a button that ends it. */
import { useState } from 'preact/hooks';
import { type Effort, grouped, progressLine } from '../../../src/tell/index.ts';
import { busy, played, resume, stale, stop, stopped } from '../answering.ts';
import { Lazy } from '../lazy.tsx';
import { Button } from '../parts/button.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Choice, SettingInput } from '../parts/field.tsx';
import { battlesIn, halfWidth, read } from '../parts/typed.ts';
import { Seed } from '../seed.tsx';
import { effort } from '../state.ts';

/** How a length is typed, and what it is until something is. */
const LENGTHS = {
  battles: { label: 'Battles', setting: battlesIn(1, Number.MAX_SAFE_INTEGER), usual: 1_000_000 },
  precision: { label: 'Half-width', setting: halfWidth(0.00001), usual: 0.001 },
};

const effortOf = (kind: Effort['kind'], amount: number): Effort =>
  kind === 'battles' ? { kind, battles: amount } : { kind, precision: amount };

const shownAmount = (value: Effort): string =>
  value.kind === 'battles' ? grouped(value.battles) : String(value.precision);

/** A field that keeps what was typed as long as it means nothing. */
function Amount() {
  const { kind } = effort.value;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const { label, setting } = LENGTHS[kind];
  return (
    <>
      <Choice
        label="Play"
        value={kind}
        onChoice={(to) => {
          const length = to === 'battles' ? to : 'precision';
          setTyped(undefined);
          effort.value = effortOf(length, LENGTHS[length].usual);
        }}
      >
        <option value="battles">so many battles</option>
        <option value="precision">until intervals are ±</option>
      </Choice>
      <SettingInput
        label={label}
        setting={setting}
        value={typed ?? shownAmount(effort.value)}
        onText={(text) => {
          const meant = read(setting, text);
          setTyped(text);
          if (meant !== undefined) effort.value = effortOf(kind, meant);
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
    </div>
  );
}

function StopButton() {
  if (stopped.value) return <Button onClick={resume}>Answer</Button>;
  return (
    <Button disabled={busy.value === 'idle'} onClick={stop}>
      Stop
    </Button>
  );
}

const battlesText = (battles: number): string => `${grouped(battles)} battle${battles === 1 ? '' : 's'}`;

/** What was played of the question that stands there. */
const playedNow = () => (stale.value ? undefined : played.value);

function words(): string {
  const shown = playedNow();
  if (stopped.value) return 'Stopped before there was an answer';
  if (busy.value === 'solving') return 'Solving …';
  if (busy.value === 'playing') return 'Playing …';
  if (shown?.kind !== 'played') return '';
  return `${battlesText(shown.battles)} played${shown.complete ? '' : '; stopped before the end'}`;
}

const loadPin = async () => (await import('../parts/pinned.tsx')).Pin;

export function Progress() {
  const shown = playedNow();
  const asked = effort.value.kind === 'battles' ? effort.value.battles : undefined;
  const done = busy.value === 'playing' && shown?.kind === 'part' ? shown.battles : undefined;
  const part = done !== undefined && asked !== undefined ? done / asked : undefined;
  const value = busy.value === 'idle' ? Number(!stale.value) : part;
  const soFar = done === undefined ? words() : `Playing: ${battlesText(done)} so far`;
  const told = useElapsed(
    asked === undefined ? undefined : done,
    (seconds) => `Playing: ${progressLine({ done: done ?? 0, asked: asked ?? 0 }, seconds, 'battles')}`,
    soFar,
  );
  return (
    <p class="progress">
      <progress max={1} {...(value !== undefined && { value })} aria-label="Battles played" />
      <span class="small soft">{told}</span>
      <StopButton />
      <Lazy load={loadPin}>{null}</Lazy>
      {stale.value && played.value !== undefined && (
        <span class="small outdated slowly">What is shown below answers an older question.</span>
      )}
    </p>
  );
}
