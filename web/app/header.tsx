/** The title, what is asked about, and what one can do with it. */
import { computed, signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { addressOf } from './address.ts';
import { openFault, openFile, saveScenario } from './files.ts';
import { Button } from './parts/button.tsx';
import { Choice } from './parts/field.tsx';
import { chosen, openShipped, SCENARIOS } from './scenarios.ts';
import { Share } from './share/button.tsx';
import { file, good } from './state.ts';
import { scheme, switchScheme } from './theme.ts';

/** The system whose scenarios are listed. */
const system = computed(() => chosen.value?.system ?? good.value?.system ?? listed.peek());
const listed = signal(SCENARIOS[0]?.system ?? '');
const systems = [...new Set(SCENARIOS.map((each) => each.system))];

function choose(id: string): void {
  const scenario = SCENARIOS.find((each) => each.id === id);
  if (scenario === undefined) return;
  listed.value = scenario.system;
  openFault.value = undefined;
  void openShipped(id);
}

function Scenarios() {
  return (
    <>
      <Choice
        label="System"
        value={system.value}
        onChoice={(id) => {
          choose(SCENARIOS.find((each) => each.system === id)?.id ?? '');
        }}
      >
        {!systems.includes(system.value) && <option value={system.value}>{system.value}</option>}
        {systems.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </Choice>
      <Choice label="Scenario" value={chosen.value?.id ?? ''} onChoice={choose}>
        {chosen.value === undefined && <option value="">{file.value}</option>}
        {SCENARIOS.filter((each) => each.system === system.value).map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Choice>
    </>
  );
}

function Open() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>Open file</Button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="Scenario file"
        accept=".yaml,.yml,.json"
        onChange={({ currentTarget }) => {
          const [first] = currentTarget.files ?? [];
          if (first !== undefined) void openFile(first);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** What became of the link: it was copied, or is shown where the clipboard is closed. */
const copied = signal('');

async function copyLink(): Promise<void> {
  try {
    const address = await addressOf();
    await navigator.clipboard.writeText(address).then(
      () => {
        copied.value = 'Link copied';
      },
      () => {
        copied.value = 'The address of this page is the link';
      },
    );
    setTimeout(() => {
      copied.value = '';
    }, 4000);
  } catch (error) {
    openFault.value = error;
  }
}

export function Header() {
  const other = scheme.value === 'dark' ? 'light' : 'dark';
  return (
    <header class="head">
      <h1>warpool</h1>
      <Scenarios />
      <div class="actions">
        <Open />
        <Button onClick={saveScenario}>Save</Button>
        <Button onClick={() => void copyLink()}>Copy link</Button>
        <Share />
        <Button onClick={switchScheme} aria-label={`Use ${other} colours`} title={`Use ${other} colours`}>
          {scheme.value === 'dark' ? '☀' : '☾'}
        </Button>
        <span class="small soft" role="status">
          {copied.value}
        </span>
      </div>
    </header>
  );
}
