/** Cells: scenarios near one scenario or in a space about it, each with the figure that a study is about. */
import { pause } from '#platform/pause';
import type { Interval } from '../../answers/intervals.ts';
import type { TallyShape } from '../../answers/tally.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { type Subject, subjectOf } from '../comparing/subject.ts';
import { playable } from '../comparing/together.ts';
import { lookAt } from '../look.ts';
import { answerPatiently } from '../patient.ts';

/** What a cell says of the figure. */
export interface StudyCell {
  /** A share 0..1 or a metric's mean, in its unit. */
  readonly value: number;
  /** By battle, in whole numbers of the subject's unit; absent if the value is exact. */
  readonly battles?: Float64Array;
  /** Where they can lie, as declared. */
  readonly range?: Interval;
}

/**
 * Exact answers: where they are affordable beside the battles (`auto`), wherever they can be had in seconds (`always`:
 * elsewhere the study fails), or nowhere (`never`).
 */
export type Exactness = 'auto' | 'always' | 'never';

/** What the cells of a study share. */
export interface CellSetting {
  readonly seed: bigint;
  /** Battles of a cell that is simulated. */
  readonly battles: number;
  readonly exact: Exactness;
  /** Steps that an exact answer may take. */
  readonly budget?: number | undefined;
  readonly of: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The seed's battles from..from+battles-1 of a scenario. */
export interface CellRequest {
  readonly scenario: Scenario;
  readonly from: number;
  /** Scenarios of one study with the same key are the same. */
  readonly key: string;
}

/** Finds the figure in cells, in the order given; the one place that plays battles for a study. */
export interface Laboratory {
  readonly subject: Subject;
  /** Cells that were answered exactly, and by battles, so far. */
  readonly count: { exact: number; simulated: number };
  /**
   * Equal cells are evaluated once: exact ones in all of the study, others among these requests.
   * @param requests all with the same `from`
   * @returns undefined if the signal came before all were done
   * @throws BudgetError if exact answers were demanded and one is too large
   */
  evaluate(requests: readonly CellRequest[]): Promise<readonly StudyCell[] | undefined>;
}

const meanOf = (values: Float64Array, unit: number): number =>
  (values.reduce((sum, value) => sum + value, 0) / values.length) * unit;

const NOWHERE: Interval = [0, 0];

/**
 * A laboratory for cells about `base`. Exact answers are tried only if that of `base` itself is affordable.
 * @throws InputError if there is no such outcome or metric
 * @throws RunError if the signal came before it was known whether exact answers are affordable
 */
export async function laboratory(base: Scenario, setting: CellSetting): Promise<Laboratory> {
  const { seed, battles, signal, exact, budget } = setting;
  const { shape } = opened(base);
  const subject = subjectOf(setting.of, [shape]);
  const shapes = (own: TallyShape): TallyShape[] => [own, shape];
  const solved = async (scenario: Scenario): Promise<StudyCell | undefined> => {
    const answer = await answerPatiently(scenario, exact, battles, budget, signal);
    return answer && { value: subject.exact(answer.summary) };
  };
  const unlessStopped = (error: unknown): undefined => {
    if (signal?.aborted !== true) throw error;
  };
  const solvable = (await solved(base)) !== undefined;
  const count = { exact: 0, simulated: 0 };

  const simulated = async ({ scenario, from }: CellRequest): Promise<StudyCell | undefined> => {
    const side = await playable(scenario, battles, signal);
    const { read, unit, ranges } = subjectOf(subject.of, shapes(side.shape));
    const values = new Float64Array(battles);
    const looked = await lookAt(from, battles, signal, (battle) => {
      values[battle - from] = read(side.play(seed, battle), 0);
      return true;
    });
    return looked < battles ? undefined : { value: meanOf(values, unit), battles: values, range: ranges[0] ?? NOWHERE };
  };

  const found = new Map<string, StudyCell>();
  const cellOf = async (request: CellRequest): Promise<StudyCell | undefined> => {
    const known = solvable ? await solved(request.scenario).catch(unlessStopped) : undefined;
    if (signal?.aborted === true) return undefined;
    const cell = known ?? (await simulated(request));
    if (cell !== undefined) count[known === undefined ? 'simulated' : 'exact']++;
    return cell;
  };

  const evaluate = async (requests: readonly CellRequest[]): Promise<readonly StudyCell[] | undefined> => {
    const cells: StudyCell[] = [];
    const played = new Map<string, StudyCell>();
    for (const request of requests) {
      await pause();
      if (signal?.aborted === true) return undefined;
      const cell = found.get(request.key) ?? played.get(request.key) ?? (await cellOf(request));
      if (cell === undefined) return undefined;
      (cell.battles === undefined ? found : played).set(request.key, cell);
      cells.push(cell);
    }
    return cells;
  };
  return { subject, count, evaluate };
}
