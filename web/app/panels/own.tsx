/** Battle systems of one's own: a module from disk, run in the engine's worker. */
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import '../../style/battle.css';
import type { Verdict } from '../../engine/own/verdict.ts';
import type { OwnModule, OwnSystem } from '../../engine/own.ts';
import { Told } from '../answer/odds.tsx';
import { Lazy } from '../lazy.tsx';
import { LINKED_MAX } from '../own/linked.ts';
import {
  choose,
  chosen,
  close,
  fault,
  judge,
  judging,
  open,
  opened,
  opening,
  running,
  scenarioFile,
  stopJudging,
  stopOpening,
} from '../own/module.ts';
import { answer, begin, changed, faults, kept, run, save, watchWritten } from '../own/written.ts';
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
        main={opened.value === undefined && chosen.value === undefined}
        onClick={() =>
          void import('virtual:template').then(({ TEMPLATE }) => {
            begin(TEMPLATE);
          })
        }
      >
        Write rules
      </Button>{' '}
      {kept.value !== undefined && chosen.value === undefined && (
        <>
          <Button
            onClick={() => {
              const draft = kept.value;
              if (draft !== undefined) begin(draft.text, draft.file, draft.at);
            }}
          >
            Go on with {kept.value.file} of {new Date(kept.value.at).toLocaleDateString()}
          </Button>{' '}
        </>
      )}
      <FileButton label="Module with a system" accept=".js,.mjs" onFile={choose}>
        Choose a module
      </FileButton>
    </p>
  );
}

const shipped = import.meta.glob<string>('../../../examples/systems/*.mjs', { query: '?raw', import: 'default' });

/** The example systems, to be looked at and run like any other. */
function Shipped() {
  return (
    <p class="saves">
      Or an example of warpool:
      {Object.entries(shipped).map(([path, load]) => {
        const file = path.replace(/^.*\//, '');
        return (
          <Button
            key={file}
            onClick={() => {
              void load().then((text) => choose(new File([text], file)));
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
        <strong>{file} is code, and it will run.</strong>
      </p>
      <p>
        It runs in this page’s worker, beside the scenario that you edit. It can compute, and it reads nothing of your
        disk. It may give wrong answers, or none. Open only modules that you trust.
      </p>
      <p>
        <Button main disabled={opening.value} onClick={() => void open()}>
          Run {file}
        </Button>{' '}
        <Button
          onClick={() => {
            stopOpening();
            chosen.value = undefined;
          }}
        >
          Leave it
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

/** A line of the command line's `conform`: a check, or what is said of one. */
function Line({ line }: { readonly line: string }) {
  const [, word, text] = /^(WRONG|ok|-) +(.*)$/.exec(line) ?? [];
  const state = STATES.find(([each]) => each === word);
  if (state === undefined) return <li class="soft said-of">{line.trim()}</li>;
  return (
    <li class={state[2]}>
      <span class="sign">{state[1]}</span> {text}
      <span class="unseen">: {word === '-' ? 'not looked at' : word}</span>
    </li>
  );
}

function Judged({ verdict: { good, lines } }: { readonly verdict: Verdict }) {
  return (
    <>
      <p>
        <strong>{lines.at(-1)}</strong>
      </p>
      <details open={!good}>
        <summary>All checks</summary>
        <ul class="checks">
          {lines.slice(0, -1).map((line) => (
            <Line line={line} />
          ))}
        </ul>
      </details>
    </>
  );
}

function Examples({ system: { examples } }: { readonly system: OwnSystem }) {
  if (examples.length === 0) return <p class="soft">It brings no scenarios along: write one, or open a file.</p>;
  return (
    <>
      <p>Its scenarios, to edit and to answer like all others:</p>
      <ul class="choices">
        {examples.map(({ name, text }) => (
          <li key={name}>
            <Button
              onClick={() => {
                openText(text, scenarioFile(name));
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

function System({ system }: { readonly system: OwnSystem }) {
  const { id, title, about } = system;
  const verdict = verdicts.value[id];
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p>
        <code>system: {id}</code>. {about}
      </p>
      <Examples system={system} />
      <h3>Does it conform?</h3>
      <div aria-live="polite">{verdict !== undefined && <Judged verdict={verdict} />}</div>
      <p>
        <Button disabled={judging.value !== undefined} onClick={() => void judge(id, false)}>
          Check thoroughly
        </Button>{' '}
        <Button disabled={judging.value === undefined} onClick={stopJudging}>
          Stop
        </Button>{' '}
        <span class="small soft">{judging.value === undefined ? '' : `Checking ${judging.value} …`}</span>
      </p>
    </section>
  );
}

function Opened({ module: { file, hash, systems } }: { readonly module: OwnModule }) {
  return (
    <>
      <Facts
        facts={[
          ['module', file],
          ['hash', hash],
        ]}
      />
      <p class="soft small">
        Digests have this hash, as those of <code>warpool run --systems {file}</code>.{' '}
        {running.value?.from !== 'server' && (running.value?.text.length ?? 0) <= LINKED_MAX
          ? 'Links to its scenarios hold the rules too; whoever opens one is asked before they run.'
          : 'Links hold its scenarios, and not the rules: whoever opens one must open the module too.'}
      </p>
      {systems.map((system) => (
        <System key={system.id} system={system} />
      ))}
      <p>
        <Button onClick={close}>Close the module</Button>
      </p>
    </>
  );
}

const loadEditor = async (): Promise<ComponentType> => (await import('../own/editor.tsx')).RulesEditor;

/** The text, to be read before it is run and to be changed. */
function Rules() {
  const module = chosen.value;
  if (module === undefined) return null;
  const here = module.from === 'here';
  return (
    <section aria-label="Rules" ref={scrollIntoView}>
      <h2>{module.file}</h2>
      {!here && changed.value && <Warning file={module.file} />}
      <Lazy load={loadEditor}>
        <pre class="code">{module.text}</pre>
      </Lazy>
      <ul class="problems" aria-live="polite">
        {faults.value.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="saves">
        {here && (
          <Button main={changed.value} disabled={!changed.value || opening.value} onClick={() => void run()}>
            {changed.value ? 'Run the rules' : 'These rules run'}
          </Button>
        )}
        <Button onClick={save}>Save the rules</Button>
        {running.value === undefined && here && (
          <Button
            onClick={() => {
              chosen.value = undefined;
            }}
          >
            Leave them
          </Button>
        )}
      </p>
    </section>
  );
}

/** What the rules that run say of the scenario, beside them while they are changed. */
function Said() {
  const found = answer.value;
  if (found === undefined || chosen.value?.from !== 'here') return null;
  if (found.kind !== 'exact')
    return <p class="soft small">There is no exact answer at once: {found.message}. The panel Answer plays it.</p>;
  return (
    <section aria-label="What they say" aria-live="polite">
      {changed.value && <p class="outdated small">The rules have changed since they were run.</p>}
      <div class={changed.value ? 'found older' : 'found'}>
        <Told answer={found} />
      </div>
    </section>
  );
}

export function Panel() {
  useEffect(watchWritten, []);
  return (
    <div class="own">
      <p>
        Rules of your own are one file in JavaScript that imports <code>warpool/system</code> and exports what{' '}
        <code>defineSystem</code> makes: write them here, from a game of twenty lines on, or open a file. They run in
        this browser, apart from the page. <Manual page="tutorials/custom-rules">The tutorial</Manual> goes step by
        step; <Manual page="reference/distributions">laws</Manual> lists the dice.
      </p>
      <Chooser />
      <Shipped />
      {opening.value && (
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
      {fault.value !== undefined && <Problem error={fault.value} />}
      <Rules />
      <Said />
      {opened.value !== undefined && <Opened module={opened.value} />}
    </div>
  );
}
