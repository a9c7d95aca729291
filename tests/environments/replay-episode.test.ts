/** Replays of episodes against replays of battles, in which policies of the scenario decide. */
import { expect, it } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import { createEnvSpec } from '../../src/environments/env-spec.ts';
import { computeBattleIndex } from '../../src/environments/reference-env.ts';
import { replayEpisode } from '../../src/environments/replay-episode.ts';
import { loadScenario } from '../../src/rules/index.ts';

it.each([
  ['phased-dice-ground', ['attacker']],
  ['phased-dice-ground', ['attacker', 'defender']],
  ['cube-bag-field', ['attacker']],
  ['token-conflict-open', ['assyria']],
])('replays the events of %s before each decision of %j', async (name, agents) => {
  const scenario = await loadScenario(`scenarios/${name}.yaml`);
  const { variants, decisions, agents: players } = createEnvSpec([{ scenario }], { agents });
  const [episode, env, seed] = [2, 5, 2n ** 63n];
  const { events } = replay(scenario, { seed, battle: computeBattleIndex(env, episode) });
  const decided = events.flatMap((event, at) => {
    if (event.kind !== 'decide' || event.options.length < 2 || !players.includes(event.player)) return [];
    const action = variants[0]?.spec.actionName(event.point, event.choice) ?? '';
    return decisions.includes(event.point) ? [{ ...event, at, action }] : [];
  });
  expect(decided.length).toBeGreaterThan(0);
  const actions = decided.map(({ action }) => action);
  const episodeOf = (count: number) =>
    replayEpisode(scenario, { agents, decisions, seed: String(seed), env, episode, actions: actions.slice(0, count) });
  for (const [count, { at, point, player }] of decided.entries())
    expect(episodeOf(count)).toEqual({ events: events.slice(0, at), pending: { point, player } });
  expect(episodeOf(actions.length)).toEqual({ events, pending: undefined });
});

it('waits before each round of a scenario without decisions, and stops at illegal actions', async () => {
  const scenario = await loadScenario('scenarios/attrition-direct.yaml');
  const episode = { agents: ['attacker'], seed: '1', env: 0, episode: 0 };
  const pending = { point: 'fight', player: 'attacker' };
  const first = replayEpisode(scenario, { ...episode, actions: [] });
  expect(first.pending).toEqual(pending);
  const [action = ''] = createEnvSpec([{ scenario }]).actions;
  const second = replayEpisode(scenario, { ...episode, actions: [action] });
  expect(second.pending).toEqual(pending);
  expect(second.events.length).toBeGreaterThan(first.events.length);
  expect(replayEpisode(scenario, { ...episode, actions: ['none', action] })).toEqual(first);
});
