/** Panel of a study that a file describes: editor, progress, result and its files. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatGrouped, formatProgress, sanitizeFileName } from '../../../src/report/index.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import type { StudyFileRequest, StudyFormat, StudyView } from '../../engine/studies/study-file.ts';
import { Figure, SaveButtons, type SaveFile } from '../figures/figure.tsx';
import { openFault, readFileText, saveAs } from '../files.ts';
import { Lazy } from '../lazy.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Field } from '../parts/field.tsx';
import { FileButton } from '../parts/file-button.tsx';
import { Outdated } from '../parts/outdated.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sheet } from '../parts/sheet.tsx';
import type { StudyFile } from './study-file.ts';

async function openStudyFile(study: StudyFile, chosen: File): Promise<void> {
  const file = sanitizeFileName(chosen.name);
  try {
    study.open({ file, text: await readFileText(chosen, file) });
    openFault.value = undefined;
  } catch (error) {
    openFault.value = error;
  }
}

/** Buttons that open an example or a file, and save the text. */
function FileButtons({ study }: { readonly study: StudyFile }) {
  const content = study.content.value;
  return (
    <p class="saves">
      Open an example:
      {study.examples.map((name) => (
        <Button key={name} onClick={() => void study.openExample(name)}>
          {name}
        </Button>
      ))}
      <FileButton
        label={`File of a ${study.title}`}
        accept=".yaml,.yml,.json"
        onFile={(chosen) => openStudyFile(study, chosen)}
      >
        Open a file
      </FileButton>
      <Button
        disabled={content === undefined}
        onClick={() => {
          if (content !== undefined) saveAs(new Blob([content.text], { type: 'application/yaml' }), content.file);
        }}
      >
        Save the {study.title}
      </Button>
    </p>
  );
}

function Progress({ study: { work } }: { readonly study: StudyFile }) {
  const { done = 0, total = 0 } = work.progress.value ?? {};
  const words = useElapsed(
    work.busy.value ? done : undefined,
    (seconds) => formatProgress({ done, total }, seconds, 'cells'),
    total === 0 ? 'Preparing the cells …' : `${formatGrouped(done)} of ${formatGrouped(total)} cells`,
  );
  if (!work.busy.value) return null;
  return (
    <p class="progress">
      <progress max={1} {...(total > 0 && { value: Math.min(1, done / total) })} aria-label="Cells done" />
      <span class="small soft">{words}</span>
      <Button onClick={work.stop}>Stop</Button>
    </p>
  );
}

const FORMATS: readonly (readonly [StudyFormat, label: string, type: string])[] = [
  ['json', 'JSON', 'application/json'],
  ['csv', 'CSV', 'text/csv'],
  ['html', 'HTML report', 'text/html'],
];

interface StudyResultsProps {
  readonly study: StudyFile;
  readonly request: StudyFileRequest;
  readonly view: StudyView;
}

function StudyResults({ study, request, view }: StudyResultsProps) {
  const stem = `${getFileStem(request.file)}-${study.kind}`;
  const files = FORMATS.map(
    ([format, label, type]): SaveFile => ({
      ...{ label, name: `${stem}.${format}`, type },
      content: () => study.export(request, format),
    }),
  );
  const figures = view.figures.map(({ title, picture }, f) => (
    <Figure key={f} title={title} picture={picture} name={f === 0 ? stem : `${stem}-${String(f + 1)}`} />
  ));
  const sections = view.sections.map(({ title, parts }, s) => (
    <div key={s}>
      {title !== '' && <h3>{title}</h3>}
      <Sheet caption={title || `Result ${String(s)}`} parts={parts} />
    </div>
  ));
  return (
    <>
      {view.answer !== '' && <p class="lead">{view.answer}</p>}
      {sections[0]}
      <p class="saves">
        <SaveButtons files={files} />
      </p>
      {figures}
      {sections.slice(1)}
      <details>
        <summary>On the command line</summary>
        <Copyable text={view.command} />
      </details>
    </>
  );
}

interface StudyPanelProps {
  readonly study: StudyFile;
  readonly heading: string;
  /** Loads the editor; the same function at every render. */
  readonly loadEditor: Parameters<typeof Lazy>[0]['load'];
  /** Introduction. */
  readonly children: ComponentChildren;
}

export function StudyPanel({ study, heading, loadEditor, children }: StudyPanelProps) {
  useEffect(() => study.watch(), [study]);
  const { work, check, problems, computed } = study;
  const view = work.result.value;
  return (
    <section class="studies" aria-label={heading}>
      <h2>{heading}</h2>
      <p>{children}</p>
      <FileButtons study={study} />
      <Lazy load={loadEditor}>
        <pre class="code">{study.content.value?.text}</pre>
      </Lazy>
      <div class="controls">
        {Object.entries(study.labels).map(([name, label]) => (
          <Field
            key={name}
            label={label}
            size={12}
            value={study.options.value[name] ?? ''}
            onText={(text) => {
              study.options.value = { ...study.options.value, [name]: text };
            }}
          />
        ))}
      </div>
      <ul class="problems" aria-live="polite">
        {problems.value.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="saves">
        <Button main disabled={!study.isReady.value || work.busy.value} onClick={study.start}>
          Compute
        </Button>
        <span class="small soft" role="status">
          {check.value?.summary}
        </span>
      </p>
      <Progress study={study} />
      {work.fault.value !== undefined && <Problem error={work.fault.value} />}
      {view !== undefined && computed.value !== undefined && (
        <Outdated of={work.of.value} now={study.key.value} what={study.title}>
          <StudyResults study={study} request={computed.value} view={view} />
        </Outdated>
      )}
    </section>
  );
}
