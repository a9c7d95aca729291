/** Run length, seed and progress of the simulation. */
import { useState } from 'preact/hooks';
import { formatGrouped, formatProgress, type RequestedEffort } from '../../../src/report/index.ts';
import { busy, isStale, isStopped, resume, simulatedAnswer, stop } from '../answering.ts';
import { Lazy } from '../lazy.tsx';
import { Button } from '../parts/button.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Choice, SettingInput } from '../parts/field.tsx';
import { createBattleCountParser, createHalfWidthParser, readText } from '../parts/text-parsers.ts';
import { Seed } from '../seed.tsx';
import { effort } from '../state.ts';

/** Kinds of run length: label, parser and default. */
const EFFORT_KINDS = {
  battles: { label: 'Battles', setting: createBattleCountParser(1, Number.MAX_SAFE_INTEGER), usual: 1_000_000 },
  precision: { label: 'Half-width', setting: createHalfWidthParser(0.00001), usual: 0.001 },
};

const createEffort = (kind: RequestedEffort['kind'], amount: number): RequestedEffort =>
  kind === 'battles' ? { kind, battles: amount } : { kind, precision: amount };

const formatAmount = (value: RequestedEffort): string =>
  value.kind === 'battles' ? formatGrouped(value.battles) : String(value.precision);

/** Field of the run length that keeps invalid text. */
function Amount() {
  const { kind } = effort.value;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const { label, setting } = EFFORT_KINDS[kind];
  return (
    <>
      <Choice
        label="Run length"
        value={kind}
        onChoice={(to) => {
          const length = to === 'battles' ? to : 'precision';
          setTyped(undefined);
          effort.value = createEffort(length, EFFORT_KINDS[length].usual);
        }}
      >
        <option value="battles">number of battles</option>
        <option value="precision">width of intervals</option>
      </Choice>
      <SettingInput
        label={label}
        setting={setting}
        value={typed ?? formatAmount(effort.value)}
        onText={(text) => {
          const meant = readText(setting, text);
          setTyped(text);
          if (meant !== undefined) effort.value = createEffort(kind, meant);
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
  if (isStopped.value) return <Button onClick={resume}>Answer</Button>;
  return (
    <Button disabled={busy.value === 'idle'} onClick={stop}>
      Stop
    </Button>
  );
}

const battlesText = (battles: number): string => `${formatGrouped(battles)} battle${battles === 1 ? '' : 's'}`;

/** Returns the simulated answer to the current request. */
const getCurrentSimulation = () => (isStale.value ? undefined : simulatedAnswer.value);

function formatStatus(): string {
  const shown = getCurrentSimulation();
  if (isStopped.value) return 'Stopped without an answer';
  if (busy.value === 'solving') return 'Solving …';
  if (busy.value === 'playing') return 'Simulating …';
  if (shown?.kind !== 'played') return '';
  return `${battlesText(shown.battles)} simulated${shown.complete ? '' : '; stopped before the end'}`;
}

const loadPin = async () => (await import('../parts/pinned.tsx')).Pin;

export function Progress() {
  const shown = getCurrentSimulation();
  const requested = effort.value.kind === 'battles' ? effort.value.battles : undefined;
  const done = busy.value === 'playing' && shown?.kind === 'part' ? shown.battles : undefined;
  const part = done !== undefined && requested !== undefined ? done / requested : undefined;
  const value = busy.value === 'idle' ? Number(!isStale.value) : part;
  const soFar = done === undefined ? formatStatus() : `Simulating: ${battlesText(done)} so far`;
  const reported = useElapsed(
    requested === undefined ? undefined : done,
    (seconds) => `Simulating: ${formatProgress({ done: done ?? 0, total: requested ?? 0 }, seconds, 'battles')}`,
    soFar,
  );
  return (
    <p class="progress">
      <progress max={1} {...(value !== undefined && { value })} aria-label="Battles simulated" />
      <span class="small soft">{reported}</span>
      <StopButton />
      <Lazy load={loadPin}>{null}</Lazy>
      {isStale.value && simulatedAnswer.value !== undefined && (
        <span class="small outdated slowly">These results are for an older question.</span>
      )}
    </p>
  );
}
