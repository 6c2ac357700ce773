import {
  caseHistories,
  confidence,
  flakinessOver,
  groupBy,
  mostRunsOfFlakiness,
  mostRunsOfHistory,
  wilsonInterval,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import type { Action } from '../../../../platform/operations/action.ts';
import {
  countCasesInRuns,
  type EndedRun,
  listEndedRuns,
  listGradedBefore,
  listSurfaceHashes,
} from '../../store/graded-trials.ts';
import { findSuite } from './find-suite.ts';

export const getEvalSuiteHistory: Action<'getEvalSuiteHistory'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: suiteId } = await findSuite(sql, context.project.id, params.suiteId);
    const runs = await listEndedRuns(sql, suiteId, mostRunsOfHistory);
    const readIds = runs.filter(({ isRead }) => isRead).map(({ id }) => id);
    const counted = await countCasesInRuns(sql, readIds);
    const flaky = await listFlakyCases(sql, suiteId, runs.at(-1));
    return {
      runs: runs.map(({ id, runNumber, createdAt, passed, failed }) => {
        const interval = wilsonInterval(passed, passed + failed);
        return {
          runId: id,
          runNumber,
          createdAt: createdAt.getTime(),
          passed,
          failed,
          interval: interval && { confidence, ...interval },
        };
      }),
      cases: caseHistories(readIds, counted, flaky).map(({ marks, ...one }) => ({
        ...one,
        marks: [...marks],
      })),
    };
  });

/**
 * Lists the cases that are flaky with the tools of the newest run. If that run used several tool
 * lists, or its list is unknown, no case counts as flaky.
 */
async function listFlakyCases(
  sql: Sql,
  suiteId: string,
  newest: EndedRun | undefined,
): Promise<string[]> {
  if (newest?.isRead !== true) return [];
  const [hash, another] = await listSurfaceHashes(sql, newest.id);
  if (hash === undefined || another !== undefined) return [];
  const { runNumber } = newest;
  const rows = await listGradedBefore(sql, { suiteId, runNumber }, hash, mostRunsOfFlakiness);
  const byVariant = groupBy(rows, ({ caseId, model, provider }) =>
    JSON.stringify([caseId, model, provider]),
  );
  return [...byVariant.values()].flatMap((inRuns) => {
    const caseId = inRuns[0]?.caseId;
    const isFlaky = flakinessOver(inRuns).stability === 'mixed';
    return isFlaky && typeof caseId === 'string' ? [caseId] : [];
  });
}
