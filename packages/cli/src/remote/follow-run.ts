import type { ApiClient } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { count, grouped, terminalRunStatuses } from '@proofmark/domain';
import { follow } from './follow.ts';

interface FollowingRuns {
  readonly client: Pick<ApiClient, 'getEvalRun'>;
  readonly projectId: string;
}

type Run = OutputOf<'getEvalRun'>;

export function followRun(
  { client, projectId }: FollowingRuns,
  runId: string,
  print: (sentence: string) => void,
  { onRead, ...patience }: { missMs?: number; onRead?: (run: Run) => Promise<void> } = {},
): Promise<Run | undefined> {
  let lastSentence = '';
  return follow<Run>(
    {
      ask: async () => {
        const run = await client.getEvalRun({ projectId, runId });
        await onRead?.(run);
        return run;
      },
      isEnded: ({ status }) => (terminalRunStatuses as readonly string[]).includes(status),
      reportProgress: (run) => {
        const sentence = progressSentence(run);
        if (sentence !== lastSentence) print(sentence);
        lastSentence = sentence;
      },
      print: (sentence) => {
        lastSentence = sentence;
        print(sentence);
      },
      onLost: () => reportRunContinues(runId, print),
    },
    patience,
  );
}

/** Prints that the run continues, because a user might expect Ctrl+C to cancel it. */
export function reportRunContinues(
  runId: string,
  print: (sentence: string) => void,
  commands = { read: 'eval decision', stop: 'eval cancel' },
): void {
  print(`run ${runId} continues; this command no longer waits for it.`);
  print(`read it: proofmark ${commands.read} ${runId}`);
  print(`stop it: proofmark ${commands.stop} ${runId}`);
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
