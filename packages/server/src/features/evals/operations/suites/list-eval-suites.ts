import type { OutputOf } from '@proofmark/contract';
import { establishVerdict, type SummaryVerdict } from '@proofmark/domain';
import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import type { LatestRun, StoredSuite } from '../../store/eval-suites.ts';
import * as evalSuites from '../../store/eval-suites.ts';

export const listEvalSuites: Action<'listEvalSuites'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => evalSuites.readSuites(sql, context.project.id, page)),
    presentSuite,
  );

type Shown = OutputOf<'listEvalSuites'>['items'][number];

function presentSuite(suite: StoredSuite): Shown {
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
    result: run.result === 'passed' || run.result === 'failed' ? run.result : null,
    verdict: verdictOf(run),
    passRate: total === null || total === 0 || passed === null ? null : passed / total,
    passed,
    failed,
    total,
    createdAt: createdAtMs,
  };
}

function verdictOf({ id, ...run }: LatestRun): SummaryVerdict {
  const established = establishVerdict({ runId: id, ...run });
  if (established.verdictSource === 'none') return 'notEstablished';
  const { verdict } = established.verdictSource === 'policyV2' ? established.decision : established;
  return verdict;
}
