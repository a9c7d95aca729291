/** Share dialog: link, text, image, and code for other pages. */
import '../../style/share.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatChatMessage, formatSharedAnswer, renderCardSvg, type SharedAnswer } from '../../../src/report/index.ts';
import { perform, WorkStopped } from '../../engine/client.ts';
import { createAddress } from '../address.ts';
import { createPngBlob, createSvgBlob } from '../figures/png.ts';
import { saveAs } from '../files.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { effort, file, text as scenario, seed } from '../state.ts';
import { createFrameHtml, createImageHtml } from './embed-code.ts';

interface ShareContent {
  readonly answer: SharedAnswer;
  readonly link: string;
  readonly svg: string;
}

async function createShareContent(signal: AbortSignal): Promise<ShareContent> {
  const ask = { text: scenario.peek(), file: file.peek(), seed: seed.peek(), effort: effort.peek() };
  const link = await createAddress();
  const reported = await perform((engine, task) => engine.createSharedAnswer(ask, task), signal, { patient: true });
  return { answer: reported, link, svg: renderCardSvg(reported) };
}

/** Returns the current file name without extension. */
const getCurrentStem = (): string => file.peek().replace(/\.\w+$/, '');

function Card({ shared: { answer: reported, svg } }: { readonly shared: ShareContent }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const url = URL.createObjectURL(createSvgBlob(svg));
    setAddress(url);
    return () => {
      URL.revokeObjectURL(url);
    };
  }, [svg]);
  if (address === '') return null;
  return (
    <img
      class="card"
      src={address}
      alt={`${reported.title}: ${formatSharedAnswer(reported)}`}
      width={1200}
      height={630}
    />
  );
}

interface CopyProps {
  readonly label: string;
  readonly content: string;
  readonly main?: boolean;
  /** Receives the status message. */
  readonly onSaid: (words: string) => void;
}

function CopyButton({ label, content, main = false, onSaid }: CopyProps) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(content);
      onSaid(`${label}: copied`);
    } catch {
      onSaid('Clipboard access was denied: select the text below');
    }
  };
  return (
    <Button main={main} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

/** Text that is copied by a button, or by hand: focus selects all of it. */
function CopyLine({ label, content, onSaid }: Omit<CopyProps, 'main'>) {
  return (
    <div class="line">
      <textarea
        readOnly
        rows={3}
        spellcheck={false}
        aria-label={label}
        value={content}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
      />
      <CopyButton label={`Copy ${label}`} content={content} onSaid={onSaid} />
    </div>
  );
}

/** Scale of the card: the PNG, twice as large, has 1200 by 630 pixels. */
const CARD_SCALE = 0.5;

/** Button that opens the share sheet of the system, if there is one. */
function Send({
  shared: { answer: reported, link, svg },
  onFault,
}: {
  shared: ShareContent;
  onFault: (error: unknown) => void;
}) {
  if (!('share' in navigator)) return null;
  const send = async (): Promise<void> => {
    const picture = new File([await createPngBlob(svg, CARD_SCALE)], `${getCurrentStem()}.png`, { type: 'image/png' });
    const words = { title: reported.title, text: formatChatMessage(reported, ''), url: link };
    const all = { ...words, files: [picture] };
    await navigator.share(navigator.canShare(all) ? all : words);
  };
  return (
    <Button
      main
      onClick={() => {
        send().catch((error: unknown) => {
          // The user has closed the share sheet.
          if (!(error instanceof DOMException && error.name === 'AbortError')) onFault(error);
        });
      }}
    >
      Send …
    </Button>
  );
}

function Save({ svg, onFault }: { svg: string; onFault: (error: unknown) => void }) {
  const name = `${getCurrentStem()}-odds`;
  return (
    <>
      <Button
        title={`Save ${name}.png`}
        onClick={() => {
          createPngBlob(svg, CARD_SCALE).then((blob) => {
            saveAs(blob, `${name}.png`);
          }, onFault);
        }}
      >
        Save PNG
      </Button>
      <Button
        title={`Save ${name}.svg`}
        onClick={() => {
          saveAs(createSvgBlob(svg), `${name}.svg`);
        }}
      >
        Save SVG
      </Button>
    </>
  );
}

/** Returns whether the address works only on this machine. */
const isLoopback = (): boolean => /^(?:127\.0\.0\.1|\[::1\]|localhost|.*\.localhost)$/.test(location.hostname);

function Body({ shared, onFault }: { readonly shared: ShareContent; readonly onFault: (error: unknown) => void }) {
  const { answer: reported, link, svg } = shared;
  const [said, setSaid] = useState('');
  const text = formatChatMessage(reported, link);
  return (
    <>
      <Card shared={shared} />
      <p class="buttons">
        <Send shared={shared} onFault={onFault} />
        <CopyButton label="Copy link" content={link} main={!('share' in navigator)} onSaid={setSaid} />
        <CopyButton label="Copy as text" content={text} onSaid={setSaid} />
        <Save svg={svg} onFault={onFault} />
      </p>
      <p class="small soft" role="status">
        {said}
      </p>
      {isLoopback() && (
        <p class="small soft">This address works only on your computer. You can still send the text and the image.</p>
      )}
      <details>
        <summary>Text</summary>
        <pre class="code">{text}</pre>
      </details>
      <details>
        <summary>Embed in a page</summary>
        <p>A frame; the reader’s browser computes the answer:</p>
        <CopyLine label="frame" content={createFrameHtml(reported, link)} onSaid={setSaid} />
        <p>An image with a link, without other files:</p>
        <CopyLine label="image" content={createImageHtml(reported, link)} onSaid={setSaid} />
      </details>
    </>
  );
}

export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const [shared, setShared] = useState<ShareContent | undefined>(undefined);
  const [fault, setFault] = useState<unknown>(undefined);
  useEffect(() => {
    box.current?.showModal();
    const controller = new AbortController();
    createShareContent(controller.signal).then(setShared, (error: unknown) => {
      if (!(error instanceof WorkStopped)) setFault(error);
    });
    return () => {
      controller.abort();
    };
  }, []);
  return (
    <dialog class="share" ref={box} aria-labelledby="share-title" onClose={onClose}>
      <div class="top">
        <h2 id="share-title">Share</h2>
        <Button aria-label="Close" onClick={() => box.current?.close()}>
          ×
        </Button>
      </div>
      {fault !== undefined && <Problem error={fault} />}
      {shared === undefined && fault === undefined && <p role="status">Drawing the image …</p>}
      {shared !== undefined && <Body shared={shared} onFault={setFault} />}
    </dialog>
  );
}
