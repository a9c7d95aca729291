/** The server of a queue, as commands name it. */
import { readFile } from 'node:fs/promises';
import { Link } from '../cluster/link.ts';
import { InputError } from '../errors.ts';
import { say } from './terminal.ts';

/** The options of commands that use a server. */
export interface RedisOptions {
  readonly passwordFile?: string | undefined;
}

/** The password: the first line of a file, or the environment. */
async function passwordOf({ passwordFile }: RedisOptions): Promise<string | undefined> {
  if (passwordFile === undefined) return process.env['WARPOOL_REDIS_PASSWORD'];
  const text = await readFile(passwordFile, 'utf8').catch(() => undefined);
  const [line = ''] = text?.split(/\r?\n/) ?? [];
  if (line !== '') return line;
  throw new InputError(
    '--password-file',
    'a file with a password',
    text === undefined ? 'no such file' : 'nothing in it',
  );
}

/** @param place what messages call the URL */
export async function openLink(url: string, options: RedisOptions, place: string): Promise<Link> {
  const onNote = (text: string): void => {
    say(`warpool: ${text}`);
  };
  return await Link.open(url, { password: await passwordOf(options), place, onNote });
}
