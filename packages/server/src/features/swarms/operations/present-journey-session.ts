/** Parts of the session's chain (stage results) that fail validation are left out. */
import type { OutputOf } from '@proofmark/contract';
import { readinessOf, sessionAdvice, sessionNextAction, sessionTracePath } from '@proofmark/domain';
import { presentChain } from '../../sessions/index.ts';
import type { StoredSession } from '../store/swarm-sessions.ts';

type Shown = OutputOf<'listJourneyRunSessions'>['items'][number];

export function presentJourneySession(session: StoredSession): Shown {
  const { preview, usage, gradingStatus, gradedAt } = session;
  const chain = presentChain(session.chain);
  const isGraded = gradingStatus === 'completed';
  return {
    id: session.id,
    chatSessionId: session.chatSessionId,
    projectId: session.projectId,
    hostId: session.hostId,
    runId: session.runId,
    journeyId: session.journeyId,
    personaId: session.personaId,
    personaLabel: session.personaLabel,
    status: 'active',
    outcome: session.outcome,
    readiness:
      chain === null
        ? null
        : readinessOf({ ...session, isJudgedBelow: session.goalScore?.passed === false }, chain),
    goalScore: session.goalScore && { ...session.goalScore },
    messageCount: session.messageCount,
    ...(preview !== null && { preview }),
    modelId: session.modelId,
    startedAt: session.startedAt.getTime(),
    lastActivityAt: session.lastActivityAt.getTime(),
    targetId: session.targetId,
    sessionIndex: session.sessionIndex,
    endReason: session.endReason,
    result: session.result,
    grading: { status: gradingStatus, gradedAt: gradedAt?.getTime() ?? null },
    criteria: isGraded
      ? session.criteria.map(({ criterionId, passed, reason }) => ({ criterionId, passed, reason }))
      : [],
    chain,
    ...(chain === null || !needsAction(session, chain)
      ? { nextAction: null, advice: null }
      : actionOf(chain)),
    ...(session.refusedCalls.length > 0 && { refusedCalls: [...session.refusedCalls] }),
    turnCount: session.turnCount,
    toolCallCount: session.toolCallCount,
    toolErrorCount: session.toolErrorCount,
    usage: usage && { ...usage },
    tracePath: sessionTracePath(session.projectId, session.runId, session.id),
    personaModel: session.personaModel,
  };
}

type ShownChain = NonNullable<Shown['chain']>;

/**
 * Returns whether a person must act. A graded session needs an action only if it failed. An
 * ungraded one needs none while it runs, or if it was played without a failed stage.
 */
function needsAction({ outcome, result }: StoredSession, { firstFailedStage }: ShownChain) {
  if (result !== null) return result === 'failed';
  return outcome !== 'running' && (outcome !== 'succeeded' || firstFailedStage !== undefined);
}

function actionOf({ failureCategory, stageResults }: ShownChain) {
  return {
    nextAction: sessionNextAction(failureCategory),
    advice: sessionAdvice(failureCategory, stageResults) ?? null,
  };
}
