/** What is to be said of the link or the file that was opened. */
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
  /** It is told at once to those who listen. */
  readonly urgent?: boolean;
}

/** A notice that can be put away. */
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

/** What is wrong with a link, for people who have not made it. */
function describeLinkError({ expected, found }: InputError): string {
  if (found.includes('save the scenario')) return 'The scenario is too long for a link. Save it as a file instead.';
  if (found.includes('a newer page')) return 'This link was made by a newer version of warpool.';
  if (found.includes('no link of warpool')) return 'The address of this page is not a link to a scenario.';
  if (expected.includes('at most')) return 'This link is too long.';
  return 'This link is incomplete or damaged. Copy the whole link again.';
}

/** What is wrong with a link or a file: of a link first in plain words. @param note follows them */
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

/** A link asks for more than anybody waits for. */
function DeferredEffortNotice() {
  const { asked, instead } = deferredEffort.value ?? {};
  if (asked === undefined || instead !== effort.value) return null;
  return (
    <Closable
      onClose={() => {
        effort.value = { ...effort.value };
      }}
    >
      <p>
        This link requests{' '}
        {asked.kind === 'battles'
          ? `${formatGrouped(asked.battles)} battles`
          : `intervals of ±${String(asked.precision)}`}
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
