/** Figure with caption, files and the same numbers as a table. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RenderedFigure } from '../../engine/output/figures.ts';
import { saveAs } from '../files.ts';
import { Button } from '../parts/button.tsx';
import { createPngBlob, createSvgBlob } from './png.ts';

/** CSS pixels on the screen per CSS pixel on paper, where text is small. */
const SCREEN_SCALE = 1.6;

/** Figures wider than this are scrolled instead of scaled down. */
const MIN_SCALED_WIDTH = 400;

/** Inserts an SVG, parsed as XML, so that no script runs. */
function insertSvg(svg: string, box: HTMLElement): void {
  const { documentElement: drawn } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  if (drawn.localName !== 'svg') return;
  for (const side of ['width', 'height'] as const) {
    const size = Number(drawn.getAttribute(side));
    if (side === 'width') drawn.setAttribute(side, String(SCREEN_SCALE * size));
    else drawn.removeAttribute(side);
  }
  box.replaceChildren(document.importNode(drawn, true));
}

export interface SaveFile {
  readonly label: string;
  readonly name: string;
  readonly type: string;
  readonly content: string | (() => Promise<string>);
}

/** Buttons that download files. */
export function SaveButtons({ files }: { readonly files: readonly SaveFile[] }) {
  return (
    <>
      {files.map(({ label, name, type, content }) => (
        <Button
          key={label}
          title={`Save ${name}`}
          onClick={() => {
            void (async () => {
              saveAs(new Blob([typeof content === 'string' ? content : await content()], { type }), name);
            })();
          }}
        >
          {label}
        </Button>
      ))}
    </>
  );
}

interface FigureProps {
  readonly title: string;
  /** Without it, only the files are offered. */
  readonly picture: RenderedFigure | undefined;
  /** File name without extension. */
  readonly name: string;
  /** Additional files. */
  readonly files?: readonly SaveFile[];
  /** True while numbers are incomplete. */
  readonly open?: boolean;
  /** Receives the text of a pressed mark. */
  readonly onMark?: (reported: string) => void;
  readonly onKey?: (key: string) => boolean;
  /** Table with the same numbers. */
  readonly children?: ComponentChildren;
}

function FigureImage({
  svg,
  name,
  onFault,
}: Pick<FigureProps, 'name'> & { readonly svg: string; readonly onFault: (words: string) => void }) {
  const png = async (): Promise<void> => {
    try {
      saveAs(await createPngBlob(svg, SCREEN_SCALE), `${name}.png`);
    } catch (error) {
      onFault(String(error));
    }
  };
  return (
    <>
      <Button
        title={`Save ${name}.svg`}
        onClick={() => {
          saveAs(createSvgBlob(svg), `${name}.svg`);
        }}
      >
        SVG
      </Button>
      <Button title={`Save ${name}.png`} onClick={() => void png()}>
        PNG
      </Button>
    </>
  );
}

/** Returns the title of a mark. */
function getMarkTitle(target: EventTarget | null): string | undefined {
  return target instanceof Element ? (target.querySelector(':scope > title')?.textContent ?? undefined) : undefined;
}

export function Figure({ title, picture, name, files = [], open = false, onMark, onKey, children }: FigureProps) {
  const box = useRef<HTMLElement>(null);
  const [fault, setFault] = useState('');
  const { svg = '', caption, width = 0 } = picture ?? {};
  useLayoutEffect(() => {
    if (box.current !== null) insertSvg(svg, box.current);
  }, [svg]);
  if (picture === undefined)
    return (
      <p>
        <SaveButtons files={files} />
      </p>
    );
  return (
    <figure class="picture" aria-busy={open}>
      <section
        class={width > MIN_SCALED_WIDTH ? 'drawing broad' : 'drawing'}
        aria-label={`Figure: ${title}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1)
        tabIndex={0}
        ref={box}
        onClick={({ target }) => {
          const reported = getMarkTitle(target);
          if (reported !== undefined) onMark?.(reported);
        }}
        onKeyDown={(event) => {
          if (onKey?.(event.key) === true) event.preventDefault();
        }}
      />
      <figcaption class="small soft">{caption}</figcaption>
      {children}
      <p class="saves">
        <FigureImage svg={svg} name={name} onFault={setFault} />
        <SaveButtons files={files} />
        {fault !== '' && <span class="hint wrong">{fault}</span>}
      </p>
    </figure>
  );
}
