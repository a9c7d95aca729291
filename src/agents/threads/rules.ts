/**
 * Environments that are played by the rules in a thread: what it is sent to make them, and what it does with their states,
 * which only that thread has. Fields and seed lie in memory that it shares with its host.
 */
import { InputError } from '../../core/errors.ts';
import { received } from '../../rules/load.ts';
import { type Portable, portable } from '../../rules/opened.ts';
import { type Changes, changed } from '../changes.ts';
import { type Configuration, configurationOf, type EnvironmentOptions } from '../configuration.ts';
import type { Room } from '../kernel.ts';
import { ReferenceEngine } from '../reference-engine.ts';
import { memoryBytes } from '../reference-fields.ts';

/** What a thread needs: scenarios whose systems it loads itself, how they are put together, and the memory of fields. */
export interface RulesSetup {
  readonly scenarios: readonly (Portable & { readonly weight: number })[];
  readonly options: EnvironmentOptions;
  readonly room: Room;
  readonly memory: SharedArrayBuffer;
}

/**
 * What a thread is sent.
 * @param what is asked for, such as `openSession`
 * @throws InputError if no thread can load the system, or there are too many environments
 */
export function rulesSetup(configuration: Configuration, room: Room, what: string): RulesSetup {
  const { system, variants, agents, asked, reward, autoreset, maxSteps } = configuration;
  const scenarios = variants.map(({ scenario, weight }) => {
    const sent = portable(scenario);
    if (sent !== undefined) return { ...sent, weight };
    throw new InputError(
      'system',
      `one from a module, by loadSystems, for the threads of ${what}`,
      `"${system.id}", given as an object`,
    );
  });
  const memory = new SharedArrayBuffer(memoryBytes(configuration, room));
  return { scenarios, options: { agents, points: asked, reward, autoreset, maxSteps }, room, memory };
}

/** The environments of a thread, and what is done with them there. */
export class RulesInThread {
  readonly engine: ReferenceEngine;
  #configuration: Configuration;

  private constructor(configuration: Configuration, { room, memory }: RulesSetup) {
    this.#configuration = configuration;
    this.engine = new ReferenceEngine(configuration, room, memory);
  }

  /** @throws InputError if the code of the system has changed since, or cannot be loaded */
  static async of(setup: RulesSetup): Promise<RulesInThread> {
    const weighted = setup.scenarios.map(async ({ weight, ...sent }) => ({ scenario: await received(sent), weight }));
    return new RulesInThread(configurationOf(await Promise.all(weighted), setup.options), setup);
  }

  /** Does what the host wishes. @returns states, if they were wished for */
  grant(wish: ThreadDeed): Uint8Array[] {
    const { engine } = this;
    switch (wish.kind) {
      case 'states':
        return engine.states(wish.from, wish.to);
      case 'load':
        engine.putStates(wish.states, wish.from);
        break;
      case 'set':
        engine.putState(wish.from, wish.state);
        break;
      case 'rekey':
        engine.rekey(wish.seed, wish.from, wish.to);
        break;
      case 'configure':
        this.#configuration = changed(this.#configuration, wish.changes);
        engine.configure(this.#configuration);
    }
    return [];
  }
}

/** What is to be done with states: give them, take those whose fields are there, take one and show it, other draws. */
type Deed =
  | { readonly kind: 'states' }
  | { readonly kind: 'load'; readonly states: readonly Uint8Array[] }
  | { readonly kind: 'set'; readonly state: Uint8Array }
  | { readonly kind: 'rekey'; readonly seed: bigint }
  | { readonly kind: 'configure'; readonly changes: Changes };

/** Something that only the thread which has environments from..to-1 can do. */
export type ThreadDeed = Deed & { readonly from: number; readonly to: number };
