/** What the engine does beside the first answer: loaded when it is first asked for, one part for each area. */
import { balance, effects } from './balance.ts';
import { battle, luck, notable } from './battle.ts';
import { catalogue } from './catalogue.ts';
import { compare, oddsBeside, whatIfs } from './compare.ts';
import { fields } from './fields.ts';
import { optimal } from './optimal.ts';
import { own } from './own.ts';
import { settable } from './settable.ts';
import { sweep, sweepPictures } from './sweep.ts';

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
  ...notable,
  ...oddsBeside,
  ...optimal,
  ...own,
  ...whatIfs,
  ...luck,
};
