/** Row of the result of a suite. */
export interface Row {
  readonly suite: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Ratio to another measurement of the same run. */
  readonly ratio?: number;
  /** Meaning of `ratio`, such as "times idiomatic". */
  readonly of?: string;
  readonly note?: string;
}

/** Options of a suite. */
export interface Options {
  /** True for CI: a few seconds per suite. */
  readonly quick: boolean;
  /** Prints progress messages. */
  readonly say: (text: string) => void;
}

export type Suite = (options: Options) => Promise<Row[]>;
