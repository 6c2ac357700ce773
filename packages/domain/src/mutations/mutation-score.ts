/**
 * The mutation score: the share of decided mutants (deliberate changes of listings or answers) that
 * a suite noticed, with its confidence interval.
 */
import { type Stage, stages } from '../chain/vocabulary.ts';
import { type Interval, wilsonInterval } from '../verdict/wilson-interval.ts';
import type { MutantOutcome } from './mutant-outcome.ts';
import { type MutationOperator, stageOfOperator } from './operators.ts';

export interface MutationScore {
  readonly killed: number;
  /** The number of killed and survived mutants. */
  readonly decided: number;
  /** Null if no mutant was decided. */
  readonly value: number | null;
  readonly interval: Interval | null;
}

export interface StageScore extends MutationScore {
  readonly stage: Stage;
}

interface DecidedMutant {
  readonly operator: MutationOperator;
  readonly outcome: MutantOutcome;
}

export function mutationScore(mutants: readonly Pick<DecidedMutant, 'outcome'>[]): MutationScore {
  const killed = mutants.filter(({ outcome }) => outcome === 'killed').length;
  const decided = killed + mutants.filter(({ outcome }) => outcome === 'survived').length;
  const value = decided === 0 ? null : killed / decided;
  return { killed, decided, value, interval: wilsonInterval(killed, decided) };
}

export function scoresByStage(mutants: readonly DecidedMutant[]): StageScore[] {
  return stages.flatMap((stage) => {
    const own = mutants.filter(({ operator }) => stageOfOperator(operator) === stage);
    return own.length === 0 ? [] : [{ stage, ...mutationScore(own) }];
  });
}
