/** Settings of the scenario besides units: changed ones and defaults. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ScenarioSetting } from '../../../src/report/index.ts';
import { editorMode, showMode } from '../editor/editor-mode.ts';
import { inquire } from '../inquire.ts';
import { checkedText, validScenario } from '../state.ts';
import '../../style/front.css';

const settings = signal<readonly ScenarioSetting[]>([]);

function watchSettings(): () => void {
  return effect(() => {
    const content = checkedText.value;
    if (validScenario.value === undefined) return undefined;
    // Errors are shown by the answer.
    return inquire(
      (engine) => engine.settings(content),
      (found) => {
        settings.value = found;
      },
    );
  });
}

/** Maximum number of frames to wait for the view of the scenario. */
const MAX_FRAMES = 60;

/** Opens and focuses the field of a setting. */
function focusSetting(path: string): void {
  if (editorMode.value === 'Text') showMode('Units');
  let frames = MAX_FRAMES;
  const find = (): void => {
    const field = document.querySelector(`[data-place="${CSS.escape(path)}"]`);
    if (field === null && frames-- > 0) requestAnimationFrame(find);
    for (let at = field?.closest('details'); at; at = at.parentElement?.closest('details')) at.open = true;
    field?.scrollIntoView({ block: 'center' });
    field?.querySelector<HTMLElement>('input, select, summary')?.focus();
  };
  find();
}

function Chips({ label, all }: { readonly label: string; readonly all: readonly ScenarioSetting[] }) {
  return (
    <ul class="settings" aria-label={label}>
      {all.map(({ path, side, name, value, about }) => (
        <li key={path}>
          <button
            type="button"
            class="chip"
            title={about}
            onClick={() => {
              focusSetting(path);
            }}
          >
            {side !== undefined && `${side}, `}
            {name}: <b>{value}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Settings() {
  useEffect(watchSettings, []);
  const set = settings.value.filter(({ isDefault }) => !isDefault);
  const assumed = settings.value.filter(({ isDefault }) => isDefault);
  return (
    <>
      {set.length > 0 && <Chips label="Settings that differ from their defaults" all={set} />}
      {assumed.length > 0 && (
        <details class="assumed small soft">
          <summary>
            Assumed: {assumed.length} setting{assumed.length > 1 && 's'} at {assumed.length > 1 ? 'their' : 'its'}{' '}
            default
          </summary>
          <Chips label="Settings at their defaults" all={assumed} />
        </details>
      )}
    </>
  );
}
