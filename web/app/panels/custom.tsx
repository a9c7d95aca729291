/** Custom rules panel: a module that runs in the engine's worker. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import '../../style/battle.css';
import type { CustomModule, CustomSystem } from '../../engine/custom/custom-rules.ts';
import type { ConformanceVerdict } from '../../engine/custom/verdict.ts';
import { OddsAnswer } from '../answer/odds.tsx';
import { MAX_LINKED_LENGTH } from '../custom/linked-rules.ts';
import {
  checkConformance,
  checkedScenario,
  chooseFile,
  chosenModule,
  closeModule,
  createScenarioFileName,
  isOpening,
  moduleFault,
  openChosenModule,
  openedModule,
  runningModule,
  stopConformanceCheck,
  stopOpening,
} from '../custom/module.ts';
import {
  hasChanges,
  rulesAnswer,
  rulesFaults,
  runRules,
  saveRules,
  startRules,
  storedRules,
  watchWrittenRules,
} from '../custom/written-rules.ts';
import { Lazy } from '../lazy.tsx';
import { Manual } from '../parts/about.tsx';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { scrollIntoView } from '../parts/focus.ts';
import { Problem } from '../parts/problem.tsx';
import { openText, panel, verdicts } from '../state.ts';

function Chooser() {
  return (
    <p>
      <Button
        main={openedModule.value === undefined && chosenModule.value === undefined}
        onClick={() =>
          void import('virtual:template').then(({ TEMPLATE }) => {
            startRules(TEMPLATE);
          })
        }
      >
        Write rules
      </Button>{' '}
      {storedRules.value !== undefined && chosenModule.value === undefined && (
        <>
          <Button
            onClick={() => {
              const draft = storedRules.value;
              if (draft !== undefined) startRules(draft.text, draft.file, draft.at);
            }}
          >
            Resume {storedRules.value.file} of {new Date(storedRules.value.at).toLocaleDateString()}
          </Button>{' '}
        </>
      )}
      <FileButton label="Module with a system" accept=".js,.mjs" onFile={chooseFile}>
        Choose a module
      </FileButton>
    </p>
  );
}

const shipped = import.meta.glob<string>('../../../examples/systems/*.mjs', { query: '?raw', import: 'default' });

/** Buttons that open the example systems. */
function Shipped() {
  return (
    <p class="saves">
      Or open an example:
      {Object.entries(shipped).map(([path, load]) => {
        const file = path.replace(/^.*\//, '');
        return (
          <Button
            key={file}
            onClick={() => {
              void load().then((text) => chooseFile(new File([text], file)));
            }}
          >
            {file}
          </Button>
        );
      })}
    </p>
  );
}

function Warning({ file }: { readonly file: string }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{file} contains code.</strong>
      </p>
      <p>
        It runs in a worker of this page and cannot read your files. It may give wrong answers or none. Run only modules
        that you trust.
      </p>
      <p>
        <Button main disabled={isOpening.value} onClick={() => void openChosenModule()}>
          Run {file}
        </Button>{' '}
        <Button
          onClick={() => {
            stopOpening();
            chosenModule.value = undefined;
          }}
        >
          Do not run
        </Button>
      </p>
    </div>
  );
}

const STATES: readonly (readonly [word: string, mark: string, state: string])[] = [
  ['WRONG', '✗', 'wrong'],
  ['ok', '✓', 'right'],
  ['-', '–', 'unseen-by-it'],
];

/** Line of `conform`: a check or a remark on it. */
function ConformanceLine({ line }: { readonly line: string }) {
  const [, word, text] = /^(WRONG|ok|-) +(.*)$/.exec(line) ?? [];
  const state = STATES.find(([each]) => each === word);
  if (state === undefined) return <li class="soft said-of">{line.trim()}</li>;
  return (
    <li class={state[2]}>
      <span class="sign">{state[1]}</span> {text}
      <span class="unseen">: {word === '-' ? 'not checked' : word}</span>
    </li>
  );
}

function ConformanceReport({ verdict: { good, lines } }: { readonly verdict: ConformanceVerdict }) {
  return (
    <>
      <p>
        <strong>{lines.at(-1)}</strong>
      </p>
      <details open={!good}>
        <summary>All checks</summary>
        <ul class="checks">
          {lines.slice(0, -1).map((line) => (
            <ConformanceLine line={line} />
          ))}
        </ul>
      </details>
    </>
  );
}

function Examples({ system: { examples } }: { readonly system: CustomSystem }) {
  if (examples.length === 0) return <p class="soft">This module has no example scenarios. Write one or open a file.</p>;
  return (
    <>
      <p>Example scenarios:</p>
      <ul class="choices">
        {examples.map(({ name, text }) => (
          <li key={name}>
            <Button
              onClick={() => {
                openText(text, createScenarioFileName(name));
                panel.value = 'answer';
              }}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function System({ system }: { readonly system: CustomSystem }) {
  const { id, title, about } = system;
  const verdict = verdicts.value[id];
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>
        <code>system: {id}</code>. {about}
      </p>
      <Examples system={system} />
      <h3>Rule checks</h3>
      <div aria-live="polite">{verdict !== undefined && <ConformanceReport verdict={verdict} />}</div>
      <p>
        <Button disabled={checkedScenario.value !== undefined} onClick={() => void checkConformance(id, false)}>
          Check thoroughly
        </Button>{' '}
        <Button disabled={checkedScenario.value === undefined} onClick={stopConformanceCheck}>
          Stop
        </Button>{' '}
        <span class="small soft">
          {checkedScenario.value === undefined ? '' : `Checking ${checkedScenario.value} …`}
        </span>
      </p>
    </section>
  );
}

function OpenedModule({ module: { file, hash, systems } }: { readonly module: CustomModule }) {
  return (
    <>
      <Facts
        facts={[
          ['module', file],
          ['hash', hash],
        ]}
      />
      <p class="soft small">
        Digests contain this hash, as with <code>warpool run --systems {file}</code>.{' '}
        {runningModule.value?.from !== 'server' && (runningModule.value?.text.length ?? 0) <= MAX_LINKED_LENGTH
          ? 'Links to its scenarios contain the rules; the page asks before it runs them.'
          : 'Links to its scenarios do not contain the rules: recipients must open the module, too.'}
      </p>
      {systems.map((system) => (
        <System key={system.id} system={system} />
      ))}
      <p>
        <Button onClick={closeModule}>Close the module</Button>
      </p>
    </>
  );
}

const loadEditor = async (): Promise<ComponentType> => (await import('../custom/rules-editor.tsx')).RulesEditor;

/** Text of the rules, to read and to edit. */
function Rules() {
  const module = chosenModule.value;
  if (module === undefined) return null;
  const here = module.from === 'here';
  return (
    <section aria-label="Rules" ref={scrollIntoView}>
      <h2>{module.file}</h2>
      {!here && hasChanges.value && <Warning file={module.file} />}
      <Lazy load={loadEditor}>
        <pre class="code">{module.text}</pre>
      </Lazy>
      <ul class="problems" aria-live="polite">
        {rulesFaults.value.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="saves">
        {here && (
          <Button
            main={hasChanges.value}
            disabled={!hasChanges.value || isOpening.value}
            onClick={() => void runRules()}
          >
            {hasChanges.value ? 'Run the rules' : 'Rules are running'}
          </Button>
        )}
        <Button onClick={saveRules}>Save the rules</Button>
        {runningModule.value === undefined && here && (
          <Button
            onClick={() => {
              chosenModule.value = undefined;
            }}
          >
            Close the rules
          </Button>
        )}
      </p>
    </section>
  );
}

/** Answer by the running rules, shown next to their text. */
function RulesAnswer() {
  const found = rulesAnswer.value;
  if (found === undefined || chosenModule.value?.from !== 'here') return null;
  if (found.kind !== 'exact')
    return <p class="soft small">No quick exact answer: {found.message}. The Answer panel simulates it.</p>;
  return (
    <section aria-label="Answer by these rules" aria-live="polite">
      {hasChanges.value && <p class="outdated small">The rules have changed since the last run.</p>}
      <div class={hasChanges.value ? 'found older' : 'found'}>
        <OddsAnswer answer={found} />
      </div>
    </section>
  );
}

export function Panel() {
  useEffect(watchWrittenRules, []);
  return (
    <div class="own">
      <p>
        Custom rules are one JavaScript file that imports <code>warpool/system</code> and exports the result of{' '}
        <code>defineSystem</code>. Write them here, starting from a game of 20 lines, or open a file. They run in a
        worker of this browser. See the <Manual page="tutorials/custom-rules">tutorial</Manual> and the list of{' '}
        <Manual page="reference/distributions">dice distributions</Manual>.
      </p>
      <Chooser />
      <Shipped />
      {isOpening.value && (
        <p>
          <span role="status">Opening …</span>{' '}
          <Button
            onClick={() => {
              stopOpening();
            }}
          >
            Stop
          </Button>
        </p>
      )}
      {moduleFault.value !== undefined && <Problem error={moduleFault.value} />}
      <Rules />
      <RulesAnswer />
      {openedModule.value !== undefined && <OpenedModule module={openedModule.value} />}
    </div>
  );
}
