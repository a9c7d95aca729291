/** Connection of commands to the server of a queue. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { InputError } from '../core/index.ts';
import { sanitizeLine } from '../report/index.ts';
import { type ClientCertificate, RedisConnection } from '../storage/node.ts';
import { printNote } from './terminal.ts';

/** Options of commands that use a server. */
export interface RedisOptions {
  readonly passwordFile?: string | undefined;
}

/** Reads the password: the first line of a file, or the environment. */
async function readPassword({ passwordFile }: RedisOptions): Promise<string | undefined> {
  if (passwordFile === undefined) return process.env['WARPOOL_REDIS_PASSWORD'];
  const text = await readFile(passwordFile, 'utf8').catch(() => undefined);
  const [line = ''] = text?.split(/\r?\n/) ?? [];
  if (line !== '') return line;
  throw new InputError(
    '--password-file',
    'a file with a password',
    text === undefined ? 'no such file' : 'an empty first line',
  );
}

/** Reads the file named by a variable. */
async function readNamedFile(variable: string, what: string): Promise<string> {
  const file = process.env[variable] ?? '';
  const expected = `a file with ${what}, in PEM`;
  if (file === '') throw new InputError(variable, expected, 'nothing');
  return await readFile(file, 'utf8').catch(() => {
    throw new InputError(variable, expected, `"${sanitizeLine(file)}", which cannot be read`);
  });
}

/** Reads the client certificate from the files in environment variables; undefined if neither is set. */
async function readCertificate(): Promise<ClientCertificate | undefined> {
  const { WARPOOL_REDIS_CERT, WARPOOL_REDIS_KEY } = process.env;
  if (!WARPOOL_REDIS_CERT && !WARPOOL_REDIS_KEY) return undefined;
  const cert = await readNamedFile('WARPOOL_REDIS_CERT', 'a certificate');
  const key = await readNamedFile('WARPOOL_REDIS_KEY', 'the key of WARPOOL_REDIS_CERT');
  try {
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new InputError('WARPOOL_REDIS_CERT, WARPOOL_REDIS_KEY', 'a certificate and its key, in PEM', found);
  }
}

/** @param place name of the URL in messages */
export async function connectToRedis(url: string, options: RedisOptions, place: string): Promise<RedisConnection> {
  const [password, certificate] = [await readPassword(options), await readCertificate()];
  return await RedisConnection.open(url, { password, certificate, place, onNote: printNote });
}
