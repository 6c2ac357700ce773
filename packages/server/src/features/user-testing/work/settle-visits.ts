/**
 * Settles ended sessions of visitors, and requests the mining of their scenarios. Every worker
 * calls this regularly, and a repeated call changes nothing. An error in one session does not delay
 * the others.
 */
import {
  chainOfUngraded,
  evidenceOfVisit,
  outcomeOfEvidence,
  toolsOfSession,
} from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import type { QueueLog } from '../../../platform/jobs/start-queue.ts';
import { feedbackOf, readFeedback } from '../store/read-visits.ts';
import {
  endIdleVisit,
  holdVisitToSettle,
  listIdleVisits,
  listVisitsToSettle,
  readRecordedVisit,
  type VisitToSettle,
  writeSettled,
} from '../store/settled-visits.ts';
import { askToMine } from '../store/windows.ts';
import type { VisitTimes } from './visit-times.ts';

export async function settleVisits(
  database: Database,
  log: Pick<QueueLog, 'error'>,
  times: VisitTimes,
): Promise<number> {
  for (const { organizationId, sessionId } of await listIdleVisits(database.sql, times.idleMs)) {
    try {
      await database.tenant([organizationId], (sql) => endIdleVisit(sql, sessionId, times.idleMs));
    } catch (error) {
      log.error({ err: error, sessionId }, 'an idle session could not be ended');
    }
  }
  let settled = 0;
  for (const visit of await listVisitsToSettle(database.sql, times.settleMs)) {
    try {
      const isSettled = await database.tenant([visit.organizationId], (sql) =>
        settle(sql, visit, times),
      );
      settled += isSettled ? 1 : 0;
    } catch (error) {
      const { sessionId } = visit;
      log.error({ err: error, sessionId }, 'the outcome of a session could not be determined');
    }
  }
  return settled;
}

async function settle(sql: Sql, visit: VisitToSettle, times: VisitTimes): Promise<boolean> {
  const { organizationId, scenarioId, sessionId } = visit;
  const held = await holdVisitToSettle(sql, sessionId, times.settleMs);
  if (held === undefined) return false;
  const { projectId, isReal, authInterrupted } = held;
  if (!isReal) {
    await writeSettled(sql, sessionId, undefined);
    return true;
  }
  const { turns, spans } = await readRecordedVisit(sql, sessionId);
  const evidence = evidenceOfVisit(turns);
  const { rating } = feedbackOf((await readFeedback(sql, [sessionId])).get(sessionId));
  await writeSettled(sql, sessionId, {
    outcome: outcomeOfEvidence(evidence, { authInterrupted, rating }),
    tools: toolsOfSession(evidence, spans),
    chain: evidence && chainOfUngraded(evidence),
  });
  await askToMine(sql, { organizationId, projectId, scenarioId }, times.miningDebounceMs);
  return true;
}
