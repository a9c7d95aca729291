/** Embedded answer: odds, remaining units, and a link to the full answer. */
import {
  formatOdds,
  formatSharedAnswer,
  placeParts,
  type SharedAnswer,
  selectHeadlineParts,
} from '../../../src/report/index.ts';
import { Key, Stack } from '../parts/stack.tsx';
import { getToneClass } from '../parts/tone.tsx';

export function EmbeddedAnswer({ answer: reported, link }: { readonly answer: SharedAnswer; readonly link: string }) {
  const { title, system, of, lines, left, how } = reported;
  const heads = selectHeadlineParts(reported);
  const parts = placeParts(reported.parts);
  const rest = parts.filter(({ name }) => !heads.some((head) => head.name === name));
  return (
    <main>
      <p class="soft small">{system}</p>
      <h1>{title}</h1>
      <p class="unseen">{formatSharedAnswer(reported)}</p>
      {of !== '' && <p class="of">{of}</p>}
      <div class="heads" aria-hidden="true">
        {heads.map(({ name, p, tone }) => (
          <p key={name} class={tone === undefined ? undefined : getToneClass(tone)}>
            <span class="name">{name}</span> <strong>{formatOdds(p)}</strong>
          </p>
        ))}
      </div>
      <Stack parts={parts} />
      {rest.length > 0 && (
        <ul class="rest" aria-hidden="true">
          {rest.map((part) => (
            <li key={part.name}>
              <Key part={part} />
              {part.name} {formatOdds(part.p)}
            </li>
          ))}
        </ul>
      )}
      {(of === '' ? lines : left).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p class="foot small soft">
        <span>{how}</span>
        <a href={link} target="_blank" rel="noopener">
          Open in warpool
        </a>
      </p>
    </main>
  );
}
