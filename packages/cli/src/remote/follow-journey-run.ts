/**
 * Waits until all sessions of a journey run have been played, graded and judged. Meanwhile reports
 * the progress of each target.
 */
import { count, grouped, isGradingPending } from '@proofmark/domain';
import { endedSessions, targetName } from '@proofmark/report';
import type { Connection } from './connection.ts';
import { follow } from './follow.ts';
import { reportRunContinues } from './follow-run.ts';
import { type JourneyRun, readScoredRun, type ScoredRun } from './journey-scorecard.ts';
import { settleJourneyRun } from './settle-journey-run.ts';

export async function followJourneyRun(
  connection: Connection,
  runId: string,
  print: (sentence: string) => void,
): Promise<ScoredRun | undefined> {
  const lastSentences = new Map<string, string>();
  const reportOnce = (about: string, sentence: string) => {
    if (lastSentences.get(about) !== sentence) print(sentence);
    lastSentences.set(about, sentence);
  };
  const played = await follow<ScoredRun>({
    ask: () => readScoredRun(connection, runId),
    isEnded: ({ run, card }) => run.status !== 'running' && !isGradingPending(card),
    reportProgress: ({ run }) => {
      for (const [targetId, sentence] of progressOfTargets(run)) reportOnce(targetId, sentence);
      if (run.status !== 'running')
        reportOnce('grading', 'all sessions ended; waiting for their grades.');
    },
    print,
    onLost: () => reportJourneyContinues(runId, print),
  });
  if (played === undefined) return undefined;
  await settleJourneyRun(connection, played.run, print);
  // If the service has become unreachable, the run is returned as it was last read.
  return readScoredRun(connection, runId).catch(() => played);
}

export function progressOfTargets({ targets, targetSummaries = [] }: JourneyRun) {
  return targetSummaries.map((summary) => {
    const target = targets.find(({ targetId }) => targetId === summary.targetId);
    const name = target === undefined ? summary.targetId : targetName(target);
    const done = `${grouped(endedSessions(summary))} of ${count(summary.total, 'session')} done.`;
    return [summary.targetId, `${name}: ${done}`] as const;
  });
}

export function reportJourneyContinues(runId: string, print: (sentence: string) => void): void {
  reportRunContinues(runId, print, { read: 'journey scorecard', stop: 'journey cancel' });
}
