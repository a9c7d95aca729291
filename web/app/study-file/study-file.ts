/** File of a study that a panel edits and computes: a roster or a balance problem. */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ProgressCount } from '../../../src/report/index.ts';
import { isMapping } from '../../../src/rules/index.ts';
import { engineRestarts, perform } from '../../engine/client.ts';
import type {
  StudyCheck,
  StudyFileRequest,
  StudyFormat,
  StudyKind,
  StudyView,
} from '../../engine/studies/study-file.ts';
import type { WrittenOptions } from '../../engine/studies/study-options.ts';
import { BackgroundWork } from '../figures/background-work.ts';
import { inquire } from '../inquire.ts';
import { formatError } from '../parts/problem.tsx';
import { loadScenarioText, SCENARIOS } from '../scenarios.ts';
import {
  createNoteSignal,
  type FileText,
  isFileText,
  type NoteSignal,
  file as scenarioFile,
  text as scenarioText,
} from '../state.ts';

/** Maximum UTF-16 units of a text that links contain, next to rules and a pinned scenario. */
const MAX_LINKED_LENGTH = 10_000;

/** Milliseconds without a key until a text is validated. */
const PAUSE = 250;

export interface StudyFileOptions {
  readonly kind: StudyKind;
  /** What the file is, in sentences: `roster`. */
  readonly title: string;
  /** Example files by path. */
  readonly examples: Readonly<Record<string, () => Promise<string>>>;
  /** Name of the example that is shown by default. */
  readonly initial: string;
  /** Labels of options of the command, by name. */
  readonly options: Readonly<Record<string, string>>;
}

/** Maximum UTF-16 units of an option. */
const MAX_OPTION_LENGTH = 100;

const isOption = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_OPTION_LENGTH;

/** Loads the scenarios that a text refers to. @param own the scenario in the editor, if it is one of them */
async function loadNamedScenarios(text: string, own: FileText | undefined): Promise<StudyFileRequest['scenarios']> {
  const names = SCENARIOS.map(({ id }) => id).filter((id) => text.includes(`${id}.yaml`));
  const texts = await Promise.all(names.map(async (id) => [`${id}.yaml`, await loadScenarioText(id)] as const));
  return { ...Object.fromEntries(texts), ...(own && { [own.file]: own.text }) };
}

export class StudyFile {
  readonly kind: StudyKind;
  readonly title: string;
  /** Names of the examples. */
  readonly examples: readonly string[];
  readonly work = new BackgroundWork<StudyView | undefined, ProgressCount>();
  /** The file; undefined until the example is loaded. */
  readonly content: ReadonlySignal<FileText | undefined>;
  /** Last validated request, and its result. */
  readonly request: Signal<StudyFileRequest | undefined> = signal(undefined);
  readonly check: Signal<StudyCheck | undefined> = signal(undefined);
  /** Request of the last computation. */
  readonly computed: Signal<StudyFileRequest | undefined> = signal(undefined);
  readonly problems: ReadonlySignal<readonly string[]> = computed(() => this.check.value?.problems ?? []);
  /** Labels of options of the command, and their texts. */
  readonly labels: StudyFileOptions['options'];
  readonly options: NoteSignal<WrittenOptions>;
  readonly #load: StudyFileOptions['examples'];
  readonly #initial: string;
  readonly #linked: NoteSignal<FileText | undefined>;
  /** Text that is too long for links, or an unchanged example. */
  readonly #unlinked = signal<FileText | undefined>(undefined);

  constructor({ kind, title, examples, initial, options }: StudyFileOptions) {
    this.labels = options;
    this.options = createNoteSignal<WrittenOptions>(`${kind}.options`, {}, (value) =>
      isMapping(value)
        ? Object.fromEntries(
            Object.keys(options).flatMap((name) => (isOption(value[name]) ? [[name, value[name]]] : [])),
          )
        : undefined,
    );
    this.kind = kind;
    this.title = title;
    this.#load = examples;
    this.#initial = initial;
    this.examples = Object.keys(examples).map((path) => path.replace(/^.*\//, ''));
    this.#linked = createNoteSignal<FileText | undefined>(kind, undefined, (value) =>
      isFileText(value, MAX_LINKED_LENGTH) ? value : undefined,
    );
    this.content = computed(() => this.#linked.value ?? this.#unlinked.value);
  }

  /** Replaces the file. */
  open(content: FileText): void {
    const isLinked = content.text.length <= MAX_LINKED_LENGTH;
    batch(() => {
      this.#linked.value = isLinked ? content : undefined;
      this.#unlinked.value = isLinked ? undefined : content;
    });
  }

  readonly write = (text: string): void => {
    this.open({ file: this.content.peek()?.file ?? `${this.kind}.yaml`, text });
  };

  async openExample(name: string): Promise<void> {
    const load = Object.entries(this.#load).find(([path]) => path.endsWith(`/${name}`))?.[1];
    try {
      const text = (await load?.()) ?? '';
      batch(() => {
        this.#linked.value = undefined;
        this.#unlinked.value = { file: name, text };
      });
    } catch (error) {
      this.check.value = { problems: formatError(error) };
    }
  }

  /** Validates the file whenever it changes, or the scenario in the editor that it refers to. */
  watch(): () => void {
    return effect(() => {
      const content = this.content.value;
      if (content === undefined) {
        void this.openExample(this.#initial);
        return undefined;
      }
      const options = this.options.value;
      const file = scenarioFile.value;
      const own = content.text.includes(file) ? { file, text: scenarioText.value } : undefined;
      // A restarted engine validates the text again.
      const isFirst = engineRestarts.value === 0 && this.check.peek() === undefined;
      return inquire(
        async (engine) => {
          const request = {
            kind: this.kind,
            ...content,
            options,
            scenarios: await loadNamedScenarios(content.text, own),
          };
          return { request, check: await engine.checkStudy(request) };
        },
        ({ request, check }) => {
          batch(() => {
            this.request.value = request;
            this.check.value = check;
          });
        },
        {
          pause: isFirst ? 0 : PAUSE,
          ends: true,
          fail: (error) => {
            this.check.value = { problems: formatError(error) };
          },
        },
      );
    });
  }

  /** Text that identifies the current question. */
  readonly key: ReadonlySignal<string> = computed(() => JSON.stringify(this.request.value));

  /** True if the file is validated and valid. */
  readonly isReady: ReadonlySignal<boolean> = computed(() => {
    const { text, file } = this.content.value ?? {};
    const request = this.request.value;
    const isCurrent = request?.text === text && request?.file === file && request?.options === this.options.value;
    return isCurrent && this.check.value?.summary !== undefined;
  });

  readonly start = (): void => {
    const request = this.request.peek();
    if (request === undefined) return;
    this.computed.value = request;
    this.work.result.value = undefined;
    void this.work.start(this.key.peek(), (engine, task, onProgress) => engine.runStudy(request, task, onProgress));
  };

  /** Creates a file of a result. */
  async export(request: StudyFileRequest, format: StudyFormat): Promise<string> {
    return await perform((engine, task) => engine.exportStudy(request, format, task));
  }
}
