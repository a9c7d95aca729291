import { computed, signal } from '@preact/signals';
import { Button } from './parts/button.tsx';
import { Choice } from './parts/field.tsx';
import { SCENARIOS } from './scenarios.ts';
import { file, openText, text } from './state.ts';
import { scheme, switchScheme } from './theme.ts';

const chosen = computed(() =>
  SCENARIOS.find(({ id, text: known }) => file.value === `${id}.yaml` && known === text.value),
);
/** The system whose scenarios are listed. */
const system = signal('');
const listed = computed(() => system.value || chosen.value?.system || SCENARIOS[0]?.system || '');
const systems = [...new Set(SCENARIOS.map((each) => each.system))];

function choose(id: string): void {
  const scenario = SCENARIOS.find((each) => each.id === id);
  if (scenario !== undefined) openText(scenario.text, `${id}.yaml`);
}

export function Header() {
  return (
    <header class="head">
      <h1>warpool</h1>
      <Choice
        label="System"
        value={listed.value}
        onChoice={(id) => {
          system.value = id;
          choose(SCENARIOS.find((each) => each.system === id)?.id ?? '');
        }}
      >
        {systems.map((id) => (
          <option value={id}>{id}</option>
        ))}
      </Choice>
      <Choice label="Scenario" value={chosen.value?.id ?? ''} onChoice={choose}>
        {chosen.value === undefined && <option value="">changed: {file.value}</option>}
        {SCENARIOS.filter((each) => each.system === listed.value).map(({ id, title }) => (
          <option value={id}>{title}</option>
        ))}
      </Choice>
      <Button onClick={switchScheme}>{scheme.value === 'dark' ? 'Light' : 'Dark'}</Button>
    </header>
  );
}
