import type { OutputOf } from '@proofmark/contract';
import type { JourneySnapshot, RunSpending } from '@proofmark/domain';
import type { StoredAttempt, StoredJourneyRun } from '../store/journey-runs.ts';
import type { GradesOfRun } from '../store/run-grades.ts';
import { presentRunVerdict } from './present-run-verdict.ts';

type Shown = OutputOf<'getJourneyRun'>;

export function presentJourneyRun(run: StoredJourneyRun, of: GradesOfRun | undefined): Shown {
  const { total, succeeded, failed, rateLimited, heartbeatAt, error } = run;
  return {
    id: run.id,
    projectId: run.projectId,
    journeyId: run.journeyId,
    waveId: run.waveId,
    status: run.status,
    canceled: run.canceled,
    stale: run.stale,
    ...(error !== null && { error }),
    summary: { total, succeeded, failed, rateLimited },
    targets: run.targets.map((target) => ({ ...target })),
    persona: { personaId: run.personaId, name: run.personaName, role: run.personaRole },
    createdAt: run.createdAt.getTime(),
    ...(heartbeatAt !== null && { lastHeartbeatAt: heartbeatAt.getTime() }),
    personaModel: run.personaModel,
    startedAt: run.startedAt?.getTime() ?? null,
    completedAt: run.completedAt?.getTime() ?? null,
    source: run.source,
    ...(run.isSample && { isSample: true as const }),
    ...presentRunVerdict(run, of?.grades),
    goalCompletion: of?.goalCompletion ?? null,
  };
}

export function presentWholeJourneyRun(
  run: StoredJourneyRun,
  of: GradesOfRun | undefined,
  attempts: readonly StoredAttempt[],
  snapshot: JourneySnapshot | undefined,
  spending: RunSpending | undefined,
): Shown {
  const hostOf = new Map(run.targets.map(({ targetId, hostId }) => [targetId, hostId]));
  return {
    ...presentJourneyRun(run, of),
    attempts: attempts.map(({ ordinal: _, ...attempt }) => ({
      ...attempt,
      hostId: hostOf.get(attempt.targetId) ?? '',
    })),
    targetSummaries: run.targets.map(({ targetId, hostId }) => ({
      hostId,
      targetId,
      ...countsOf(attempts.filter((attempt) => attempt.targetId === targetId)),
    })),
    ...(snapshot && {
      goal: snapshot.goal,
      sessionsPerTarget: snapshot.sessionsPerTarget,
      maxTurns: snapshot.maxTurns,
      judgeModel: snapshot.judge?.model ?? null,
    }),
    // One credit is one cent.
    estimatedCostUsd: spending?.priced === false ? null : (spending?.credits ?? 0) / 100,
  };
}

function countsOf(attempts: readonly StoredAttempt[]) {
  const count = (status: StoredAttempt['status']) =>
    attempts.filter((attempt) => attempt.status === status).length;
  return {
    total: attempts.length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    rateLimited: count('rate_limited'),
  };
}
