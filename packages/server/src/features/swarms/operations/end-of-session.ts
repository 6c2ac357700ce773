/**
 * Ends a session with all consequences in one transaction. If the target's provider limits
 * requests, the target's pending sessions end too; without credits, the whole run ends. Returns
 * undefined if the lease was lost or the run has ended.
 */
import {
  type AttemptErrorCode,
  chainOfUngraded,
  type JourneySnapshot,
  placeOfAttempt,
  unseen,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import { endOpenAttempts, settleJourneyRun } from '../store/end-session-attempts.ts';
import { lockJourneyRun, type SessionToEnd, writeEnd } from '../store/played-sessions.ts';

export async function endOfSession<Settled>(
  sql: Sql,
  work: ClaimedWork,
  { snapshot, end }: { readonly snapshot: JourneySnapshot | undefined; readonly end: SessionToEnd },
  /**
   * Runs last, because it locks the row of daily credits, which all writers of the organization
   * share.
   */
  pay: () => Promise<Settled>,
): Promise<Settled | undefined> {
  const { groupId: runId, firstItem } = work;
  if (!(await lockJourneyRun(sql, runId))) return undefined;
  if (!(await writeEnd(sql, work, end))) return undefined;
  if (end.errorCode === 'rate_limited' && snapshot !== undefined) {
    const { targetId } = placeOfAttempt(snapshot, firstItem)?.target ?? { targetId: '' };
    const chain = stoppedChain('rate_limited', snapshot);
    await endOpenAttempts(sql, { runId, pendingOfTarget: targetId }, 'rate_limited', chain);
  }
  // A lack of credits concerns all sessions of the run, so it ends all of them. A model without a
  // price (the error has a `cause`) concerns only its own sessions.
  if (end.errorCode === 'spend_cap_exceeded' && end.cause === undefined) {
    const chain = stoppedChain('spend_cap_exceeded', snapshot);
    await endOpenAttempts(sql, { runId }, 'spend_cap_exceeded', chain);
  }
  await settleJourneyRun(sql, runId);
  return pay();
}

export function stoppedChain(
  errorCode: AttemptErrorCode,
  snapshot: Pick<JourneySnapshot, 'rubric' | 'judge'> | undefined,
): object {
  const end = { kind: 'notPlayed', errorCode } as const;
  return chainOfUngraded({ seen: unseen(errorCode), end }, snapshot);
}
