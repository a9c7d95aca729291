/**
 * Which process has written something, told by a mark in a name: several write into one store, on several machines
 * perhaps, and what one of them has left behind may only be removed once it is no more.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Writer {
  /** For people: the name of its machine, or what of it a file's name can hold. */
  readonly host: string;
  /** Tells where process numbers mean the same: a machine since it was started, or a container of it. */
  readonly place: string;
  readonly pid: number;
  /** When the process began, in ticks since the machine did; 0 where that cannot be known. */
  readonly began: string;
}

function read(path: string, by: (path: string) => string = (at) => readFileSync(at, 'utf8')): string {
  try {
    return by(path);
  } catch {
    return '';
  }
}

/** /proc/<pid>/stat (proc(5)) from field 3 on; the name of the program before it may hold blanks and parentheses. */
function statOf(pid: number | 'self'): string[] {
  const stat = read(`/proc/${String(pid)}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Field 22. */
function beginOf(stat: readonly string[]): string {
  const began = stat[19] ?? '';
  return /^\d{1,20}$/.test(began) ? began : '0';
}

/** Field 3: a process that has ended and that nobody has waited for; in containers it may stay so. */
const isZombie = ([state = '']: readonly string[]): boolean => ['Z', 'X'].includes(state);

let own: Writer | undefined;

/** This process. */
export function thisWriter(): Writer {
  if (own !== undefined) return own;
  const where = [
    hostname(),
    read('/proc/sys/kernel/random/boot_id'),
    read('/proc/self/ns/pid', (at) => readlinkSync(at)),
  ];
  own = {
    host:
      hostname()
        .replaceAll(/[^A-Za-z0-9]/g, '_')
        .slice(0, 24) || 'unnamed',
    place: createHash('sha256').update(JSON.stringify(where)).digest('hex').slice(0, 8),
    pid: process.pid,
    began: beginOf(statOf('self')),
  };
  return own;
}

/** A mark that nobody else makes: the writer, and twelve random digits. */
export function newMark({ host, place, pid, began }: Writer = thisWriter()): string {
  return [host, place, String(pid), began, randomBytes(6).toString('hex')].join('-');
}

/** The writer of a mark; undefined for any other text. */
export function writerOf(mark: string): Writer | undefined {
  const [, host, place, pid, began] =
    /^(\w{1,24})-([0-9a-f]{8})-([1-9]\d{0,9})-(\d{1,20})-[0-9a-f]{12}$/.exec(mark) ?? [];
  if (host === undefined || place === undefined || pid === undefined || began === undefined) return undefined;
  return { host, place, pid: Number(pid), began };
}

/** Whether a writer is at work; of other places nothing can be known from here. */
export function stateOf({ place, pid, began }: Writer): 'alive' | 'gone' | 'unknown' {
  if (place !== thisWriter().place) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: there is such a process, of another user.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 'gone';
  }
  const stat = statOf(pid);
  if (isZombie(stat)) return 'gone';
  const now = beginOf(stat);
  // Another process that has got the same number.
  return began !== '0' && now !== '0' && now !== began ? 'gone' : 'alive';
}
