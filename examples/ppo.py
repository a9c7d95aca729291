"""Masked PPO in one file: the table of "A first training run" in docs/reference/environments.md.

    pip install torch 'warpool[gymnasium]'
    python examples/ppo.py --seeds 3                              # learning rate 0.0003, entropy 0.01
    python examples/ppo.py --seeds 3 --entropy 0.2
    python examples/ppo.py --seeds 3 --decisions retreat
    python examples/ppo.py --seeds 3 --retreat-cost 0.5           # a table of rewards
    python examples/ppo.py --scenario phased-dice-broadside --learning-rate 0.001 --steps 300000 --out policy.json
    python examples/ppo.py --scenario robots-five --self-play --choose softmax --out policy.json

Each seed prints the mean return in new battles with its 95 % interval, and the outcomes of these
battles. With --out, the network is written as a policy file, and evaluated as such a player. With
--self-play, each player has an agent and a file, and the printed results are against the policies of
the scenario. The method is that of J. Schulman et al. (Proximal Policy Optimization Algorithms,
2017); illegal actions have the logit -1e8 (S. Huang, S. Ontañón 2020).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import warpool
from warpool.gym import WarpoolVectorEnv
from warpool.policies import CHOICES, NetworkPolicy, write_network

CLIP, EPOCHS, MINIBATCHES, GAE_LAMBDA = 0.2, 4, 4, 0.95


def network(inputs: int, outputs: int, gain: float, activation: type[nn.Module]) -> nn.Sequential:
    """Return two layers of 64 and a linear one, orthogonal weights."""
    layers = [nn.Linear(inputs, 64), activation(), nn.Linear(64, 64), activation(), nn.Linear(64, outputs)]
    for layer, scale in ((layers[0], 2**0.5), (layers[2], 2**0.5), (layers[4], gain)):
        nn.init.orthogonal_(layer.weight, scale)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


class Agent(nn.Module):
    """An actor and a critic of some columns of the observations, and A actions."""

    def __init__(self, columns: list[int], actions: int, activation: type[nn.Module]):
        super().__init__()
        self.columns = columns
        self.actor = network(len(columns), actions, 0.01, activation)
        self.critic = network(len(columns), 1, 1, activation)

    def distribution(self, obs: torch.Tensor, mask: torch.Tensor) -> Categorical:
        """Return the distribution of legal actions."""
        return Categorical(logits=self.actor(obs[:, self.columns]).masked_fill(mask == 0, -1e8))

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        """Return the estimated returns."""
        return self.critic(obs[:, self.columns])[:, 0]

    @torch.no_grad()
    def greedy(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the likeliest action of each row: a policy for `warpool.evaluate`."""
        return self.distribution(torch.from_numpy(obs), torch.from_numpy(mask)).logits.argmax(1).numpy()


def advantages(rewards, values, ends, last, discount: float) -> torch.Tensor:
    """Return generalised advantage estimates, T x N. An episode that ends leaves nothing behind."""
    found, ahead, after = torch.zeros_like(rewards), torch.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        go_on = 1 - ends[t]
        ahead = rewards[t] + discount * after * go_on - values[t] + discount * GAE_LAMBDA * go_on * ahead
        found[t], after = ahead, values[t]
    return found


class Learner:
    """A player with its environments, and the agent that learns in them."""

    def __init__(self, arguments: argparse.Namespace, player: str):
        self.arguments = arguments
        self.player = player
        options = choices(arguments, player)
        self.envs = WarpoolVectorEnv(arguments.scenario, arguments.envs, scale=not arguments.raw, **options)
        columns = inputs(self.envs.manifest, arguments)
        self.agent = Agent(columns, self.envs.single_action_space.n, nn.ReLU if arguments.out else nn.Tanh)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=arguments.learning_rate, eps=1e-5)

    def start(self, seed: int, others: list[Learner]) -> None:
        """Start the first battles; other learners are opponents, with their latest weights."""
        self.envs.set_opponents({other.player: other for other in others})
        self.observations, self.infos = self.envs.reset(seed=seed)

    @torch.no_grad()
    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of actions: as an opponent of other learners."""
        scaled = observations if self.arguments.raw else observations / self.envs.manifest.scales
        return self.agent.distribution(torch.from_numpy(scaled), torch.from_numpy(masks)).probs.double().numpy()

    def learn(self) -> None:
        """Play T steps in all environments, and update the agent."""
        agent, arguments = self.agent, self.arguments
        n, t = arguments.envs, arguments.rollout
        rows: list[tuple[torch.Tensor, ...]] = []
        for _ in range(t):
            obs, mask = torch.from_numpy(self.observations), torch.from_numpy(self.infos["action_mask"])
            with torch.no_grad():
                legal, value = agent.distribution(obs, mask), agent.value(obs)
                action = legal.sample()
            self.observations, reward, terminated, truncated, self.infos = self.envs.step(action.numpy())
            # Battles of these scenarios end by themselves: nothing is truncated unless it is asked for.
            end = torch.from_numpy((terminated | truncated).astype(np.float32))
            rows.append((obs, mask, action, legal.log_prob(action), value, torch.from_numpy(reward), end))
        obs, mask, action, before, value, reward, end = (torch.stack(column) for column in zip(*rows, strict=True))
        with torch.no_grad():
            last = agent.value(torch.from_numpy(self.observations))
        gain = advantages(reward, value, end, last, arguments.discount)
        batch = [each.flatten(0, 1) for each in (obs, mask, action, before, gain, gain + value)]
        for _ in range(EPOCHS):
            for part in torch.randperm(n * t).chunk(MINIBATCHES):
                update(agent, self.optimizer, [each[part] for each in batch], arguments.entropy)


def train(arguments: argparse.Namespace, seed: int, players: list[str]) -> dict[str, Agent]:
    """Return the agents of players after this number of steps of each. Several players learn against each other."""
    torch.manual_seed(seed)
    learners = [Learner(arguments, player) for player in players]
    for learner in learners:
        learner.start(seed, [other for other in learners if other is not learner])
    for _ in range(arguments.steps // (arguments.envs * arguments.rollout)):
        for learner in learners:
            learner.learn()
    return {learner.player: learner.agent for learner in learners}


def update(agent: Agent, optimizer: torch.optim.Optimizer, batch, entropy: float) -> None:
    """Take a step of gradient on a minibatch."""
    obs, mask, action, before, gain, target = batch
    legal = agent.distribution(obs, mask)
    ratio = (legal.log_prob(action) - before).exp()
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
    value = (agent.value(obs) - target).square().mean() / 2
    loss = policy + 0.5 * value - entropy * legal.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()


def inputs(manifest: warpool.Manifest, arguments: argparse.Namespace) -> list[int]:
    """Return the columns of the inputs. Exact answers about a policy file are faster if it does not count rounds."""
    return [c for c, each in enumerate(manifest.features) if not (arguments.out and each.unit == "rounds")]


def choices(arguments: argparse.Namespace, player: str) -> dict:
    """Return the agent, its decisions and its reward."""
    reward: object = arguments.reward
    if arguments.retreat_cost is not None:
        others = {"attacker": "defender", "defender": "attacker"}
        reward = {player: {"outcomes": {player: 1, others[player]: -1, "retreat": -arguments.retreat_cost}}}
    return {"agents": player, "decisions": arguments.decisions, "reward": reward}


def result(arguments: argparse.Namespace, seed: int, player: str, agent: Agent) -> str:
    """Return the mean return and the outcomes in new battles; write the policy file."""
    options = {**choices(arguments, player), "reward": arguments.reward if arguments.out else "win"}
    policy, scale = agent.greedy, not arguments.raw
    if arguments.out:
        manifest = warpool.Manifest.load(arguments.scenario).change(**options)
        path = Path(arguments.out)
        path = path.with_name(f"{path.stem}.{player}{path.suffix}") if arguments.self_play else path
        write_network(
            path,
            manifest,
            agent.actor.state_dict().values(),
            features=[manifest.features[column].name for column in agent.columns],
            scale=scale,
            choose=arguments.choose,
        )
        # The weights of the file include the scales.
        policy, scale = NetworkPolicy(path, manifest, seed=seed), False
    found = warpool.evaluate(arguments.scenario, policy, arguments.episodes, seed=1000 + seed, scale=scale, **options)
    ends = ", ".join(f"{name} {count / found.episodes:.3f}" for name, count in found.outcomes.items() if count)
    low, high = found.interval
    return f"{found.mean:.3f} ({low:.3f} .. {high:.3f}); {ends}"


def main() -> None:
    """Train with each seed, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="phased-dice-ground", help="name, or file written by `warpool manifest`")
    parser.add_argument("--player", help="player to train (default: the first one)")
    parser.add_argument("--self-play", action="store_true", help="train all players against each other")
    parser.add_argument("--steps", type=int, default=1_000_000, help="of all environments of a player together")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds")
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--rollout", type=int, default=128, help="steps of each environment for an update")
    parser.add_argument("--learning-rate", type=float, default=0.0003)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--discount", type=float, default=1)
    parser.add_argument("--raw", action="store_true", help="observations that are not divided by their bounds")
    parser.add_argument("--decisions", nargs="+", help="decision points at which the agent decides")
    parser.add_argument("--reward", default="win", help="reward of the training, and of the evaluation with --out")
    parser.add_argument("--retreat-cost", type=float, help="reward 1, -1, and this less for a retreat")
    parser.add_argument("--episodes", type=int, default=4096, help="new battles of the evaluation")
    parser.add_argument("--out", help="policy file to write; trains ReLU instead of tanh, without counts of rounds")
    parser.add_argument("--choose", choices=CHOICES, default="argmax", help="choices of the policy file")
    arguments = parser.parse_args()
    if arguments.out and arguments.seeds > 1:
        parser.error("--out cannot be combined with --seeds")
    if arguments.self_play and arguments.player:
        parser.error("--self-play cannot be combined with --player")
    torch.set_num_threads(1)
    known = warpool.Manifest.load(arguments.scenario)
    players = list(known.scenarios[0].players) if arguments.self_play else [arguments.player or known.agents[0]]
    for seed in range(arguments.seed, arguments.seed + arguments.seeds):
        began = time.perf_counter()
        agents = train(arguments, seed, players)
        for player, agent in agents.items():
            found = result(arguments, seed, player, agent)
            name = f" {player}" if arguments.self_play else ""
            print(f"seed {seed}{name}: {found}; {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
