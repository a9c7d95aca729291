/** The panel that is shown, loaded when it is first asked for. */
import type { ComponentType } from 'preact';
import { Lazy } from './lazy.tsx';
import { PANELS, type PanelEntry } from './panels.ts';
import { checked, panel } from './state.ts';

const LOADS: ReadonlyMap<string, () => Promise<ComponentType>> = new Map(
  PANELS.map(({ id, load }: PanelEntry) => [id, async () => (await load()).Panel]),
);

export function Shown() {
  const load = LOADS.get(panel.value);
  if (load === undefined) return null;
  return (
    <>
      {checked.value?.ok === false && panel.value !== 'own' && (
        <p class="problem">
          The scenario has problems, listed with its text: nothing new is computed until they are mended.
        </p>
      )}
      <Lazy key={panel.value} load={load}>
        <p class="soft">Loading …</p>
      </Lazy>
    </>
  );
}
