/** A session of a journey run as its readers see it. What could not be validated of its chain is not shown. */
import type { OutputOf } from '@proofmark/contract';
import { nextAction, readChain } from '@proofmark/domain';
import type { StoredSession } from '../../storage/swarms/swarm-sessions.ts';

type Shown = OutputOf<'listJourneyRunSessions'>['items'][number];

export function presentJourneySession(session: StoredSession): Shown {
  const { preview, usage, gradingStatus, gradedAt } = session;
  const chain = presentChain(session);
  const isGraded = gradingStatus === 'completed';
  return {
    ...{ id: session.id, chatSessionId: session.chatSessionId, projectId: session.projectId },
    ...{ hostId: session.hostId, runId: session.runId, journeyId: session.journeyId },
    ...{ personaId: session.personaId, personaLabel: session.personaLabel },
    status: 'active',
    outcome: session.outcome,
    readiness: readinessOf(session, chain),
    goalScore: session.goalScore && { ...session.goalScore },
    messageCount: session.messageCount,
    ...(preview !== null && { preview }),
    modelId: session.modelId,
    startedAt: session.startedAt.getTime(),
    lastActivityAt: session.lastActivityAt.getTime(),
    ...{ targetId: session.targetId, sessionIndex: session.sessionIndex },
    ...{ endReason: session.endReason, result: session.result },
    grading: { status: gradingStatus, gradedAt: gradedAt?.getTime() ?? null },
    criteria: isGraded
      ? session.criteria.map(({ criterionId, passed, reason }) => ({ criterionId, passed, reason }))
      : [],
    chain,
    nextAction: chain === null || !needsAction(session, chain) ? null : actionOf(chain),
    ...{ turnCount: session.turnCount, toolCallCount: session.toolCallCount },
    toolErrorCount: session.toolErrorCount,
    usage: usage && { ...usage },
    tracePath: `/api/v1/projects/${session.projectId}/journey-runs/${session.runId}/sessions/${session.id}/trace`,
    personaModel: session.personaModel,
  };
}

type ShownChain = NonNullable<Shown['chain']>;

function presentChain({ chain }: StoredSession): Shown['chain'] {
  const read = readChain(chain);
  if (read.status === 'absent' || read.status === 'unverified') return null;
  const { stages, firstFailedStage, failureCategory, analyzerVersion } = read;
  return {
    stageResults: stages,
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    stageAnalyzerVersion: analyzerVersion,
  };
}

/** One that passed needs none, nor one that was played and failed at nothing. */
function needsAction({ outcome, result }: StoredSession, { firstFailedStage }: ShownChain) {
  if (result !== null) return result === 'failed';
  return outcome !== 'running' && (outcome !== 'succeeded' || firstFailedStage !== undefined);
}

function actionOf({ failureCategory, stageResults }: ShownChain): string {
  return nextAction(failureCategory, stageResults);
}

/** Null until the session was played and, with a rubric, graded. */
function readinessOf(session: StoredSession, chain: Shown['chain']): Shown['readiness'] {
  const { outcome, gradingStatus, criteria, toolErrorCount, endReason, result } = session;
  const isOpen = gradingStatus === 'pending' || gradingStatus === 'failed';
  if (outcome !== 'succeeded' || isOpen || chain === null) return null;
  const isCapped = endReason === 'turnCap';
  const isBelow = session.goalScore?.['passed'] === false;
  const isNotReady = result === 'failed' || chain.firstFailedStage !== undefined;
  const verdict = isNotReady
    ? 'not_ready'
    : toolErrorCount > 0 || isCapped || isBelow
      ? 'needs_attention'
      : 'ready';
  const failedGating = criteria.filter(({ passed, role }) => !passed && role === 'gating').length;
  const issueCount = failedGating + toolErrorCount + (isCapped ? 1 : 0);
  return { status: 'completed', verdict, issueCount };
}
