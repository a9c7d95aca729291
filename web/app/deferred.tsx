/** Features beyond the answer, loaded after the first answer has started. */
import { effect, signal } from '@preact/signals';
import '../style/later.css';
import type { ModuleFile } from '../engine/custom/custom-rules.ts';
import { acceptRules, pendingRules, readDeclaredText, runLinked, watchRules } from './custom/linked-rules.ts';
import { isOpening, moduleFault, stopOpening } from './custom/module.ts';
import { deleteDraft, offeredDraft, openDraft, watchDrafts } from './drafts.ts';
import { deferredNotices, replacementView } from './notices.tsx';
import { enableOffline, isUpdateReady } from './offline.ts';
import { OpenNotices } from './open-notices.tsx';
import { Button } from './parts/button.tsx';
import { scrollIntoView, useLostFocus } from './parts/focus.ts';
import { Problem } from './parts/problem.tsx';
import { isStartShown } from './state.ts';

function DraftOffer() {
  const draft = offeredDraft.value;
  if (draft === undefined) return null;
  const when = new Date(draft.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p class="problem" role="status">
      You edited {draft.file} ({when}). This browser saved the text.{' '}
      <Button
        onClick={() => {
          openDraft(draft);
        }}
      >
        Open draft
      </Button>{' '}
      <Button
        onClick={() => {
          deleteDraft(draft);
        }}
      >
        Delete draft
      </Button>
    </p>
  );
}

const isRulesTextOpen = signal(false);

/** Card of a link with custom rules, shown until the reader runs or rejects them. */
function LinkedRules({ module }: { readonly module: ModuleFile }) {
  const main = useLostFocus();
  const about = readDeclaredText(module, 'about');
  return (
    <main class="start" ref={main} tabIndex={-1}>
      <div class="problem" role="alert">
        <h2>{readDeclaredText(module, 'title') ?? module.file}</h2>
        {about !== undefined && <p>{about}</p>}
        <p>
          This link contains custom rules, <strong>{module.file}</strong>: JavaScript code that the scenario needs. It
          has not run. Run only rules that you trust.
        </p>
        <p class="saves">
          <Button main disabled={isOpening.value} onClick={() => void runLinked(module)}>
            {isOpening.value ? 'Starting …' : 'Run the rules'}
          </Button>
          <Button
            aria-expanded={isRulesTextOpen.value}
            onClick={() => {
              isRulesTextOpen.value = !isRulesTextOpen.value;
            }}
          >
            Read the rules
          </Button>
          <Button
            onClick={() => {
              stopOpening();
              acceptRules(module);
            }}
          >
            Do not run
          </Button>
        </p>
      </div>
      {moduleFault.value !== undefined && <Problem error={moduleFault.value} />}
      {isRulesTextOpen.value && (
        <pre class="code" ref={scrollIntoView}>
          {module.text}
        </pre>
      )}
    </main>
  );
}

function Notices() {
  return (
    <>
      <OpenNotices />
      {replacementView.value === undefined && <DraftOffer />}
      {isUpdateReady.value && (
        <p class="problem" role="status">
          A newer version of this page is ready. Close all its tabs to use it.
        </p>
      )}
    </>
  );
}

/** Starts the deferred features. @param plain true if the address has no question */
export function startDeferred(plain: boolean): void {
  deferredNotices.value = <Notices />;
  watchDrafts(plain);
  watchRules();
  effect(() => {
    const module = pendingRules.value;
    replacementView.value = module && !isStartShown.value ? <LinkedRules module={module} /> : undefined;
  });
  enableOffline();
}
