/** Page that shows only the answer to the question of its address, for frames in other pages. */
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import '../../style/embed.css';
import type { SharedAnswer } from '../../../src/report/index.ts';
import type { AnswerRequest } from '../../engine/answer.ts';
import { perform, WorkStopped } from '../../engine/client.ts';
import { openAddressContent } from '../address.ts';
import { OpenErrorText } from '../open-notices.tsx';
import { effort, file, notes, RULES_NOTE, seed, text } from '../state.ts';
import { EmbeddedAnswer } from './embedded-answer.tsx';

const sharedAnswer = signal<SharedAnswer | undefined>(undefined);
const fault = signal<unknown>(undefined);

/** Applies the color scheme: `?scheme=dark` or `light`, else the system setting. */
function watchScheme(): void {
  const requested = new URLSearchParams(location.search).get('scheme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const print = matchMedia('print');
  const show = (): void => {
    const system = dark.matches ? 'dark' : 'light';
    const shown = requested === 'dark' || requested === 'light' ? requested : system;
    document.documentElement.dataset['scheme'] = print.matches ? 'light' : shown;
  };
  for (const query of [dark, print]) query.addEventListener('change', show);
  show();
}

let current = new AbortController();

/** Reads the question of the address. @throws Error with a message for the reader if it cannot be answered here */
async function readAddress(): Promise<AnswerRequest> {
  const isOpened = await openAddressContent();
  if (RULES_NOTE in notes.value)
    throw new Error('This link contains custom rules. Open it in warpool to read and run them.');
  if (isOpened) return { text: text.value, file: file.value, seed: seed.value, effort: effort.value };
  throw new Error((await import('../start/open.ts')).describeTypedProblem());
}

/** Returns the address of the question in the full page. */
function getFullAddress(): string {
  const search = new URLSearchParams(location.search);
  for (const name of ['embed', 'scheme']) search.delete(name);
  return `./${search.size > 0 ? `?${String(search)}` : ''}${location.hash}`;
}

async function loadAnswer(): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal: ended } = current;
  try {
    const question = await readAddress();
    const found = await perform((engine, task) => engine.createSharedAnswer(question, task), ended, { patient: true });
    if (ended.aborted) return;
    sharedAnswer.value = found;
    fault.value = undefined;
    document.title = `${found.title} · warpool`;
  } catch (error) {
    if (!(error instanceof WorkStopped) && !ended.aborted) fault.value = error;
  }
}

/**
 * Sends the height to the surrounding page, and whether there is an answer, so that it can fit the frame. Sends nothing
 * of the question.
 */
function postHeight(): void {
  const { body } = document;
  const reportHeight = (): void => {
    const answered = fault.peek() === undefined && sharedAnswer.peek() !== undefined;
    if (!answered && fault.peek() === undefined) return;
    const height = Math.ceil(body.getBoundingClientRect().height);
    parent.postMessage({ warpool: 'height', height, answered }, '*');
  };
  new ResizeObserver(reportHeight).observe(body);
}

function Embed() {
  if (fault.value !== undefined)
    return (
      <main>
        <div class="problem" role="alert">
          <OpenErrorText error={fault.value} />
        </div>
        <p class="small">
          <a href={getFullAddress()} target="_blank" rel="noopener">
            Open in warpool
          </a>
        </p>
      </main>
    );
  if (sharedAnswer.value === undefined)
    return (
      <main>
        <p class="soft" role="status">
          Computing the odds …
        </p>
      </main>
    );
  return <EmbeddedAnswer answer={sharedAnswer.value} link={getFullAddress()} />;
}

/** Renders the embedded page. */
export function showEmbedded(root: HTMLElement): void {
  document.body.classList.add('embed');
  watchScheme();
  root.textContent = '';
  effect(() => {
    render(<Embed />, root);
  });
  addEventListener('hashchange', () => void loadAnswer());
  if (parent !== globalThis.window) postHeight();
  void loadAnswer();
}
