/** The page. */
import { render } from 'preact';
import '../style/base.css';
import '../style/parts.css';
import '../style/layout.css';
import { watchText } from './checking.ts';
import { Editor } from './editor/index.tsx';
import { Header } from './header.tsx';
import { PANELS } from './panels.ts';
import { Tabs } from './parts/tabs.tsx';
import { SCENARIOS } from './scenarios.ts';
import { Shown } from './shown.tsx';
import { openText, panel } from './state.ts';

function show(id: string): void {
  panel.value = id;
}

function Page() {
  return (
    <>
      <Header />
      <main>
        <section class="side" aria-label="Scenario">
          <Editor />
        </section>
        <Tabs label="What to ask" tabs={PANELS} shown={panel.value} onShow={show}>
          <Shown />
        </Tabs>
      </main>
    </>
  );
}

const first = SCENARIOS.find(({ id }) => id === 'attrition-direct') ?? SCENARIOS[0];
if (first !== undefined) openText(first.text, `${first.id}.yaml`);
watchText();
const root = document.getElementById('page');
if (root !== null) {
  root.textContent = '';
  render(<Page />, root);
}
