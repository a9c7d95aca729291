/** A line of a suite's result. */
export interface Row {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same as a ratio to something that was measured in the same run. */
  readonly ratio?: number;
  /** What `ratio` is, "times idiomatic". */
  readonly of?: string;
  readonly note?: string;
}

/** How much time a suite may take, and what it compares with. */
export interface Options {
  /** For CI: a few seconds a suite. */
  readonly quick: boolean;
  /** Says beside the result what is going on. */
  readonly say: (text: string) => void;
}

export type Suite = (options: Options) => Promise<Row[]>;
