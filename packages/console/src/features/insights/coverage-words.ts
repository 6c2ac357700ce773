import type { EvalRun } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';

type Insights = NonNullable<EvalRun['insights']>;

export function coverageWords(
  { scope, coverage }: Pick<Insights, 'scope' | 'coverage'>,
  unit: string,
): string[] {
  const isOfTrials = scope.kind === 'eval_run';
  const order = isOfTrials ? 'failing ones first' : 'the newest';
  const missing = isOfTrials ? 'graded' : 'played to their end';
  return [
    ...(coverage.truncated
      ? [`${grouped(coverage.analyzed)} of ${count(coverage.total, unit)} were read, ${order}.`]
      : []),
    ...(coverage.lowConfidence ? [`More than half of the ${unit}s were not ${missing}.`] : []),
  ];
}
