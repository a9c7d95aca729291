/** Checks of what the rules ask the door: draws, decisions and what they tell. */
import { Sampled } from '../core/chance/sampled.ts';
import { Stream } from '../core/chance/stream.ts';
import { weakPair } from '../core/chance/weak.ts';
import { watch } from '../rules/battle.ts';
import { playSeeded } from '../rules/opened.ts';
import { few, shown } from '../rules/own/states.ts';
import type { Model, State } from '../rules/system.ts';
import { endingOf, replay } from '../studies/replay.ts';
import type { Check, CheckedScenario, CheckFound } from './finding.ts';
import { at, told } from './telling.ts';
import { Witness, type WitnessedDraw } from './witness.ts';

/** Battles that are looked at draw by draw. */
const WATCHED = 20;

/** Steps of each. */
const STEPS = 3000;

/** Places that are compared with each other. */
const PLACES_MAX = 20_000;

/** Does something for a few battles until something is found. */
function firstOf(count: number, act: (battle: number) => readonly CheckFound[]): readonly CheckFound[] {
  for (let battle = 0; battle < count; battle++) {
    const found = act(battle);
    if (found.length > 0) return found.map((each) => ({ battle, ...each }));
  }
  return [];
}

const watchedOf = ({ effort }: CheckedScenario): number => Math.min(WATCHED, effort.battles);

/** Words of the round that has begun with the state after a step. */
function strays(model: Model<State>, round: number, places: Iterable<WitnessedDraw>): WitnessedDraw[] {
  const { roundWords } = model;
  if (roundWords === undefined) return [];
  const [from, to] = [round * roundWords, (round + 1) * roundWords];
  return [...places].filter(({ place, halves }) => halves === 2 && (place < from || place >= to));
}

function drawsOf({ open, seed }: CheckedScenario, battle: number): readonly CheckFound[] {
  const { model } = open;
  const found: CheckFound[] = [];
  const door = new Witness(Stream.of(seed, battle), (first, second) => {
    const [one, other] = [at(first.from), at(second.from)];
    const where = one === other ? `one draw${one}, made twice, takes` : `two draws${one} and${other} take`;
    found.push({
      message: `${where} the same word of a battle’s stream`,
      advice:
        'Their dice would always show the same luck. Give each draw a word of its own: a slot for each, or an index, ' +
        'door.at("attack", 1), in a slot of several words.',
    });
  });
  let known = 0;
  watch(model, door, STEPS, (_, act) => {
    const after = act();
    if (door.places.size > known) {
      const [stray] = strays(model, after.round, [...door.places.values()].slice(known));
      known = door.places.size;
      if (stray !== undefined)
        found.push({
          message: `a draw of round ${String(after.round)}${at(stray.from)} takes a word outside its round (${String(stray.place)})`,
          advice:
            'It may share its dice with another round. Declare slots that are large enough and draw with door.at.',
        });
    }
    return after;
  });
  const weak = door.places.size > PLACES_MAX ? undefined : weakPair(new Set(door.places.keys()));
  if (weak !== undefined)
    found.push({
      message: `two draws at ${weak.join(' and ')} are related more closely than others`,
      advice: 'Use fewer words in a round or fewer rounds (docs/randomness.md, Limits).',
    });
  return found.slice(0, 1);
}

export const draws: Check = {
  id: 'draws',
  title: 'every draw has a word of its own in the stream of its battle',
  run: (subject) => firstOf(watchedOf(subject), (battle) => drawsOf(subject, battle)),
};

/** The door of the reference model, with somebody who looks at what policies return. */
class Deciding extends Sampled {
  readonly found: CheckFound[] = [];
  /** Decisions of the present step, and whether anything was drawn in it. */
  decided = 0;
  drawn = false;
  #within = 0;
  readonly #subject: CheckedScenario;

  constructor(subject: CheckedScenario, stream: Stream) {
    super({
      seek: (place) => {
        stream.seek(place);
      },
      word: () => {
        if (this.#within === 0) this.drawn = true;
        return stream.word();
      },
    });
    this.#subject = subject;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    this.#subject.seen.points.add(point);
    this.#within++;
    const choice = policy();
    this.#within--;
    this.#look(point, player, options, choice);
    this.decided++;
    return choice;
  }

  #look(point: string, player: string, options: readonly (string | number)[], choice: unknown): void {
    const { system } = this.#subject.open;
    const asked = new Error('asked');
    const name = `the decision "${point}" of ${shown(player)}${at(asked)}`;
    const add = (message: string, advice: string): void => void this.found.push({ message, advice });
    if (!options.some((option) => option === choice))
      add(
        `${name}: the policy returned ${shown(choice)}, which is none of its options ${shown(options)}`,
        'Agents could not do the same, and replays would tell what is not allowed. Return one of the options.',
      );
    if (new Set(options).size < options.length)
      add(`${name} has an option twice: ${shown(options)}`, 'Name every option once.');
    if (!system.decisions.some((decision) => decision.point === point))
      add(`${name} is not declared`, `Add { point: ${shown(point)}, who, about, policies } to "decisions".`);
    if (typeof (player as unknown) !== 'string' || player === '')
      add(`${name} has no player`, 'Name the player who decides.');
    this.#order(name, add);
  }

  #order(name: string, add: (message: string, advice: string) => void): void {
    if (this.#subject.open.model.turn !== undefined) return;
    if (this.decided > 0)
      add(`${name} is the second in one phase`, 'A phase asks for one decision: make it two phases.');
    else if (this.drawn)
      add(`${name} comes after a draw of its phase`, 'A phase decides first, then draws: make it two phases.');
  }
}

export const decisions: Check = {
  id: 'decisions',
  title: 'policies do what is allowed, at decision points that are declared',
  run: (subject) =>
    firstOf(watchedOf(subject), (battle) => {
      const door = new Deciding(subject, Stream.of(subject.seed, battle));
      watch(subject.open.model, door, STEPS, (_, act) => {
        [door.decided, door.drawn] = [0, false];
        return act();
      });
      return door.found.slice(0, 1);
    }),
};

const BAD = /\bundefined\b|\bNaN\b|\[object |\bnull\b/;

/** What is wrong with how a battle is told. */
function tellingOf({ open }: CheckedScenario, { events }: ReturnType<typeof replay>): CheckFound[] {
  const { rules } = open.system;
  const found = new Map<string, CheckFound>();
  for (const event of events) {
    if (event.kind !== 'rule' || found.has(event.id)) continue;
    const rule = Object.hasOwn(rules, event.id) ? rules[event.id] : undefined;
    if (rule === undefined) {
      const message = `the rule "${event.id}" is told, but "rules" does not list it`;
      const advice = `A replay shows the bare name. Add it to "rules"; they have ${few(Object.keys(rules), 8)}.`;
      found.set(event.id, { message, advice });
      continue;
    }
    let text: unknown;
    try {
      text = rule.tell(event.facts);
    } catch (error) {
      text = told(error);
    }
    if (typeof text === 'string' && !BAD.test(text)) continue;
    const message = `the rule "${event.id}" is told as ${shown(text)} of the facts ${shown(event.facts)}`;
    found.set(event.id, { message, advice: 'Its sentence needs other facts: door.rule(id, () => ({ ... })).' });
  }
  return [...found.values()];
}

export const replays: Check = {
  id: 'replays',
  title: 'replays end as counted, and every sentence is complete',
  run: (subject) =>
    firstOf(Math.min(10, watchedOf(subject)), (battle) => {
      const { open, seed } = subject;
      const told = replay(open.scenario, { seed, battle });
      const counted = endingOf(open.model, playSeeded(open, seed, battle));
      const ends = { outcome: told.outcome, metrics: told.metrics };
      if (shown(ends) !== shown(counted)) {
        const message = `the replay ends as ${shown(ends)}, but ${shown(counted)} was counted`;
        return [
          {
            message,
            advice: 'door.rule must change nothing: neither its facts nor who listens are part of the rules.',
          },
        ];
      }
      return tellingOf(subject, told);
    }),
};
