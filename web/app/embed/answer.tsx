/** The odds as a bar with names, what is left, and the way to the whole answer. */
import { headsOf, odds, type Told, type ToldPart, toldText } from '../../../src/tell/index.ts';

/** Shades of one colour, and of grey: a class for each. */
const SHADES = 4;

interface Shown extends ToldPart {
  readonly from: number;
  readonly tint: string;
}

function shownOf(parts: readonly ToldPart[]): Shown[] {
  const seen = new Map<number | undefined, number>();
  let from = 0;
  return parts.map((part) => {
    const times = seen.get(part.tone) ?? 0;
    seen.set(part.tone, times + 1);
    const colour = part.tone === undefined ? 'nobody' : `side${String(part.tone)}`;
    const shown = { ...part, from, tint: `${colour} shade${String(times % SHADES)}` };
    from += part.p;
    return shown;
  });
}

const share = (p: number): string => `${String(100 * p)}%`;

function Bar({ parts }: { readonly parts: readonly Shown[] }) {
  return (
    <svg class="odds" aria-hidden="true" focusable="false">
      {parts.map(({ name, from, p, tint }) => (
        <rect key={name} class={tint} x={share(from)} width={share(p)} y="0" height="100%" />
      ))}
      {parts.slice(1).map(({ name, from }) => (
        <line key={name} class="cut" x1={share(from)} x2={share(from)} y1="0" y2="100%" />
      ))}
    </svg>
  );
}

export function ToldAnswer({ told, link }: { readonly told: Told; readonly link: string }) {
  const { title, system, of, parts, lines, left, how } = told;
  const heads = headsOf(told);
  const shown = shownOf(parts);
  const rest = shown.filter(({ name }) => !heads.some((head) => head.name === name));
  return (
    <main>
      <p class="soft small">{system}</p>
      <h1>{title}</h1>
      <p class="unseen">{toldText(told)}</p>
      {of !== '' && <p class="of">{of}</p>}
      <div class="heads" aria-hidden="true">
        {heads.map(({ name, p, tone }) => (
          <p key={name} class={tone === undefined ? undefined : `side${String(tone)}`}>
            <span class="name">{name}</span> <strong>{odds(p)}</strong>
          </p>
        ))}
      </div>
      <Bar parts={shown} />
      {rest.length > 0 && (
        <ul class="rest" aria-hidden="true">
          {rest.map(({ name, p, tint }) => (
            <li key={name}>
              <svg class="key" aria-hidden="true" focusable="false">
                <rect class={tint} width="100%" height="100%" rx="2" />
              </svg>
              {name} {odds(p)}
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
