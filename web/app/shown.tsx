/** The panel that is shown, loaded when it is first asked for. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PANELS } from './panels.ts';
import { Problem } from './parts/problem.tsx';
import { panel } from './state.ts';

type Loaded = { readonly Panel: ComponentType } | { readonly error: unknown };

const loaded = new Map<string, Loaded>();

async function load(id: string): Promise<void> {
  try {
    const entry = PANELS.find((each) => each.id === id) ?? PANELS[0];
    if (entry !== undefined) loaded.set(id, await entry.load());
  } catch (error) {
    loaded.set(id, { error });
  }
}

export function Shown() {
  const [, redraw] = useState(0);
  const id = panel.value;
  useEffect(() => {
    const found = loaded.get(id);
    if (found === undefined || 'error' in found)
      void load(id).then(() => {
        redraw((n) => n + 1);
      });
  }, [id]);
  const found = loaded.get(id);
  if (found === undefined) return <p class="soft">Loading …</p>;
  return 'error' in found ? <Problem error={found.error} /> : <found.Panel key={id} />;
}
