/**
 * Widget observations are written once, together with their trial, and contain no secret. A trial
 * without widgets causes no additional statement.
 */
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { hashOfPng, onePng, seenWidget } from '@proofmark/harness/seen-widgets.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { claimWork } from '../../../platform/work/store/leased-work.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import { trialsWork } from '../store/run-work.ts';
import { writeWidgets } from '../store/stored-widgets.ts';
import { TrialWriter } from './trial-writer.ts';
import { withoutSecrets } from './without-secrets.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
});
afterAll(() => service.drop());

const [first, second] = [onePng(), onePng(8, 8, [0, 0, 0])];
const picturesOf = (...pngs: Uint8Array[]) => pngs.map((png) => ({ sha256: hashOfPng(png), png }));

test('they are written with their trials, each picture of a run once', async () => {
  const tenant = await createOperator(service.owner, '').bootstrap({
    email: 'owner@seen.example',
    organization: 'Seen',
  });
  const { runId } = await insertLaunchedRun(service, tenant, {
    cases: 3,
    repetitions: 1,
    atOnce: 3,
  });
  const writer = new TrialWriter(service.database, { ...tenant, runId });
  const claimed = await claimWork(service.database.sql, trialsWork, 3, 6000);
  const { signal } = new AbortController();
  const seen = [
    { observations: [seenWidget([{ png: first }])], pictures: picturesOf(first) },
    { observations: [seenWidget([{ png: second }])], pictures: picturesOf(first, second) },
    null,
  ];
  const updates = claimed.map((held, index) => ({
    held,
    ended: { ...ended(held.firstItem), widgets: seen[index] ?? null },
  }));
  await Promise.all(updates.map((update) => writer.write(update, signal)));
  const { sql } = service.owner;
  const rows = await sql<{ ordinal: number; observations: string }[]>`
    select ordinal, observations from eval_widgets where run_id = ${runId} order by ordinal`;
  expect(rows.map(({ ordinal, observations }) => [ordinal, JSON.parse(observations)])).toEqual(
    updates.slice(0, 2).map(({ ended: { ordinal, widgets } }) => [ordinal, widgets?.observations]),
  );
  const kept = await sql<{ sha256: string; png: Buffer }[]>`
    select sha256, png from eval_widget_pictures where run_id = ${runId}`;
  const byHash = (one: { sha256: string }, other: { sha256: string }) =>
    one.sha256 < other.sha256 ? -1 : 1;
  expect([...kept].sort(byHash)).toEqual(picturesOf(first, second).sort(byHash));
});

test('a trial without widgets asks nothing of the database', () => {
  const none = (() => {
    throw new Error('A statement was sent.');
  }) as unknown as Sql;
  const trials = [{ ordinal: 1 }, { ordinal: 2, widgets: null }];
  const empty = { ordinal: 3, widgets: { observations: [], pictures: [] } };
  expect(writeWidgets(none, 'run', 'org', [...trials, empty])).toEqual([]);
});

test('nothing that is told of a widget quotes a secret, and what decides stays', () => {
  const secrets = new TraceSecrets();
  for (const secret of ['hidden-token', 'rendered']) secrets.add(secret);
  const leakingText = 'it said hidden-token';
  const plain = seenWidget([]);
  const widget = seenWidget([], {
    message: leakingText,
    accessibility: [{ rule: leakingText, impact: 'minor', help: leakingText, elements: 1 }],
    trail: {
      consoleLines: [{ level: 'error', text: leakingText, atMs: 1 }],
      messages: [leakingText],
      links: [leakingText],
      refused: [{ what: 'request', url: leakingText }],
      dropped: {},
      calls: [
        {
          toolName: leakingText,
          arguments: { deep: [leakingText] },
          outcome: 'error',
          message: leakingText,
        },
      ],
    },
  });
  const trial = { ...ended(1), widgets: { observations: [widget], pictures: picturesOf(first) } };
  const { widgets } = withoutSecrets(secrets, trial);
  expect(JSON.stringify(widgets?.observations)).not.toContain('hidden-token');
  expect(widgets?.observations[0]).toMatchObject({ status: plain.status });
  expect(widgets?.pictures).toEqual(picturesOf(first));
});

function ended(ordinal: number): TrialToWrite {
  return {
    ordinal,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    startedAtMs: 1,
    durationMs: 1,
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
