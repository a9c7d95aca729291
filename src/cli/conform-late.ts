/** What `warpool conform` says of a module one of whose calls did not end: it was ended, and cannot say it itself. */
import { type Call, tellCall } from '../core/platform/calls.ts';
import { version } from '../core/version.ts';
import { conformJson, conformSheet } from '../tell/conform.ts';
import { LONGER } from './apart.ts';
import { MODULES } from './conform.ts';
import { look, print, printJson } from './terminal.ts';

const ENDS = { id: 'ends', title: 'every call of the rules ends' };

/** @param args of the command @returns the exit code */
export function tellLate(late: Call, args: readonly string[]): number {
  const file = args.find((arg) => MODULES.test(arg)) ?? late.whose;
  const found = {
    ...{ check: ENDS.id, scenario: '', ok: false, checked: true, message: tellCall(late) },
    advice: `Nothing else was looked at. Every loop has to end, in every state that is reached. ${LONGER}`,
  };
  const conformed = { system: late.whose, title: late.whose, file, checks: [ENDS], findings: [found], files: {} };
  if (args.includes('--json')) printJson(conformJson([conformed], version()));
  else print(conformSheet(conformed, false, look(process.stdout)));
  return 1;
}
