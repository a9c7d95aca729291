/** The front of a text as it is shown: in the colours of its sides, as pictures and bars have them, with what can take part. */
import { sidesOf } from '../../src/tell/sides.ts';
import { scenarioOf } from './check.ts';
import { type Front, type FrontSide, frontOf } from './front.ts';
import { joining } from './front-joins.ts';

/** The sides as all else shows them; none of a text with mistakes. */
function shownOf(text: string): ReturnType<typeof sidesOf> {
  try {
    return sidesOf(scenarioOf(text));
  } catch {
    return [];
  }
}

/** In the order of tones, as all else has them; of a text with mistakes as it was made. */
export function tonedFront(text: string): Front {
  const front = frontOf(text);
  const shown = shownOf(text);
  if (front.sides.length === 0) return front;
  const toned = joining(text, front.sides).map(
    (side): FrontSide => ({ ...side, tone: shown.find(({ id }) => id === side.id)?.tone ?? side.tone }),
  );
  const place = ({ id }: FrontSide): number => shown.findIndex((each) => each.id === id);
  return { ...front, sides: toned.toSorted((a, b) => place(a) - place(b)) };
}
