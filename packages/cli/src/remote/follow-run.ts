/**
 * Waits until a run has ended, asking less often the longer it takes, and says how far it is whenever that changed. A
 * service that goes away meanwhile may only be restarting, so it is asked again for about a minute; after that the run
 * is left to itself, and nothing is returned.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { count, grouped, terminalRunStatuses } from '@proofmark/domain';
import type { Connection } from './connection.ts';

type Run = OutputOf<'getEvalRun'>;

const firstWaitMs = 250;
const longestWaitMs = 5_000;
const patienceMs = 60_000;

export async function followRun(
  { client, projectId }: Pick<Connection, 'client' | 'projectId'>,
  runId: string,
  tell: (sentence: string) => void,
  { missMs = patienceMs } = {},
): Promise<Run | undefined> {
  let told = '';
  let missedSinceMs: number | undefined;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 1.25)) {
    const run = await client.getEvalRun({ projectId, runId }).catch(whenAway);
    if (run === 'away') {
      missedSinceMs ??= performance.now();
      if (performance.now() - missedSinceMs >= missMs) {
        tell('the service has not come back.');
        tellGoesOn(runId, tell);
        return undefined;
      }
      if (told !== away) tell(away);
      told = away;
      await sleep(Math.min(waitMs, missMs));
      continue;
    }
    missedSinceMs = undefined;
    if ((terminalRunStatuses as readonly string[]).includes(run.status)) return run;
    const sentence = progressSentence(run);
    if (sentence !== told) tell(sentence);
    told = sentence;
    await sleep(waitMs);
  }
}

const away = 'the service cannot be reached; asking again for about a minute.';

/** Whoever stops waiting does not stop the run. */
export function tellGoesOn(runId: string, tell: (sentence: string) => void): void {
  tell(`run ${runId} goes on without being waited for.`);
  tell(`read it: proofmark eval decision ${runId}`);
  tell(`stop it: proofmark eval cancel ${runId}`);
}

/** A proxy before the service answers for it while it is not there. */
const proxyStatuses: readonly number[] = [502, 503, 504];

function whenAway(error: unknown): 'away' {
  const isAway =
    error instanceof ConnectionError ||
    (error instanceof ApiError && proxyStatuses.includes(error.status));
  if (!isAway) throw error;
  return 'away';
}

export function progressSentence({
  status,
  iterationCount,
  expectedIterations,
}: Pick<Run, 'status' | 'iterationCount' | 'expectedIterations'>): string {
  if (status === 'pending') return 'waiting for a worker.';
  if (expectedIterations === null) return `${count(iterationCount, 'trial')} done.`;
  return `${grouped(iterationCount)} of ${count(expectedIterations, 'trial')} done.`;
}
