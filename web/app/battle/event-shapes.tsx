/** Dice, cubes and cards. Screen readers skip them: the text next to them has the same content. */
import type { ReplayStep, ReplayView } from '../../engine/studies/battle.ts';
import { getToneClass } from '../parts/tone.tsx';
import {
  type Cube,
  createEventDrawings,
  type Die,
  type DrawnCard,
  type EventDrawing,
  getOutline,
  getPips,
} from './event-drawings.ts';

function DieShape({ die }: { readonly die: Die }) {
  const outline = getOutline(die);
  const pips = getPips(die);
  return (
    <svg class={die.hit ? 'die hit' : 'die'} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      {outline === undefined ? (
        <rect class="face" x="2" y="2" width="28" height="28" rx="5" />
      ) : (
        <polygon class="face" points={outline} />
      )}
      {pips.map(([x, y]) => (
        <circle class="pip" cx={9 + 7 * x} cy={9 + 7 * y} r="2.6" />
      ))}
      {pips.length === 0 && (
        <text class="number" x="16" y={die.sides === 4 ? 25 : 21} text-anchor="middle">
          {die.face === undefined ? '?' : String(die.face)}
        </text>
      )}
    </svg>
  );
}

/** Tones of cubes whose colors have no names and thus no side. */
const TONES = [2, 3, 4, 5] as const;

/** Cube in the color of its side; neutral cubes have no side. */
function CubeShape({
  cube: { colour, letter },
  colours: colors,
}: {
  readonly cube: Cube;
  readonly colours: ReplayView['colours'];
}) {
  const tone = colors.length === 0 ? TONES[colour % TONES.length] : colors[colour]?.tone;
  return (
    <svg class={`cube ${getToneClass(tone)}`} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <rect class="face" x="3" y="3" width="22" height="22" />
      <text class="number" x="14" y="19" text-anchor="middle">
        {letter}
      </text>
    </svg>
  );
}

function CardShape({ card: { name, chosen } }: { readonly card: DrawnCard }) {
  return (
    <span class={chosen ? 'card chosen' : 'card'}>
      {chosen && <span class="tick">✓ </span>}
      {name}
    </span>
  );
}

/** Parts of a lot in a row, the drawn one filled. */
function LotShape({ shares, index }: { readonly shares: readonly number[]; readonly index: number }) {
  const starts = shares.map((_, s) => shares.slice(0, s).reduce((sum, share) => sum + share, 0));
  return (
    <svg class="lot" viewBox="0 0 200 14" aria-hidden="true" focusable="false" preserveAspectRatio="none">
      {shares.map((share, s) => (
        <rect
          class={s === index ? 'part taken' : 'part'}
          x={200 * (starts[s] ?? 0)}
          y="1"
          width={200 * share}
          height="12"
        />
      ))}
    </svg>
  );
}

const More = ({ count }: { readonly count: number }) =>
  count === 0 ? null : <span class="soft small">and {String(count)} more</span>;

function EventGroup({
  drawn,
  colours: colors,
}: {
  readonly drawn: EventDrawing;
  readonly colours: ReplayView['colours'];
}) {
  switch (drawn.kind) {
    case 'dice':
      return (
        <>
          {drawn.dice.map((die) => (
            <DieShape die={die} />
          ))}
          <More count={drawn.more} />
          {drawn.sum !== undefined && <span class="token">{drawn.sum}</span>}
          <span class="soft small">{drawn.title}</span>
        </>
      );
    case 'cubes':
      return (
        <>
          {drawn.cubes.map((cube) => (
            <CubeShape cube={cube} colours={colors} />
          ))}
          <More count={drawn.more} />
          <span class="soft small">{drawn.title}</span>
        </>
      );
    case 'cards':
      return (
        <>
          {drawn.cards.map((card) => (
            <CardShape card={card} />
          ))}
          <More count={drawn.more} />
        </>
      );
    case 'lot':
      return <LotShape {...drawn} />;
    case 'value':
      return (
        <>
          <span class="token">{drawn.value}</span>
          <span class="soft small">{drawn.title}</span>
        </>
      );
  }
}

/** Observed events of a step, one line for each kind. */
export function EventShapes({
  events: seen,
  colours: colors,
  tone,
}: Pick<ReplayStep, 'events' | 'tone'> & Pick<ReplayView, 'colours'>) {
  const names = colors.map(({ name }) => name);
  const all = seen.flatMap((each) => createEventDrawings(each, names));
  if (all.length === 0) return null;
  return (
    <div class={tone === undefined ? 'drawings' : `drawings ${getToneClass(tone)}`} aria-hidden="true">
      {all.map((drawn) => (
        <div class={`drawn ${drawn.kind}`}>
          <EventGroup drawn={drawn} colours={colors} />
        </div>
      ))}
    </div>
  );
}
