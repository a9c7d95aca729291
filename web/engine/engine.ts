/** All that the engine does: one object, a part for each area. */
import { answer } from './answer.ts';
import { balance } from './balance.ts';
import { battle } from './battle.ts';
import { catalogue } from './catalogue.ts';
import { check } from './check.ts';
import { compare } from './compare.ts';
import { effects } from './effects.ts';
import { optimal } from './optimal.ts';
import { own } from './own.ts';
import { sweep } from './sweep.ts';
import { task } from './task.ts';

export const engine = {
  ...task,
  ...catalogue,
  ...check,
  ...answer,
  ...battle,
  ...compare,
  ...effects,
  ...balance,
  ...sweep,
  ...optimal,
  ...own,
};

export type Engine = typeof engine;
