import type { OutputOf } from '@proofmark/contract';
import type { EvalSuite, LatestRun } from '../../storage/eval-suites.ts';

type Shown = OutputOf<'listEvalSuites'>['items'][number];

export function presentSuite(suite: EvalSuite): Shown {
  return {
    id: suite.id,
    name: suite.name,
    projectId: suite.projectId,
    createdAt: suite.createdAt.getTime(),
    updatedAt: suite.updatedAt.getTime(),
    latestRun: suite.latestRun && presentLatestRun(suite.latestRun),
    totals: { passed: suite.passedTrials, failed: suite.failedTrials, runs: suite.runCount },
    passRateTrend: [...suite.passRateTrend],
  };
}

function presentLatestRun(run: LatestRun): Shown['latestRun'] {
  const { id, status, total, passed, failed, createdAtMs } = run;
  return {
    id,
    status: status as 'completed',
    passRate: total === null || total === 0 || passed === null ? null : passed / total,
    passed,
    failed,
    createdAt: createdAtMs,
  };
}
