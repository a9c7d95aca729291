/** Memory layout shared by hosts and kernels, separate from all rules: threads load only this file. */
import { i32, record, row, u32 } from '../rules/index.ts';

/** Policies of environments: the scenario's policies, and uniform choice. In the kernel's order. */
export const POLICIES = ['scenario', 'uniform'] as const;
/** Policy of all players: the policies of the scenario, or a uniform choice of legal actions. */
export type Policy = (typeof POLICIES)[number];
export { POLICIES as POLICY };

/** Version of the ABI of kernels: docs/reference/abi.md. */
export const ABI = 1;

/**
 * Version of the environments: increased when observations, actions or rewards change under the same rules, so trained
 * policies no longer fit. 1: constant features are omitted.
 */
export const ENVIRONMENT = 1;

/** Battle `episode` of environment `env` is battle episode x ENVS_MAX + env of the run. */
export const ENVS_MAX = 0x20_0000;

/**
 * Stream positions that no rule uses: for the choice of the scenario, and, from the second and third on, for the uniform
 * policy and for opponents.
 */
export const VARIANT_PLACE = 0xffff_ffff;
export const CHOICES = 0xc000_0000;
export const OPPONENT_CHOICES = 0xd000_0000;

/** Index of a player whose decisions the host makes by `env_answer`, instead of the index of an agent. */
export const OPPONENT = -2;

/** Placeholder index: no pending decision, no finished battle, not an agent, or no such action. */
export const NONE = -1;

/** Placeholder player after the end of the battle (code of OpenSpiel). */
export const TERMINAL = -4;

/** Reward of an illegal action. */
export const FORFEIT = -1;

/** Behavior at the end of a battle; the modes of Gymnasium. */
export const AUTORESETS = ['next-step', 'same-step', 'disabled'] as const;
/** Start of the next episode: in the next step, in the same step, or only by `reset`. */
export type Autoreset = (typeof AUTORESETS)[number];

/** Error codes of `env_init` and `env_configure`. */
export const ERRORS = ['none', 'memory', 'abi', 'shape'] as const;

/** Head of a configuration, followed by a `VARIANT` per scenario and the data that they point to. */
export const CONFIGURATION = record({
  abi: i32,
  variants: i32,
  actions: i32,
  features: i32,
  agents: i32,
  metrics: i32,
  /** One of `AUTORESETS`. */
  autoreset: i32,
  /** Actions after which an episode is truncated; 0: never. */
  maxSteps: i32,
  seedLow: u32,
  seedHigh: u32,
  points: i32,
  /** Bits of the decision points at which agents follow their scenario's policies. */
  unasked: u32,
  unused: row(i32, 4),
});

/** One scenario. Offsets are in bytes from the start of the configuration. */
export const VARIANT = record({
  /** Scenario in the form for battles. */
  body: i32,
  /**
   * Bound of the random word that chooses this variant, if no earlier variant is chosen; the last one gets all other
   * words.
   */
  threshold: u32,
  players: i32,
  /** For each player the index of the agent, NONE or OPPONENT. */
  agents: i32,
  /**
   * Actions of the scenario: their number, their indices among all actions, and for each of all actions its index here
   * or NONE.
   */
  actions: i32,
  actionOf: i32,
  localOf: i32,
  /** Features of the scenario: their positions in an observation, and their number. */
  slotOf: i32,
  features: i32,
  outcomes: i32,
  /** Rewards at the end of a battle: doubles by outcome and agent, by metric and agent, and by agent for each step. */
  byOutcome: i32,
  metrics: i32,
  byMetric: i32,
  /** Words of the system. */
  extras: i32,
  flags: i32,
  /** Offset 0: no rewards by steps. */
  byStep: i32,
});

/** Flags of a scenario: rewards depend on metrics; some features are missing. */
export const FLAGS = { rewardsMetrics: 1, lacksFeatures: 2 } as const;

/** State of an environment, followed by the words of its battle in the layout of the system. */
export const RECORD = record({
  /** The key of the battle's stream. */
  keyLow: u32,
  keyHigh: u32,
  /** Index of the battle in this environment. */
  episode: u32,
  /** Actions taken in the episode. */
  steps: u32,
  /** Index of its scenario. */
  variant: i32,
  /** Index of the pending decision point, or NONE. */
  point: i32,
  /** Deciding player. */
  player: i32,
  /** Index of the outcome, after the end of the battle. */
  outcome: i32,
  status: i32,
  /** Decisions of opponents in the episode. */
  answers: u32,
  unused: row(i32, 2),
});

/**
 * Status of an environment. `done`: its battle has ended, also by an illegal action, and it waits for a reset.
 * `truncated`: the limit of steps has ended its episode, and it waits for a reset with a decision pending.
 */
export const STATUS = { open: 0, done: 1, truncated: 2 } as const;

/** Element types of buffers. */
export const KINDS = ['i32', 'f32', 'u8'] as const;
export type BufferKind = (typeof KINDS)[number];

/** Numbers in a row of a buffer: one, a number from the configuration, or the bytes of a record. */
export const COLUMNS = ['one', 'features', 'actions', 'agents', 'metrics', 'record'] as const;
export type BufferColumns = (typeof COLUMNS)[number];

/** Buffers in memory order, with element type and row length. */
export const SHAPES = {
  act: ['i32', 'one'],
  obs: ['f32', 'features'],
  mask: ['u8', 'actions'],
  reward: ['f32', 'agents'],
  terminated: ['u8', 'one'],
  truncated: ['u8', 'one'],
  player: ['i32', 'one'],
  phase: ['u8', 'one'],
  finalObs: ['f32', 'features'],
  finalReturn: ['f32', 'agents'],
  episode: ['i32', 'one'],
  invalid: ['u8', 'one'],
  finished: ['i32', 'one'],
  outcome: ['i32', 'one'],
  metrics: ['i32', 'metrics'],
  variant: ['i32', 'one'],
  length: ['i32', 'one'],
  finalVariant: ['i32', 'one'],
  resetMask: ['u8', 'one'],
  finalMask: ['u8', 'actions'],
  finalPlayer: ['i32', 'one'],
  finalPhase: ['u8', 'one'],
  record: ['u8', 'record'],
} as const satisfies Readonly<Record<string, readonly [BufferKind, BufferColumns]>>;

/** Name of an array shared by host and kernel. */
export type BufferName = keyof typeof SHAPES;
/** Names of the arrays shared by host and kernel, in the order of the table in memory. */
export const BUFFERS = Object.keys(SHAPES) as BufferName[];
export const FIELDS_COUNT: number = BUFFERS.length;

/** By buffer: indices in `KINDS` and `COLUMNS`. */
export const FIELD_KINDS: readonly number[] = Object.values(SHAPES).map(([kind]) => KINDS.indexOf(kind));
export const FIELD_COLUMNS: readonly number[] = Object.values(SHAPES).map(([, columns]) => COLUMNS.indexOf(columns));

/** Position of a buffer: an entry of the kernel's table. */
export const PLACE = record({
  /** One of `KINDS`. */
  kind: u32,
  /** Numbers in a row. */
  columns: u32,
  /** Address of the first row, in bytes. */
  address: u32,
  /** Bytes of a row. */
  row: u32,
});
