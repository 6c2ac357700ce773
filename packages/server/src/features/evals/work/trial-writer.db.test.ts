import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { claimWork } from '../../../platform/work/store/leased-work.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import { trialsWork } from '../store/run-work.ts';
import { TrialWriter } from './trial-writer.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
});
afterAll(() => service.drop());

test('a trial that the database refuses costs those nothing that are written with it', async () => {
  const tenant = await createOperator(service.owner, '').bootstrap({
    email: 'owner@written.example',
    organization: 'Written',
  });
  const { runId } = await insertLaunchedRun(service, tenant, {
    cases: 3,
    repetitions: 1,
    atOnce: 3,
  });
  const writer = new TrialWriter(service.database, { ...tenant, runId });
  const claimed = await claimWork(service.database.sql, trialsWork, 3, 6000);
  const { signal } = new AbortController();
  const updates = [];
  for (const durationMs of [1, 'not a number', 1]) {
    const held = claimed.shift();
    if (held === undefined) throw new Error('There is no slice for each trial.');
    updates.push({ held, ended: ended(held.firstItem, durationMs as number) });
  }
  // All updates are sent in the same tick, so that one statement writes them.
  const outcomes = await Promise.allSettled(updates.map((update) => writer.write(update, signal)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const rows = await service.owner.sql<{ status: string }[]>`
    select status from eval_iterations where run_id = ${runId} order by ordinal`;
  expect(rows.map(({ status }) => status)).toEqual(['completed', 'pending', 'completed']);
});

function ended(ordinal: number, durationMs: number): TrialToWrite {
  return {
    ordinal,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    startedAtMs: 1,
    durationMs,
    tokensUsed: null,
    usage: null,
    actualToolCalls: [],
    error: null,
    scores: null,
    chain: {},
    toolSurface: null,
    trace: { ordinal },
    details: {},
    spent: [],
  };
}
