/** Battles in lockstep: every environment goes from one decision of an agent to the next. */

import { values as battleValues } from '../core/counts';
import { Stream } from '../core/stream';
import {
  Autoresets,
  ENVS_MAX,
  Flags,
  FORFEIT,
  NONE,
  OPPONENT,
  Record,
  Status,
  TERMINAL,
  VARIANT_PLACE,
} from '../generated/environments';
import {
  acts,
  episodes,
  Fields,
  finalMasks,
  finalObservations,
  finalPhases,
  finalPlayers,
  finalReturns,
  finalVariants,
  finished,
  first,
  invalid,
  lengths,
  maskRow,
  masks,
  metricRow,
  metrics,
  observationRow,
  observations,
  outcomes,
  phases,
  players,
  records,
  resets,
  rewardRow,
  rewards,
  stride,
  terminated,
  truncated,
  variantOf,
} from './fields';
import * as Game from './game';
import { Row } from './row';
import { Scene, variant } from './scene';
import { decider, ending } from './turn';
import { View } from './view';

class Cell {
  @inline static i32(field: usize, e: i32): usize {
    return field + ((<usize>e) << 2);
  }
}

export class Environments {
  @inline static record(e: i32): Record {
    return changetype<Record>(records + <usize>e * stride);
  }

  @inline static battle(record: Record): usize {
    return changetype<usize>(record) + offsetof<Record>();
  }

  /** Legal actions of an environment, written with every observation. */
  @inline static mask(e: i32): usize {
    return masks + <usize>e * maskRow;
  }

  /** Uses the battle of a record as the current one. */
  @inline static open(record: Record): void {
    Scene.use(record.variant);
    Stream.resume(record.keyLow, record.keyHigh);
    Game.bind(Environments.battle(record));
  }

  /** The key of an environment's battle in the run of a seed. */
  static key(seed: u64, e: i32, episode: u32): u64 {
    const runKey = Stream.mix(seed + 0x9e3779b97f4a7c15);
    return Stream.key(runKey, <u64>episode * ENVS_MAX + <u64>(first + <u32>e));
  }

  @inline static seed(): u64 {
    const so = Fields.of();
    return ((<u64>so.seedHigh) << 32) | <u64>so.seedLow;
  }

  /** The scenario of the battle whose stream is open. */
  static drawVariant(): i32 {
    const last = Fields.of().variants - 1;
    if (last === 0) return 0;
    const word = Stream.word(VARIANT_PLACE);
    let index = 0;
    while (index < last && word >= Fields.variant(index).threshold) index++;
    return index;
  }

  /** Starts an episode and continues to its first decision. */
  static begin(e: i32, episode: u32): void {
    const record = Environments.record(e);
    const key = Environments.key(Environments.seed(), e, episode);
    Stream.resume(<u32>key, <u32>(key >> 32));
    record.keyLow = <u32>key;
    record.keyHigh = <u32>(key >> 32);
    record.episode = episode;
    record.steps = 0;
    record.answers = 0;
    record.outcome = NONE;
    record.status = Status.open;
    record.variant = Environments.drawVariant();
    Scene.use(record.variant);
    Game.bind(Environments.battle(record));
    Game.start();
    Environments.goOn(record);
    store<u32>(Cell.i32(episodes, e), episode);
    store<i32>(Cell.i32(variantOf, e), record.variant);
    Environments.show(e, record);
  }

  /** Continues to the next decision of an agent or opponent; all others follow the policies of the scenario. */
  @inline static goOn(record: Record): void {
    for (;;) {
      const point = Game.advance();
      record.point = point;
      if (point < 0) {
        record.outcome = ending;
        return;
      }
      record.player = decider;
      const agent = Scene.agent(decider);
      if (agent === OPPONENT || (agent !== NONE && Fields.asks(point))) return;
      Game.take(Game.choose());
    }
  }

  /** Writes the buffers for the host of an environment whose battle is open. */
  static show(e: i32, record: Record): void {
    View.look(observations + <usize>e * observationRow, record);
    View.mark(Environments.mask(e), record);
    const over = View.isOver(record);
    store<i32>(Cell.i32(players, e), over ? TERMINAL : record.player);
    store<u8>(phases + <usize>e, over ? 0 : <u8>(record.point + 1));
  }

  /** Shows an environment whose record the host has written. */
  static refresh(e: i32): void {
    const record = Environments.record(e);
    Environments.open(record);
    if (record.status === Status.done) record.point = NONE;
    store<u32>(Cell.i32(episodes, e), record.episode);
    store<i32>(Cell.i32(variantOf, e), record.variant);
    Environments.show(e, record);
  }

  @inline static clearRewards(e: i32): void {
    Row.clear(rewards + <usize>e * rewardRow, rewardRow);
    store<u8>(terminated + <usize>e, 0);
    store<u8>(truncated + <usize>e, 0);
    store<u8>(invalid + <usize>e, 0);
  }

  /** The scenario's number of an action that the mask of an environment allows, or -1. */
  @inline static legal(e: i32, action: i32): i32 {
    if (<u32>action >= <u32>Fields.of().actions) return NONE;
    return load<u8>(Environments.mask(e) + <usize>action) ? Scene.own(action) : NONE;
  }

  /** False if no step will change an environment any more, but a reset. */
  @inline static goesOn(e: i32): bool {
    return Environments.record(e).status === Status.open || Fields.of().autoreset !== Autoresets.disabled;
  }

  /** Takes the action of an environment; returns true if its episode is over. */
  static step(e: i32): bool {
    const record = Environments.record(e);
    const mode = Fields.of().autoreset;
    if (record.status !== Status.open) {
      if (mode === Autoresets.nextStep) {
        Environments.clearRewards(e);
        Environments.begin(e, record.episode + 1);
      } else Row.clear(rewards + <usize>e * rewardRow, rewardRow);
      return false;
    }
    Environments.clearRewards(e);
    Environments.open(record);
    record.steps++;
    if (record.point >= 0) {
      const action = Environments.legal(e, load<i32>(Cell.i32(acts, e)));
      if (action < 0) return Environments.forfeit(e, record);
      Game.take(action);
      Environments.goOn(record);
    }
    return Environments.settle(e, record);
  }

  /**
   * Makes the decision of an opponent, as a part of the last step; returns true if the episode is over. An episode in
   * which no agent has acted yet ends with its first step.
   */
  static answer(e: i32): bool {
    const record = Environments.record(e);
    if (record.status !== Status.open || View.isOver(record)) return false;
    Environments.open(record);
    if (Scene.agent(record.player) !== OPPONENT) return false;
    const action = Environments.legal(e, load<i32>(Cell.i32(acts, e)));
    if (action < 0) return Environments.forfeit(e, record);
    record.answers++;
    Game.take(action);
    Environments.goOn(record);
    return Environments.settle(e, record);
  }

  /** Ends the episode, or shows the next decision; returns true if the episode is over. */
  @inline static settle(e: i32, record: Record): bool {
    if (record.steps > 0) {
      if (record.point < 0) return Environments.finish(e, record);
      const limit = Fields.of().maxSteps;
      if (limit > 0 && record.steps >= <u32>limit && Scene.agent(record.player) !== OPPONENT) {
        store<u8>(truncated + <usize>e, 1);
        return Environments.close(e, record, Status.truncated);
      }
    }
    Environments.show(e, record);
    return false;
  }

  /** An illegal action loses: its agent earns -1, the others nothing. */
  static forfeit(e: i32, record: Record): bool {
    const agent = Scene.agent(record.player);
    if (agent >= 0) store<f32>(rewards + <usize>e * rewardRow + ((<usize>agent) << 2), <f32>FORFEIT);
    store<u8>(terminated + <usize>e, 1);
    store<u8>(invalid + <usize>e, 1);
    return Environments.close(e, record, Status.done);
  }

  /** The battle is over: rewards, outcome and metrics. */
  static finish(e: i32, record: Record): bool {
    Game.measure();
    const row = rewards + <usize>e * rewardRow;
    for (let agent = 0, n = Fields.of().agents; agent < n; agent++) {
      store<f32>(row + ((<usize>agent) << 2), <f32>Environments.reward(record, agent));
    }
    Row.copy(metrics + <usize>e * metricRow, battleValues, (<usize>variant.metrics) << 2);
    store<u8>(terminated + <usize>e, 1);
    return Environments.close(e, record, Status.done);
  }

  /** Returns the reward of an agent for a finished battle with the current metrics. */
  static reward(record: Record, agent: i32): f64 {
    const agents = Fields.of().agents;
    let reward = load<f64>(Fields.at(variant.byOutcome) + ((<usize>(record.outcome * agents + agent)) << 3));
    if (variant.flags & Flags.rewardsMetrics) {
      const weights = Fields.at(variant.byMetric);
      for (let m = 0, n = variant.metrics; m < n; m++) {
        const weight = load<f64>(weights + ((<usize>(m * agents + agent)) << 3));
        reward += weight * <f64>load<i32>(battleValues + ((<usize>m) << 2));
      }
    }
    if (variant.byStep !== 0)
      reward += load<f64>(Fields.at(variant.byStep) + ((<usize>agent) << 3)) * <f64>record.steps;
    return reward;
  }

  /**
   * Ends an episode. If the limit of steps has ended it, the next decision stays pending: its observation, mask, player
   * and phase are the last ones of the episode.
   */
  static close(e: i32, record: Record, status: i32): bool {
    store<i32>(Cell.i32(outcomes, e), record.outcome);
    store<u32>(Cell.i32(lengths, e), record.steps);
    store<i32>(Cell.i32(finalVariants, e), record.variant);
    Row.copy(finalReturns + <usize>e * rewardRow, rewards + <usize>e * rewardRow, rewardRow);
    if (status === Status.done) record.point = NONE;
    record.status = status;
    Environments.show(e, record);
    const observation = <usize>e * observationRow;
    Row.copy(finalObservations + observation, observations + observation, observationRow);
    Row.copy(finalMasks + <usize>e * maskRow, Environments.mask(e), maskRow);
    store<i32>(Cell.i32(finalPlayers, e), load<i32>(Cell.i32(players, e)));
    store<u8>(finalPhases + <usize>e, load<u8>(phases + <usize>e));
    if (Fields.of().autoreset === Autoresets.sameStep) Environments.begin(e, record.episode + 1);
    return true;
  }

  /** Makes the decisions of opponents in from..to-1; lists like `stepAll`. */
  static answerAll(from: i32, to: i32): i32 {
    let over = from;
    for (let e = from; e < to; e++) {
      if (Environments.answer(e)) store<i32>(Cell.i32(finished, over++), e);
    }
    return over - from;
  }

  /** Steps from..to-1; lists the environments whose episodes are over from `finished[from]` on; returns how many. */
  static stepAll(from: i32, to: i32): i32 {
    let over = from;
    for (let e = from; e < to; e++) {
      if (Environments.step(e)) store<i32>(Cell.i32(finished, over++), e);
    }
    return over - from;
  }
}

/** Starts over the environments that the host has marked. */
export function resetMarked(from: i32, to: i32): void {
  for (let e = from; e < to; e++) {
    if (!load<u8>(resets + <usize>e)) continue;
    Environments.clearRewards(e);
    Environments.begin(e, Environments.record(e).episode + 1);
  }
}
