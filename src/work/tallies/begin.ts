/** Makes a folder ready for a run: a new one, or one in which it was begun. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { isDraft } from '../../core/files/durable.ts';
import { makeFolders } from '../../core/files/folders.ts';
import { opened } from '../../rules/opened.ts';
import { askedOf } from '../../studies/asked.ts';
import { changesBetween } from '../folder/changes.ts';
import { LOCK } from '../folder/lock.ts';
import { told } from '../store/begin.ts';
import { RUN_FILE, TALLIES, talliesIn } from './files.ts';
import { findRun, type RunManifest, writeRun } from './manifest.ts';

/** All that makes two runs the same, cut alike: not who plays, and when. */
function sameness({ scenario, systemHash, ...run }: RunManifest, rangeSize: number): object {
  const { name: _label, ...content } = scenario;
  const { engine, ...asked } = askedOf(run);
  return { ...asked, to: run.to, systemHash, sampled: engine === 'sampled', rangeSize, scenario: content };
}

/**
 * Refuses another run than that of a folder.
 * @param asked    what a run is to be
 * @param where    where that stands, for messages
 * @param cutAlike false if it was not said how it is to be cut
 */
export function checkSameRun(
  folder: string,
  there: RunManifest,
  asked: RunManifest,
  where: string,
  cutAlike = true,
): void {
  const size = cutAlike ? asked.rangeSize : there.rangeSize;
  const changes = changesBetween(sameness(there, there.rangeSize), sameness(asked, size));
  if (changes.length > 0)
    throw new InputError(folder, 'the run that it was made for', `another one:\n${told(changes, where)}`);
}

/** Refuses a folder that holds something else. */
async function checkEmpty(folder: string): Promise<void> {
  const own = [LOCK, TALLIES];
  const stray = (await readdir(folder)).find((name) => !own.includes(name) && !isDraft(name));
  const [part] = await talliesIn(folder);
  const found = stray ?? (part === undefined ? undefined : `${part} without a ${RUN_FILE}`);
  if (found !== undefined) throw new InputError(folder, 'a new or an empty folder', `${found} in it`);
}

async function newFolder(folder: string, run: RunManifest): Promise<RunManifest> {
  await checkEmpty(folder);
  await makeFolders(join(folder, TALLIES));
  await writeRun(folder, run);
  return run;
}

/** What a folder may hold: nothing of a run yet; one that is not finished as well. */
export type Begin = 'new' | 'resume' | 'either';

/**
 * The run of a folder, which is begun there if there is none.
 * @param asked    what it is to be
 * @param cutAlike false if it was not said how it is to be cut
 * @throws InputError if the folder holds something else, or does not fit
 * @throws RunError if its `run.json` is damaged, or cannot be written
 */
export async function beginRun(
  folder: string,
  asked: RunManifest,
  begin: Begin,
  cutAlike: boolean,
): Promise<RunManifest> {
  const there = await findRun(folder, opened(asked.scenario).registry);
  if (there === undefined) {
    if (begin !== 'resume') return await newFolder(folder, asked);
    throw new InputError(folder, 'a run to go on with', `no ${RUN_FILE} in it`);
  }
  checkSameRun(folder, there, asked, 'asked for', cutAlike);
  if (begin === 'new' && !there.complete)
    throw new InputError(folder, 'a new or an empty folder', 'an unfinished run; --resume goes on with it');
  return there;
}
