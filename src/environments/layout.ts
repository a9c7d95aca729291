/** What hosts and kernels have agreed on, apart from everything that knows rules: threads load no more than this. */
import { i32, record, row, u32 } from '../rules/index.ts';

export { POLICIES as POLICY } from './scenario-spec.ts';

/** The version of the interface of kernels: docs/reference/abi.md. */
export const ABI = 1;

/**
 * The version of the environments: raised when agents see, may do or earn something else under the same rules, so that what
 * has been trained no longer fits. 1: features that cannot vary are left out.
 */
export const ENVIRONMENT = 1;

/** Battle `episode` of environment `env` is battle episode x ENVS_MAX + env of the run. */
export const ENVS_MAX = 0x20_0000;

/** Places in a battle's stream that no rule looks at: the choice of the scenario; from here on, those of the uniform policy. */
export const VARIANT_PLACE = 0xffff_ffff;
export const CHOICES = 0xc000_0000;

/** In the place of a number: no decision is pending, no battle has ended, a player is no agent, there is no such action. */
export const NONE = -1;

/** In the place of a player: the battle is over (OpenSpiel's code). */
export const TERMINAL = -4;

/** What an illegal action earns. */
export const FORFEIT = -1;

/** What an environment does when its battle is over; Gymnasium's modes. */
export const AUTORESETS = ['next-step', 'same-step', 'disabled'] as const;
/** What happens when an episode is over: the next one begins in the next step, in the same, or by `reset` alone. */
export type Autoreset = (typeof AUTORESETS)[number];

/** What is wrong with a configuration or the room for it, by what `env_init` and `env_configure` return. */
export const ERRORS = ['none', 'memory', 'abi', 'shape'] as const;

/** The head of a configuration; a `VARIANT` of each scenario follows, then what these point to. */
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
  /** Decision points at which agents are not asked but follow their scenario's policies: a bit for each. */
  unasked: u32,
  unused: row(i32, 4),
});

/** One scenario. Offsets are in bytes from the start of the configuration. */
export const VARIANT = record({
  /** The scenario as battles are played of it. */
  body: i32,
  /** The variant is drawn by the words below, unless one before it is; the last one by all others. */
  threshold: u32,
  players: i32,
  /** For each player the index of the agent, or NONE. */
  agents: i32,
  /** Its actions: how many, their numbers among all, and for each of all its own number or NONE. */
  actions: i32,
  actionOf: i32,
  localOf: i32,
  /** Its features: where each stands in an observation, and how many. */
  slotOf: i32,
  features: i32,
  outcomes: i32,
  /** Rewards of a battle that is over: doubles by outcome and agent, and by metric and agent. */
  byOutcome: i32,
  metrics: i32,
  byMetric: i32,
  /** Words of the system's own. */
  extras: i32,
  flags: i32,
  unused: i32,
});

/** Flags of a scenario: rewards look at metrics; there are features that it does not have. */
export const FLAGS = { rewardsMetrics: 1, lacksFeatures: 2 } as const;

/** The state of an environment; the words of its battle follow, as the system lays them out. */
export const RECORD = record({
  /** The key of the battle's stream. */
  keyLow: u32,
  keyHigh: u32,
  /** Number of the battle in this environment, from 0 on. */
  episode: u32,
  /** Actions taken in it. */
  steps: u32,
  /** Index of its scenario. */
  variant: i32,
  /** Index of the pending decision point, or NONE. */
  point: i32,
  /** Who decides. */
  player: i32,
  /** Index of the outcome, once the battle is over. */
  outcome: i32,
  status: i32,
  unused: row(i32, 3),
});

/**
 * What becomes of an environment when it is stepped. `done`: its battle is over, or lost by an illegal action, and it waits
 * for a reset. `truncated`: the limit of steps has ended its episode, and it waits for a reset, a decision still pending.
 */
export const STATUS = { open: 0, done: 1, truncated: 2 } as const;

/** What is in a field. */
export const KINDS = ['i32', 'f32', 'u8'] as const;
export type BufferKind = (typeof KINDS)[number];

/** Numbers in a row of a field: one, as many as the configuration says, or the bytes of a record. */
export const COLUMNS = ['one', 'features', 'actions', 'agents', 'metrics', 'record'] as const;
export type BufferColumns = (typeof COLUMNS)[number];

/** Fields in the order in which they lie: what is in them, and how much of it in a row. */
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

/** The name of an array that learner and kernel share. */
export type BufferName = keyof typeof SHAPES;
/** The names of the arrays that learner and kernel share, in the order of the table in memory. */
export const BUFFERS = Object.keys(SHAPES) as BufferName[];
export const FIELDS_COUNT: number = BUFFERS.length;

/** By field: numbers among `KINDS` and `COLUMNS`. */
export const FIELD_KINDS: readonly number[] = Object.values(SHAPES).map(([kind]) => KINDS.indexOf(kind));
export const FIELD_COLUMNS: readonly number[] = Object.values(SHAPES).map(([, columns]) => COLUMNS.indexOf(columns));

/** Where a field lies: an entry of the table that kernels give. */
export const PLACE = record({
  /** One of `KINDS`. */
  kind: u32,
  /** Numbers in a row. */
  columns: u32,
  /** Of the first row, in bytes. */
  address: u32,
  /** Bytes of a row. */
  row: u32,
});
