"""PPO with action masks in one file. It reproduces "A first training run" in docs/reference/environments.md.

    pip install torch 'warpool[gymnasium]'
    python examples/ppo.py --seeds 3                              # learning rate 0.0003, entropy 0.01
    python examples/ppo.py --seeds 3 --entropy 0.2
    python examples/ppo.py --seeds 3 --decisions retreat
    python examples/ppo.py --seeds 3 --retreat-cost 0.5           # a table of rewards
    python examples/ppo.py --scenario phased-dice-broadside --learning-rate 0.001 --steps 300000 --out policy.json
    python examples/ppo.py --scenario robots-five --self-play --choose softmax --out policy.json

For each seed, the program prints the mean return in new battles with its 95 % interval, and the
outcomes of these battles. With --out, it writes the network to a policy file and evaluates this file.
With --self-play, each player has an agent and a policy file, and each agent is evaluated against the
policies of the scenario. The method is Proximal Policy Optimization (J. Schulman et al., Proximal
Policy Optimization Algorithms, 2017). Illegal actions have the logit -1e8 (S. Huang, S. Ontañón 2020).
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


def create_network(inputs: int, outputs: int, gain: float, activation: type[nn.Module]) -> nn.Sequential:
    """Create a network with two hidden layers of 64 units and a linear output layer, with orthogonal weights.

    `gain` is the scale of the weights of the output layer.
    """
    layers = [nn.Linear(inputs, 64), activation(), nn.Linear(64, 64), activation(), nn.Linear(64, outputs)]
    for layer, scale in ((layers[0], 2**0.5), (layers[2], 2**0.5), (layers[4], gain)):
        nn.init.orthogonal_(layer.weight, scale)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


class Agent(nn.Module):
    """An actor and a critic. Their inputs are the given columns of the observations."""

    def __init__(self, columns: list[int], actions: int, activation: type[nn.Module]):
        super().__init__()
        self.columns = columns
        self.actor = create_network(len(columns), actions, 0.01, activation)
        self.critic = create_network(len(columns), 1, 1, activation)

    def distribution(self, obs: torch.Tensor, mask: torch.Tensor) -> Categorical:
        """Return the distribution of the actions of each row; illegal actions have probability 0."""
        return Categorical(logits=self.actor(obs[:, self.columns]).masked_fill(mask == 0, -1e8))

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        """Return the estimated return of each row."""
        return self.critic(obs[:, self.columns])[:, 0]

    @torch.no_grad()
    def greedy(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the most probable action of each row. This method is a policy for `warpool.evaluate`."""
        return self.distribution(torch.from_numpy(obs), torch.from_numpy(mask)).logits.argmax(1).numpy()


def compute_advantages(rewards, values, ends, last, discount: float) -> torch.Tensor:
    """Compute generalized advantage estimates of T steps in N environments, as a T x N tensor.

    `ends` is 1 for the last step of an episode, and 0 otherwise. `last` contains the values after the last step.
    """
    advantages, advantage, next_value = torch.zeros_like(rewards), torch.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        continues = 1 - ends[t]
        delta = rewards[t] + discount * next_value * continues - values[t]
        advantage = delta + discount * GAE_LAMBDA * continues * advantage
        advantages[t], next_value = advantage, values[t]
    return advantages


class Learner:
    """The agent of one player, and the environments in which it learns."""

    def __init__(self, arguments: argparse.Namespace, player: str):
        self.arguments = arguments
        self.player = player
        options = create_env_options(arguments, player)
        self.envs = WarpoolVectorEnv(arguments.scenario, arguments.envs, scale=not arguments.raw, **options)
        columns = list_input_columns(self.envs.manifest, arguments)
        self.agent = Agent(columns, self.envs.single_action_space.n, nn.ReLU if arguments.out else nn.Tanh)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=arguments.learning_rate, eps=1e-5)

    def start(self, seed: int, others: list[Learner]) -> None:
        """Start the first battles. The other learners are opponents, with their current weights."""
        self.envs.set_opponents({other.player: other for other in others})
        self.observations, self.infos = self.envs.reset(seed=seed)

    @torch.no_grad()
    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of the actions of each row. This method makes a learner an opponent."""
        scaled = observations if self.arguments.raw else observations / self.envs.manifest.scales
        return self.agent.distribution(torch.from_numpy(scaled), torch.from_numpy(masks)).probs.double().numpy()

    def learn(self) -> None:
        """Simulate a rollout of T steps in each environment, and update the agent."""
        agent, arguments = self.agent, self.arguments
        n, t = arguments.envs, arguments.rollout
        rows: list[tuple[torch.Tensor, ...]] = []
        for _ in range(t):
            obs, mask = torch.from_numpy(self.observations), torch.from_numpy(self.infos["action_mask"])
            with torch.no_grad():
                legal, value = agent.distribution(obs, mask), agent.value(obs)
                action = legal.sample()
            self.observations, reward, terminated, truncated, self.infos = self.envs.step(action.numpy())
            # Battles of these scenarios always terminate. Episodes are truncated only if max_steps is set.
            end = torch.from_numpy((terminated | truncated).astype(np.float32))
            rows.append((obs, mask, action, legal.log_prob(action), value, torch.from_numpy(reward), end))
        obs, mask, action, log_prob, value, reward, end = (torch.stack(column) for column in zip(*rows, strict=True))
        with torch.no_grad():
            last = agent.value(torch.from_numpy(self.observations))
        advantage = compute_advantages(reward, value, end, last, arguments.discount)
        batch = [each.flatten(0, 1) for each in (obs, mask, action, log_prob, advantage, advantage + value)]
        for _ in range(EPOCHS):
            for part in torch.randperm(n * t).chunk(MINIBATCHES):
                update(agent, self.optimizer, [each[part] for each in batch], arguments.entropy)


def train(arguments: argparse.Namespace, seed: int, players: list[str]) -> dict[str, Agent]:
    """Train an agent for each player, and return the agents by player. Several players learn against each other."""
    torch.manual_seed(seed)
    learners = [Learner(arguments, player) for player in players]
    for learner in learners:
        learner.start(seed, [other for other in learners if other is not learner])
    for _ in range(arguments.steps // (arguments.envs * arguments.rollout)):
        for learner in learners:
            learner.learn()
    return {learner.player: learner.agent for learner in learners}


def update(agent: Agent, optimizer: torch.optim.Optimizer, batch, entropy: float) -> None:
    """Take one gradient step on a minibatch."""
    obs, mask, action, log_prob, advantage, target = batch
    legal = agent.distribution(obs, mask)
    ratio = (legal.log_prob(action) - log_prob).exp()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    policy = -torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
    value = (agent.value(obs) - target).square().mean() / 2
    loss = policy + 0.5 * value - entropy * legal.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()


def list_input_columns(manifest: warpool.Manifest, arguments: argparse.Namespace) -> list[int]:
    """List the columns of the observations that are inputs of the network.

    With --out, counts of rounds are omitted, because exact answers about a policy file are faster without them.
    """
    return [c for c, each in enumerate(manifest.features) if not (arguments.out and each.unit == "rounds")]


def create_env_options(arguments: argparse.Namespace, player: str) -> dict:
    """Return the options of the environments: the agent, its decisions and its reward."""
    reward: object = arguments.reward
    if arguments.retreat_cost is not None:
        others = {"attacker": "defender", "defender": "attacker"}
        reward = {player: {"outcomes": {player: 1, others[player]: -1, "retreat": -arguments.retreat_cost}}}
    return {"agents": player, "decisions": arguments.decisions, "reward": reward}


def evaluate_agent(arguments: argparse.Namespace, seed: int, player: str, agent: Agent) -> str:
    """Write the policy file, if --out is set, and return the mean return and the outcomes in new battles as text."""
    options = {**create_env_options(arguments, player), "reward": arguments.reward if arguments.out else "win"}
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
        # The weights in the file include the scales, so the evaluation does not scale observations.
        policy, scale = NetworkPolicy(path, manifest, seed=seed), False
    options |= {"seed": 1000 + seed, "scale": scale}
    evaluation = warpool.evaluate(arguments.scenario, policy, arguments.episodes, **options)
    shares = {name: count / evaluation.episodes for name, count in evaluation.outcomes.items() if count}
    low, high = evaluation.interval
    outcomes = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
    return f"{evaluation.mean:.3f} ({low:.3f} .. {high:.3f}); {outcomes}"


def main() -> None:
    """Train and evaluate agents with each seed, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="phased-dice-ground", help="name, or file written by `warpool manifest`")
    parser.add_argument("--player", help="player to train (default: the first one)")
    parser.add_argument("--self-play", action="store_true", help="train all players against each other")
    parser.add_argument("--steps", type=int, default=1_000_000, help="total number of steps of a player")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds")
    parser.add_argument("--envs", type=int, default=128, help="number of environments of a player")
    parser.add_argument("--rollout", type=int, default=128, help="number of steps of each environment per update")
    parser.add_argument("--learning-rate", type=float, default=0.0003)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--discount", type=float, default=1)
    parser.add_argument("--raw", action="store_true", help="do not divide observations by their bounds")
    parser.add_argument("--decisions", nargs="+", help="decision points at which the agent decides")
    parser.add_argument("--reward", default="win", help="reward for training, and for the evaluation with --out")
    parser.add_argument("--retreat-cost", type=float, help="reward 1, -1, and minus this value for a retreat")
    parser.add_argument("--episodes", type=int, default=4096, help="number of new battles for the evaluation")
    parser.add_argument("--out", help="policy file to write; uses ReLU instead of tanh, and no counts of rounds")
    parser.add_argument("--choose", choices=CHOICES, default="argmax", help="how the policy file selects actions")
    arguments = parser.parse_args()
    if arguments.out and arguments.seeds > 1:
        parser.error("--out cannot be combined with --seeds")
    if arguments.self_play and arguments.player:
        parser.error("--self-play cannot be combined with --player")
    torch.set_num_threads(1)
    manifest = warpool.Manifest.load(arguments.scenario)
    players = list(manifest.scenarios[0].players) if arguments.self_play else [arguments.player or manifest.agents[0]]
    for seed in range(arguments.seed, arguments.seed + arguments.seeds):
        start = time.perf_counter()
        agents = train(arguments, seed, players)
        for player, agent in agents.items():
            summary = evaluate_agent(arguments, seed, player, agent)
            name = f" {player}" if arguments.self_play else ""
            print(f"seed {seed}{name}: {summary}; {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
