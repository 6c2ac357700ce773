import type { OutputOf } from '@proofmark/contract';
import {
  distinctTargets,
  findingsOfRuns,
  goalTotals,
  type OverviewRun,
  type OverviewTarget,
  overviewLimits,
} from '@proofmark/domain';
import { readFeatures } from '../../../platform/accounts/store/organizations.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { listOverviewRuns, type OverviewRow } from '../store/overview-runs.ts';
import { type GradesOfRun, readGradesOfRuns } from '../store/run-grades.ts';
import { presentRunVerdict } from './present-run-verdict.ts';

export const getSwarmOverview: Action<'getSwarmOverview'> = async (context) => {
  const { swarms } = await readFeatures(context.database, context.project.organizationId);
  const { rows, grades } = await context.tenant(async (sql) => {
    const read = swarms ? await listOverviewRuns(sql, context.project.id) : [];
    return {
      rows: read,
      grades: await readGradesOfRuns(
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
      .map((row, index) => presentRun(row, grades.get(row.id), findings[index])),
    runsConsidered: rows.length,
    goalCompletion: { ...totals, trend: [...trend] },
  };
};

function countedRun(row: OverviewRow, of: GradesOfRun | undefined): OverviewRun {
  return {
    journeyId: row.journeyId,
    createdAt: row.createdAt.getTime(),
    goalCompletion: of?.goalCompletion ?? null,
    sessionsGraded: of?.grades?.sessionsGraded ?? 0,
    criteria: of?.grades?.criteria ?? [],
  };
}

function presentRun(
  row: OverviewRow,
  of: GradesOfRun | undefined,
  findings: ReturnType<typeof findingsOfRuns>[number] = [],
): OutputOf<'getSwarmOverview'>['runs'][number] {
  const { total, succeeded, failed, rateLimited, error } = row;
  return {
    runId: row.id,
    journeyId: row.journeyId,
    journeyName: row.journeyName,
    journeyArchived: row.journeyArchived,
    personaName: row.personaName,
    status: row.status,
    ...(error !== null && { error }),
    waveId: row.waveId,
    summary: { total, succeeded, failed, rateLimited },
    goalCompletion: of?.goalCompletion ?? null,
    findings: [...findings],
    targets: distinctTargets(row.targets.map(targetOf)),
    createdAt: row.createdAt.getTime(),
    ...presentRunVerdict(row, of?.grades),
  };
}

function targetOf(target: Readonly<Record<string, unknown>>): OverviewTarget {
  const { hostName, modelId, environmentName } = target;
  return {
    hostName: String(hostName),
    modelId: String(modelId),
    ...(typeof environmentName === 'string' && { environmentName }),
  };
}
