/** Battle systems of one's own: a module from disk, run in the engine's worker. */
import { useRef } from 'preact/hooks';
import '../../style/battle.css';
import type { Verdict } from '../../engine/own/verdict.ts';
import type { OwnModule, OwnSystem } from '../../engine/own.ts';
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
  scenarioFile,
  stopJudging,
  stopOpening,
} from '../own/module.ts';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Problem } from '../parts/problem.tsx';
import { openText, panel, verdicts } from '../state.ts';

function Chooser() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p>
      <Button main={opened.value === undefined && chosen.value === undefined} onClick={() => input.current?.click()}>
        Choose a module
      </Button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="Module with a system"
        accept=".js,.mjs"
        onChange={({ currentTarget }) => {
          const [first] = currentTarget.files ?? [];
          if (first !== undefined) void choose(first);
          currentTarget.value = '';
        }}
      />
    </p>
  );
}

const shipped = import.meta.glob<string>('../../../examples/systems/*.mjs', { query: '?raw', import: 'default' });

/** The example systems, to be looked at and run like any other. */
function Shipped() {
  return (
    <p>
      Or an example of warpool:{' '}
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
        Digests have this hash, as those of <code>warpool run --systems {file}</code>. Links hold scenarios, not
        modules: whoever opens one must open the module too.
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

export function Panel() {
  return (
    <div class="own">
      <p>
        A battle system of your own is one file in JavaScript that imports <code>warpool/system</code> and exports what{' '}
        <code>defineSystem</code> makes, as the files in examples/systems do. docs/your-own-rules.md tells how to write
        one.
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
      {chosen.value !== undefined && <Warning file={chosen.value.file} />}
      {opened.value !== undefined && <Opened module={opened.value} />}
    </div>
  );
}
