/** The page. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import '../style/base.css';
import '../style/parts.css';
import '../style/figures.css';
import '../style/layout.css';
import '../style/print.css';
import { openAddress, watchAddress } from './address.ts';
import { watchQuestion } from './answering.ts';
import { watchText } from './checking.ts';
import { Editor } from './editor/index.tsx';
import { watchPast } from './editor/past.ts';
import { watchDrops } from './files.ts';
import { Dock } from './front/dock.tsx';
import { Header } from './header.tsx';
import { Lazy } from './lazy.tsx';
import { instead, Notices } from './notices.tsx';
import { PANELS } from './panels.ts';
import { About, Skip } from './parts/about.tsx';
import { useLostFocus } from './parts/focus.ts';
import { Tabs } from './parts/tabs.tsx';
import { title, watchFile } from './scenarios.ts';
import { Shown } from './shown.tsx';
import { notes, panel, RULES, starting } from './state.ts';

function show(id: string): void {
  panel.value = id;
}

const loadStart = async () => (await import('./front/start.tsx')).Start;

/** A scenario, and what is asked of it. */
function Work() {
  const main = useLostFocus();
  return (
    <main class="work" ref={main} tabIndex={-1}>
      <section class="side" aria-label="Scenario">
        <Editor />
      </section>
      <Tabs label="What to ask" tabs={PANELS} shown={panel.value} onShow={show}>
        <Shown />
      </Tabs>
      <Dock />
    </main>
  );
}

function Page() {
  return (
    <>
      {instead.value === undefined && <Skip />}
      <Header />
      <Notices />
      {instead.value ??
        (starting.value ? (
          <Lazy key="start" load={loadStart}>
            <main />
          </Lazy>
        ) : (
          <Work />
        ))}
      <About />
    </>
  );
}

async function begin(root: HTMLElement): Promise<void> {
  const linked = await openAddress();
  // What "warpool page --systems" was given.
  const own = document.querySelector<HTMLMetaElement>('meta[name="warpool-module"]')?.content;
  if (own !== undefined) await (await import('./own/module.ts')).openServed(own, !linked);
  starting.value = !linked && own === undefined;
  if (starting.value) (await import('./front/start.tsx')).begin();
  watchPast();
  watchFile();
  watchText();
  watchQuestion();
  watchAddress();
  watchDrops(document);
  effect(() => {
    document.title = starting.value ? 'warpool' : `${title.value.replace(/\.(ya?ml|json)$/, '')} · warpool`;
  });
  // Without it the page answers as well.
  const later = import('./later.tsx').then(({ begin: beginLater }) => {
    beginLater(!linked);
  }, String);
  // Of a scenario that needs rules of the link nothing is shown before somebody runs them.
  if (RULES in notes.value) await later;
  root.textContent = '';
  render(<Page />, root);
}

const root = document.getElementById('page');
/** Under the name embed.html, or with `?embed`, it is put into a page of others: the answer alone. */
const isEmbedded = document.body.classList.contains('embed') || new URLSearchParams(location.search).has('embed');
if (root !== null)
  void (isEmbedded
    ? import('./embed/show.tsx').then(({ show: embed }) => {
        embed(root);
      })
    : begin(root));
