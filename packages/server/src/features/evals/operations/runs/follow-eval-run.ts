/**
 * Sends every change of a run to its followers, by polling. Each check is one small read, and no
 * connection or lock is held between checks.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  followBounds,
  isWorthTelling,
  notFound,
  type ReportedMark,
  Semaphore,
  TooManyWaiting,
  tooManyFollow,
} from '@proofmark/domain';
import {
  type Action,
  type ProjectContext,
  refuse,
} from '../../../../platform/operations/action.ts';
import { readRunRevision } from '../../store/run-revision.ts';
import { hasEnded } from './present-run.ts';

const followers = new Semaphore(followBounds.atOnce);

export const followEvalRun: Action<'followEvalRun'> = async (context, { params }) => {
  if (!context.isWatched) return look(context, params.runId);
  const follows = () => followToEnd(context, params.runId);
  try {
    return await followers.run(context.caller.account.id, follows, { mostWaiting: 0 });
  } catch (error) {
    if (error instanceof TooManyWaiting) return refuse(tooManyFollow);
    throw error;
  }
};

async function followToEnd(context: ProjectContext, runId: string) {
  const comesAgainAt = performance.now() + followBounds.longestMs;
  let reportedAt = 0;
  let reported: Omit<ReportedMark, 'agoMs'> | undefined;
  for (;;) {
    const mark = await look(context, runId);
    const now = performance.now();
    const isOver = hasEnded(mark) || now > comesAgainAt || !context.mayFollow();
    if (isOver || context.signal.aborted) return mark;
    if (isWorthTelling(mark, reported && { ...reported, agoMs: now - reportedAt })) {
      context.progress(mark);
      reported = { mark, times: (reported?.times ?? 0) + 1 };
      reportedAt = now;
    }
    // A disconnect of the caller ends this wait at once.
    await after(followBounds.lookEveryMs, undefined, context).catch(() => undefined);
  }
}

async function look(context: ProjectContext, runId: string) {
  const mark = await context.tenant((sql) => readRunRevision(sql, context.project.id, runId));
  return mark ?? refuse(notFound);
}
