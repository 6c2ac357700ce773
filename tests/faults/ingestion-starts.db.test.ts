/**
 * Many processes of one build start the same run at the same moment: one request must create it,
 * and the others must find it. The requests are pipelined, so that all are written before any
 * answer is read. On a busy machine, late requests get a retry time and are sent again.
 */

import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Database,
  openDatabase,
} from '../../packages/server/src/platform/database/database.ts';
import { defaultDeadlines } from '../../packages/server/src/platform/database/deadlines.ts';
import { sendRaw } from '../journeys/send-raw.ts';

const connections = 200;
const startsPerConnection = 50;
const starts = connections * startsPerConnection;

let service: TestService;
let tenant: Tenant;
let patient: Awaited<ReturnType<TestService['another']>>;
let database: Database;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'starts');
  // On a slow machine the last request waits for a connection for longer than the service's default
  // deadline.
  const deadlines = { ...defaultDeadlines, callMs: 240_000 };
  const { serviceUrl: url, vault } = service;
  database = openDatabase({ url, vault, as: 'service', deadlines });
  patient = await service.another({ database });
});
afterAll(async () => {
  await patient.stop();
  await database.close();
  await service.stop();
});

test(`${starts} simultaneous starts of one externalRunId make one run in one suite`, {
  timeout: 300_000,
}, async () => {
  const body = JSON.stringify({ suiteName: 'Nightly', externalRunId: 'build-1', notes: 'Once.' });
  const start = (connection: string) =>
    `POST /api/v1/projects/${tenant.projectId}/eval-ingest/runs/start HTTP/1.1\r\nHost: localhost\r\n` +
    `Authorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nConnection: ${connection}\r\n\r\n${body}`;
  const pipelined = start('keep-alive').repeat(startsPerConnection - 1) + start('close');
  const ask = async (over: number) => {
    const answers = await Promise.all(
      Array.from({ length: over }, () => sendRaw(patient.baseUrl, pipelined, { waitMs: 280_000 })),
    );
    const all = answers.flatMap(({ text }) => readAnswers(text));
    expect(all).toHaveLength(over * startsPerConnection);
    return all;
  };
  const atOnce = await ask(connections);
  const late = atOnce.filter(isLate);
  const started = atOnce.filter((one) => !isLate(one));
  for (let open = late.length; open > 0; ) {
    const again = await ask(Math.min(10, Math.ceil(open / startsPerConnection)));
    started.push(...again.filter((one) => !isLate(one)));
    open = starts - started.length;
  }
  expect(started.length).toBeGreaterThanOrEqual(starts);
  expect(started.filter(({ status }) => status !== 200)).toEqual([]);
  const [first] = started;
  expect(new Set(started.map(({ body: { runId } }) => runId))).toEqual(
    new Set([first?.body.runId]),
  );
  const made = started.filter(({ body: { reused } }) => reused === false);
  // A request without a timely answer may still have created the run.
  expect(made.length).toBeGreaterThanOrEqual(late.length === 0 ? 1 : 0);
  expect(made.length).toBeLessThanOrEqual(1);
  expect(started.filter(({ body: { reused } }) => reused === true)).toHaveLength(
    started.length - made.length,
  );
  const { sql } = service.owner;
  const suites = await sql`select id, run_count from eval_suites where name = 'Nightly'`;
  expect(suites).toEqual([{ id: first?.body.suiteId, runCount: 1 }]);
  const runs = await sql`
    select id, run_number, notes from eval_runs where suite_id = ${first?.body.suiteId}`;
  expect(runs).toEqual([{ id: first?.body.runId, runNumber: 1, notes: 'Once.' }]);
});

type Started = ReturnType<typeof readAnswers>[number];

function isLate({ status, body }: Started): boolean {
  return status === 503 && body.details?.reason === 'NOT_IN_TIME';
}

function readAnswers(text: string) {
  return text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => ({
      status: Number(answer.slice(0, 3)),
      body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))),
    }));
}
