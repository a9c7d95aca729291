/** Header: title, choice of a scenario, and actions. */
import { signal } from '@preact/signals';
import { createAddress, goToStart } from './address.ts';
import { openFault, openFile, saveScenario } from './files.ts';
import { replacementView } from './notices.tsx';
import { Button } from './parts/button.tsx';
import { Choice } from './parts/field.tsx';
import { FileButton } from './parts/file-button.tsx';
import { openShippedScenario, SCENARIOS, SYSTEMS, title, unchangedScenario } from './scenarios.ts';
import { Share } from './share/button.tsx';
import { isStartShown } from './state.ts';
import { scheme, switchScheme } from './theme.ts';

function chooseScenario(id: string): void {
  openFault.value = undefined;
  if (id !== '') void openShippedScenario(id);
}

function Scenarios() {
  return (
    <Choice label="Scenario" value={unchangedScenario.value?.id ?? ''} onChoice={chooseScenario}>
      {unchangedScenario.value === undefined && <option value="">{title.value}</option>}
      {SYSTEMS.map(({ id: system, played: [game] }) => (
        <optgroup key={system} label={game === undefined ? system : `${system}, as in ${game}`}>
          {SCENARIOS.filter((each) => each.system === system).map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </Choice>
  );
}

/** Status of the copied link. */
const copyMessage = signal('');

async function copyLink(): Promise<void> {
  try {
    const address = await createAddress();
    await navigator.clipboard.writeText(address).then(
      () => {
        copyMessage.value = 'Link copied';
      },
      () => {
        copyMessage.value = 'Clipboard denied: copy the page address';
      },
    );
    setTimeout(() => {
      copyMessage.value = '';
    }, 4000);
  } catch (error) {
    openFault.value = error;
  }
}

/** True if the menu of actions is open on narrow screens. */
const isUnfolded = signal(false);

const hasScenario = (): boolean => !isStartShown.value && replacementView.value === undefined;

function Actions() {
  const other = scheme.value === 'dark' ? 'light' : 'dark';
  return (
    <div class={isUnfolded.value ? 'actions unfolded' : 'actions'} id="actions">
      <FileButton label="Scenario file" accept=".yaml,.yml,.json" onFile={openFile}>
        Open file
      </FileButton>
      {hasScenario() && (
        <>
          <Button onClick={saveScenario}>Save</Button>
          <Button onClick={() => void copyLink()}>Copy link</Button>
          <Share />
        </>
      )}
      <Button onClick={switchScheme} aria-label={`Use ${other} colors`} title={`Use ${other} colors`}>
        {scheme.value === 'dark' ? '☀' : '☾'}
      </Button>
      <span class="small soft" role="status">
        {copyMessage.value}
      </span>
    </div>
  );
}

function Title() {
  return (
    <h1>
      <a
        href={location.pathname}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          goToStart();
        }}
      >
        warpool
      </a>
    </h1>
  );
}

export function Header() {
  return (
    <header class="head">
      <Title />
      {hasScenario() && <Scenarios />}
      <button
        type="button"
        class="icon menu"
        aria-label="Menu"
        aria-expanded={isUnfolded.value}
        aria-controls="actions"
        onClick={() => {
          isUnfolded.value = !isUnfolded.value;
        }}
      >
        ☰
      </button>
      <Actions />
    </header>
  );
}
