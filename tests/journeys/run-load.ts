/**
 * Launches runs and records each acknowledgement at once. A launch without an answer is repeated
 * with the same key until an answer arrives.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import type { ServerKind } from './run-setup.ts';

export interface AcknowledgedRun {
  readonly runId: string;
  readonly kind: ServerKind;
}

export interface RunLoad {
  readonly acknowledged: readonly AcknowledgedRun[];
  readonly retries: number;
  readonly refused: readonly TestAnswer[];
  launch(): Promise<AcknowledgedRun>;
  /** Returns the acknowledged runs that have not ended. Throws while the service is unreachable. */
  open(): Promise<AcknowledgedRun[]>;
}

export interface LaunchedRuns {
  launch(kind: ServerKind, key: string): Promise<TestAnswer>;
  idOf(body: TestAnswer['body']): string;
  read(runId: string): Promise<TestAnswer>;
  hasEnded(run: TestAnswer['body']): boolean;
}

export function runLoad(runs: LaunchedRuns): RunLoad {
  const acknowledged: AcknowledgedRun[] = [];
  const refused: TestAnswer[] = [];
  const ended = new Set<string>();
  let launched = 0;
  let retries = 0;
  return {
    acknowledged,
    refused,
    get retries() {
      return retries;
    },
    async launch() {
      launched += 1;
      const kind: ServerKind = launched % 3 === 0 ? 'bad' : 'good';
      const key = `launch-${launched}`;
      for (;;) {
        const answer = await runs.launch(kind, key).catch(() => undefined);
        if (answer?.status === 202) {
          const run = { runId: runs.idOf(answer.body), kind };
          acknowledged.push(run);
          return run;
        }
        if (answer !== undefined && answer.status < 500) {
          refused.push(answer);
          throw new Error(answer.text);
        }
        retries += 1;
        await after(100);
      }
    },
    async open() {
      const open: AcknowledgedRun[] = [];
      for (const run of acknowledged) {
        if (ended.has(run.runId)) continue;
        const answer = await runs.read(run.runId);
        if (answer.status !== 200) throw new Error(answer.text);
        if (runs.hasEnded(answer.body)) ended.add(run.runId);
        else open.push(run);
      }
      return open;
    },
  };
}
