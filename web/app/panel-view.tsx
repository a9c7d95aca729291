/** The current panel, loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { isChecking } from './checking.ts';
import { Lazy } from './lazy.tsx';
import { PANELS, type PanelEntry } from './panels.ts';
import { checkResult, panel, validScenario, verdicts } from './state.ts';

const PANEL_LOADERS: ReadonlyMap<string, () => Promise<ComponentType>> = new Map(
  PANELS.map(({ id, load }: PanelEntry) => [id, async () => (await load()).Panel]),
);

const loadPinned = async (): Promise<ComponentType> => (await import('./parts/pinned.tsx')).Pinned;

/** Panels with a text of their own instead of the scenario. */
const OTHER_TEXT_PANELS: readonly string[] = ['own', 'matchup', 'balance-problem'];

/** Warning for results of a system that failed its checks. */
function ConformanceWarning() {
  const { system = '' } = validScenario.value ?? {};
  const verdict = verdicts.value[system];
  if (verdict?.good !== false || panel.value === 'own') return null;
  return (
    <p class="problem" role="alert">
      These results may be wrong: {verdict.lines.at(-1)}. <em>Custom rules</em> lists the failed checks.
    </p>
  );
}

export function PanelView() {
  const load = PANEL_LOADERS.get(panel.value);
  if (load === undefined) return null;
  return (
    <>
      {checkResult.value?.ok === false && !OTHER_TEXT_PANELS.includes(panel.value) && (
        <p class="problem">The scenario has errors, listed below its text. Correct them to compute new results.</p>
      )}
      <ConformanceWarning />
      {isChecking.value && (
        <p class="small soft" role="status">
          Checking the text …
        </p>
      )}
      {panel.value === 'answer' && <Lazy load={loadPinned}>{null}</Lazy>}
      <Lazy key={panel.value} load={load}>
        <p class="soft">Loading …</p>
      </Lazy>
    </>
  );
}
