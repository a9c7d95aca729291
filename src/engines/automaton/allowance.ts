/** What compiling a scenario may take, and why it ends without an automaton. */

/** What a compiler may take. */
export interface Allowance {
  /** Steps of the model that may be computed. */
  readonly steps: number;
  /** Seconds that computing them may take, pauses not counted; as long as it takes unless it is given. */
  readonly seconds?: number | undefined;
}

/**
 * Why a scenario is not compiled: it has too many steps, they take too long, a signal came, the words of its rounds are
 * not told or too many, too many draws follow each other, the names of the states take too much memory, or a draw has too
 * many ways.
 */
export interface NotCompiled {
  readonly because: 'steps' | 'seconds' | 'signal' | 'words' | 'draws' | 'keys' | 'ways';
  /** How many steps there are at least, as far as is known, and how long they would take. */
  readonly steps: number;
  readonly seconds: number;
}

/** Ends a compiler. */
export class TooLarge extends Error {
  readonly because: NotCompiled['because'];

  constructor(because: NotCompiled['because']) {
    super(because);
    this.because = because;
  }
}
