/** What the engine does beside the first answer: loaded when it is first asked for, one part for each area. */
import { balance } from './balance.ts';
import { battle } from './battle.ts';
import { catalogue } from './catalogue.ts';
import { compare } from './compare.ts';
import { effects } from './effects.ts';
import { fields } from './fields.ts';
import { luck } from './luck.ts';
import { optimal } from './optimal.ts';
import { own } from './own.ts';
import { settable } from './settable.ts';
import { sweep } from './sweep.ts';
import { sweepPictures } from './sweep-pictures.ts';
import { whatIfs } from './what-if.ts';

export const later = {
  ...catalogue,
  ...fields,
  ...battle,
  ...compare,
  ...effects,
  ...balance,
  ...sweep,
  ...sweepPictures,
  ...settable,
  ...optimal,
  ...own,
  ...whatIfs,
  ...luck,
};
