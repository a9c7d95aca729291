/** Selected cell of a sweep: values and scenario. It is selected by mouse, touch or arrow keys. */
import { computed, signal } from '@preact/signals';
import { preventNumberBreaks } from '../../../src/report/index.ts';
import { perform } from '../../engine/client.ts';
import type { SweepCellView } from '../../engine/studies/sweep.ts';
import { Button } from '../parts/button.tsx';
import { panel, text } from '../state.ts';
import { requestedSweep, shownSweep } from './run.ts';

const pointedPlace = signal('');

/** Selected cell of this sweep; by default the current scenario. */
const pointedCell = computed<SweepCellView | undefined>(() => {
  const spots = shownSweep.value?.cells ?? [];
  return spots.find((spot) => spot.place === pointedPlace.value) ?? spots.find(({ here }) => here);
});

/** Selects a cell. @param reported title of a mark, with its position in the first line */
export function pointAt(reported: string): void {
  pointedPlace.value = reported.split('\n', 1)[0] ?? '';
}

const DIRECTIONS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Moves the selection by an arrow key. @returns whether the key is one */
export function movePointer(key: string): boolean {
  const way = DIRECTIONS[key];
  if (way === undefined) return false;
  const spots = shownSweep.value?.cells ?? [];
  const from = pointedCell.value ?? spots[0];
  const to = spots.find(({ x, y }) => x === (from?.x ?? 0) + way[0] && y === (from?.y ?? 0) + way[1]);
  if (to !== undefined) pointedPlace.value = to.place;
  return true;
}

/** Opens the scenario of a cell in the Answer panel. */
async function openCell({ changes }: SweepCellView): Promise<void> {
  const swept = requestedSweep.value?.text;
  if (swept === undefined) return;
  text.value = await perform((engine) => engine.setFields(swept, changes));
  panel.value = 'answer';
}

export function PointedCell() {
  const spot = pointedCell.value;
  return (
    <div class="pointed" role="status">
      {spot === undefined ? (
        <p class="soft small">Press a cell or an arrow key to show values and open a scenario.</p>
      ) : (
        <>
          <p>
            <strong>{spot.place}</strong>
            {spot.here && ' (the scenario itself)'}
          </p>
          {spot.lines.map((line) => (
            <p class="small">{preventNumberBreaks(line)}</p>
          ))}
          {!spot.here && <Button onClick={() => void openCell(spot)}>Open this scenario</Button>}
        </>
      )}
    </div>
  );
}
