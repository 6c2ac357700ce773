import type { TaskVerdict, TrialStatus } from '../verdict/decision.ts';

/**
 * A group of a run's trials that are equal in every field relevant for the decision, with their
 * number.
 */
export interface AlikeTrials {
  readonly caseKey: string;
  readonly declaredId: string | null;
  readonly title?: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly status: TrialStatus;
  readonly result: TaskVerdict | null;
  readonly evaluatorError: boolean;
  readonly count: number;
}
