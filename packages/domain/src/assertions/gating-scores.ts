/**
 * Returns the verdict of a trial from its scores. A gating scorer below its threshold fails the
 * trial. An advisory scorer decides nothing. Without a failure, the trial passes only if none of
 * these cases leaves it ungraded:
 *
 * - a gating scorer failed to run or was skipped, and its policy does not ignore that
 * - a gating scorer has no score
 * - a scorer is neither gating nor advisory
 * - a score belongs to a scorer without a definition
 */
import type { Score } from './score.ts';

export interface ScorerDefinition {
  readonly scorerId: string;
  readonly definitionHash: string;
  readonly role: 'gating' | 'advisory';
  /**
   * Effect of the scorer's error on the trial (default: `fail`). An advisory scorer never fails a
   * trial.
   */
  readonly onError?: 'fail' | 'ignore';
  readonly onSkipped?: 'fail' | 'ignore';
}

export type GatingOutcome = 'passed' | 'failed' | 'evaluatorError';

/**
 * A scorer as sent by a reporter (a program that runs trials elsewhere). Its values may be invalid.
 */
export interface StatedScorer {
  readonly scorerId: string;
  readonly role?: unknown;
  readonly onError?: unknown;
  readonly onSkipped?: unknown;
}

export function gatingOutcome(
  definitions: readonly StatedScorer[],
  scores: readonly Score[],
): GatingOutcome {
  if (hasGatingFailure(definitions, scores)) return 'failed';
  return isEveryGateAnswered(definitions, scores) ? 'passed' : 'evaluatorError';
}

export function hasGatingFailure(
  definitions: readonly StatedScorer[],
  scores: readonly Score[],
): boolean {
  const gating = new Set(definitions.filter(isGating).map(({ scorerId }) => scorerId));
  return scores.some(
    ({ scorerId, status, value, passThreshold }) =>
      gating.has(scorerId) && status === 'scored' && (value ?? -1) < passThreshold,
  );
}

export function isEveryGateAnswered(
  definitions: readonly StatedScorer[],
  scores: readonly Score[],
): boolean {
  const byId = new Map(definitions.map((one) => [one.scorerId, one]));
  const scored = new Set(scores.map(({ scorerId }) => scorerId));
  return (
    definitions.every((one) => isAdvisory(one) || (isGating(one) && scored.has(one.scorerId))) &&
    scores.every((score) => {
      const definition = byId.get(score.scorerId);
      return definition !== undefined && (isAdvisory(definition) || isAnswer(score, definition));
    })
  );
}

function isGating({ role }: StatedScorer): boolean {
  return role === 'gating';
}

function isAdvisory({ role }: StatedScorer): boolean {
  return role === 'advisory';
}

function isAnswer({ status }: Score, { onError, onSkipped }: StatedScorer): boolean {
  if (status === 'error') return onError === 'ignore';
  return status !== 'skipped' || onSkipped === 'ignore';
}
