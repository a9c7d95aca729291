/** Methods of the engine beyond the first answer, loaded on first use. */

import { customRules } from './custom/custom-rules.ts';
import { fields } from './editing/methods.ts';
import { settable } from './editing/settable.ts';
import { catalogue } from './registry/catalogue.ts';
import { balance, sensitivity } from './studies/balance-sensitivity.ts';
import { battle, luck, notable } from './studies/battle.ts';
import { optimal } from './studies/best-response.ts';
import { compare, oddsMethods, whatIfMethods } from './studies/compare.ts';
import { studies } from './studies/study-file.ts';
import { sweep, sweepPictures } from './studies/sweep.ts';

export const deferredMethods = {
  ...catalogue,
  ...fields,
  ...battle,
  ...compare,
  ...sensitivity,
  ...balance,
  ...sweep,
  ...sweepPictures,
  ...studies,
  ...settable,
  ...notable,
  ...oddsMethods,
  ...optimal,
  ...customRules,
  ...whatIfMethods,
  ...luck,
};
