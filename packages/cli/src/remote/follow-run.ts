/** Waits until a run has ended, asking less often the longer it takes, and says how far it is whenever that changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputOf } from '@proofmark/contract';
import { count, grouped, terminalRunStatuses } from '@proofmark/domain';
import type { Connection } from './connection.ts';

type Run = OutputOf<'getEvalRun'>;

const firstWaitMs = 250;
const longestWaitMs = 5_000;

export async function followRun(
  { client, projectId }: Pick<Connection, 'client' | 'projectId'>,
  runId: string,
  tell: (sentence: string) => void,
): Promise<Run> {
  let told = '';
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 1.25)) {
    const run = await client.getEvalRun({ projectId, runId });
    if ((terminalRunStatuses as readonly string[]).includes(run.status)) return run;
    const sentence = progressSentence(run);
    if (sentence !== told) tell(sentence);
    told = sentence;
    await sleep(waitMs);
  }
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
