import type { OutputOf } from '@proofmark/contract';
import {
  distinctTargets,
  findingsOfRuns,
  goalTotals,
  type OverviewRun,
  type OverviewTarget,
  overviewLimits,
} from '@proofmark/domain';
import { readFeatures } from '../../storage/accounts/organizations.ts';
import {
  countGradesOfRuns,
  type GradeCounts,
  listOverviewRuns,
  type OverviewRow,
} from '../../storage/swarms/overview-runs.ts';
import type { Action } from '../action.ts';

export const getSwarmOverview: Action<'getSwarmOverview'> = async (context) => {
  const { swarms } = await readFeatures(context.database, context.project.organizationId);
  const { rows, grades } = await context.tenant(async (sql) => {
    const read = swarms ? await listOverviewRuns(sql, context.project.id) : [];
    return {
      rows: read,
      grades: await countGradesOfRuns(
        sql,
        read.map(({ id }) => id),
      ),
    };
  });
  const runs = rows.map((row) => countedRun(row, grades.get(row.id)));
  const findings = findingsOfRuns(runs);
  const { trend, ...totals } = goalTotals(runs);
  return {
    runs: rows
      .slice(0, overviewLimits.shown)
      .map((row, index) => presentRun(row, runs[index], findings[index])),
    runsConsidered: rows.length,
    goalCompletion: { ...totals, trend: [...trend] },
  };
};

/** Of what gates alone. A criterion that a completed grading says nothing about is not met. */
function countedRun(row: OverviewRow, grades: GradeCounts | undefined): OverviewRun {
  const { graded = 0, failing = 0, pending = 0, failed = 0, met, judged = null } = grades ?? {};
  return {
    ...{ journeyId: row.journeyId, createdAt: row.createdAt.getTime(), goalCompletion: judged },
    sessionsGraded: graded,
    criteria: row.rubric
      .filter(({ role }) => role === 'gating')
      .map(({ id, label, predicate, role }) => ({
        ...{ id, label, kind: predicate.type, role, failCount: failing - (met?.get(id) ?? 0) },
        ...{ pendingCount: pending, failedGradingCount: failed },
      })),
  };
}

function presentRun(
  row: OverviewRow,
  run: OverviewRun | undefined,
  findings: ReturnType<typeof findingsOfRuns>[number] = [],
): OutputOf<'getSwarmOverview'>['runs'][number] {
  const { total, succeeded, failed, rateLimited } = row;
  return {
    ...{ runId: row.id, journeyId: row.journeyId, journeyName: row.journeyName },
    ...{ journeyArchived: row.journeyArchived, personaName: row.personaName, status: row.status },
    waveId: row.waveId,
    summary: { total, succeeded, failed, rateLimited },
    goalCompletion: run?.goalCompletion ?? null,
    findings: [...findings],
    targets: distinctTargets(row.targets.map(targetOf)),
    createdAt: row.createdAt.getTime(),
  };
}

function targetOf(target: Readonly<Record<string, unknown>>): OverviewTarget {
  const { hostName, modelId, environmentName } = target;
  return {
    ...{ hostName: String(hostName), modelId: String(modelId) },
    ...(typeof environmentName === 'string' && { environmentName }),
  };
}
