/**
 * Whether the scores of a trial let it pass: every gating scorer has a row, every row belongs to a
 * scorer that was defined, and no gating row failed, broke or was skipped, unless the scorer's own
 * policy ignores the last two.
 */
import type { Score } from './score.ts';

export interface ScorerDefinition {
  readonly scorerId: string;
  readonly definitionHash: string;
  readonly role: 'gating' | 'advisory';
  /** Absent means `fail`. An advisory scorer never fails a trial. */
  readonly onError?: 'fail' | 'ignore';
  readonly onSkipped?: 'fail' | 'ignore';
}

export function gatingScoresPassed(
  definitions: readonly ScorerDefinition[],
  scores: readonly Score[],
): boolean {
  const byHash = new Map(definitions.map((one) => [one.definitionHash, one]));
  const scored = new Set(scores.map((score) => score.definitionHash));
  const complete = definitions.every(
    (one) => one.role === 'advisory' || scored.has(one.definitionHash),
  );
  return (
    complete &&
    scores.every((score) => {
      const definition = byHash.get(score.definitionHash);
      return (
        definition !== undefined && (definition.role === 'advisory' || holds(score, definition))
      );
    })
  );
}

function holds(score: Score, { onError, onSkipped }: ScorerDefinition): boolean {
  if (score.status === 'error') return onError === 'ignore';
  if (score.status === 'skipped') return onSkipped === 'ignore';
  if (score.status === 'not_applicable') return true;
  return score.value !== undefined && score.value >= score.passThreshold;
}
