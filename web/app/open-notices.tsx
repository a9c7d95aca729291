/** Notices about the opened link or file. */
import type { ComponentChildren } from 'preact';
import { InputError } from '../../src/core/index.ts';
import { formatGrouped } from '../../src/report/index.ts';
import { deferredEffort, linkNote, startDeferredEffort } from './address.ts';
import { openFault } from './files.ts';
import { Button } from './parts/button.tsx';
import { formatError } from './parts/problem.tsx';
import { effort } from './state.ts';

interface ClosableProps {
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** True to announce it at once to screen readers. */
  readonly urgent?: boolean;
}

/** Notice with a close button. */
function Closable({ children, onClose, urgent = false }: ClosableProps) {
  return (
    <div class="problem closable" role={urgent ? 'alert' : 'status'}>
      <div>{children}</div>
      <Button aria-label="Close this notice" title="Close this notice" onClick={onClose}>
        ×
      </Button>
    </div>
  );
}

/** Describes the error of a link in plain words. */
function describeLinkError({ expected, found }: InputError): string {
  if (found.includes('save the scenario')) return 'The scenario is too long for a link. Save it as a file instead.';
  if (found.includes('a newer web app')) return 'This link was made by a newer version of warpool.';
  if (found.includes('not a warpool link')) return 'The address of this page is not a link to a scenario.';
  if (expected.includes('at most')) return 'This link is too long.';
  return 'This link is incomplete or damaged. Copy the whole link again.';
}

/** Describes the error of a link or a file. @param note follows the description of a link error */
export function OpenErrorText({ error, note = '' }: { readonly error: unknown; readonly note?: string }) {
  const link = error instanceof InputError && error.place.startsWith('link');
  return (
    <>
      {link && <p>{describeLinkError(error) + note}</p>}
      {formatError(error).map((line) => (
        <p class={link ? 'small soft' : undefined}>{line}</p>
      ))}
    </>
  );
}

function OpenFault() {
  if (openFault.value === undefined) return null;
  return (
    <Closable
      urgent
      onClose={() => {
        openFault.value = undefined;
      }}
    >
      <OpenErrorText error={openFault.value} note=" The page below is not from the link." />
    </Closable>
  );
}

/** Notice that a link requests a very long simulation. */
function DeferredEffortNotice() {
  const { requested, instead } = deferredEffort.value ?? {};
  if (requested === undefined || instead !== effort.value) return null;
  return (
    <Closable
      onClose={() => {
        effort.value = { ...effort.value };
      }}
    >
      <p>
        This link requests{' '}
        {requested.kind === 'battles'
          ? `${formatGrouped(requested.battles)} battles`
          : `intervals of ±${String(requested.precision)}`}
        . This takes long, so one million battles are simulated first.{' '}
        <Button onClick={startDeferredEffort}>Simulate all</Button>
      </p>
    </Closable>
  );
}

function LinkNote() {
  if (linkNote.value === '') return null;
  return (
    <Closable
      onClose={() => {
        linkNote.value = '';
      }}
    >
      <p>{linkNote.value}</p>
    </Closable>
  );
}

export function OpenNotices() {
  return (
    <>
      <OpenFault />
      <DeferredEffortNotice />
      <LinkNote />
    </>
  );
}
