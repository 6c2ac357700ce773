import { createReporter, passing, type Reporter, unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let reporter: Reporter;
let mayFollow = true;
beforeAll(async () => {
  service = await startTestService({ mayFollow: () => mayFollow });
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  reporter = createReporter(service, tenant);
});
afterAll(() => service.stop());

async function startRun(): Promise<string> {
  const externalRunId = unique('run');
  const answer = await reporter.ingest('runs/start', {
    suiteName: unique('Followed'),
    externalRunId,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.runId;
}

async function report(runId: string, title: string) {
  const results = [{ ...passing, caseTitle: title, externalIterationId: title }];
  expect((await reporter.ingest('runs/iterations', { runId, results })).status).toBe(200);
}

const eventsUrl = (runId: string) =>
  `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/events`;

interface StreamLine {
  readonly progress?: { readonly iterationCount: number };
  readonly result?: { readonly status: string; readonly iterationCount: number };
}

async function follow(runId: string) {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${tenant.key}`, accept: 'text/event-stream' };
  const response = await fetch(eventsUrl(runId), { headers, signal: leaving.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    leave: () => leaving.abort(),
    async next(): Promise<StreamLine | undefined> {
      while (!text.includes('\n\n')) {
        const read = await reader?.read();
        if (read === undefined || read.done) return undefined;
        text += read.value;
      }
      const [event = '', ...others] = text.split('\n\n');
      text = others.join('\n\n');
      return JSON.parse(event.replace(/^data: /, ''));
    },
  };
}

describe('following a run', () => {
  test('tells how far it is, that it comes further, and at last that it has ended', async () => {
    const runId = await startRun();
    const followed = await follow(runId);
    expect(followed.response.headers.get('content-type')).toBe('text/event-stream');
    expect(followed.response.headers.get('x-accel-buffering')).toBe('no');
    expect(await followed.next()).toMatchObject({ progress: { runId, iterationCount: 0 } });
    await report(runId, 'adds');
    expect(await followed.next()).toMatchObject({ progress: { iterationCount: 1 } });
    expect((await reporter.ingest('runs/finalize', { runId })).status).toBe(200);
    expect(await followed.next()).toMatchObject({
      result: { status: 'completed', iterationCount: 1 },
    });
    expect(await followed.next()).toBeUndefined();
  });

  test('says at once how far it is to who does not watch', async () => {
    const runId = await startRun();
    const answer = await call(eventsUrl(runId), { key: tenant.key });
    expect(answer.body).toMatchObject({ runId, iterationCount: 0 });
  });

  test('is for who may see the run', async () => {
    const runId = await startRun();
    const headers = { accept: 'text/event-stream' };
    expect((await call(eventsUrl(runId), { key: other.key, headers })).status).toBe(404);
    expect((await call(eventsUrl(runId), { headers })).status).toBe(401);
  });

  test('by too many at once is refused, until one of them leaves', async () => {
    const runId = await startRun();
    const followers = await Promise.all(Array.from({ length: 20 }, () => follow(runId)));
    const refused = await follow(runId);
    expect(refused.response.status).toBe(429);
    followers[0]?.leave();
    const comeAgain = async () => {
      followers.push(await follow(runId));
      return followers.at(-1)?.response.status;
    };
    await expect.poll(comeAgain, { timeout: 5000, interval: 200 }).toBe(200);
    for (const { leave } of followers) leave();
  });

  test('ends when the process is to stop, with what is so', async () => {
    const runId = await startRun();
    const followed = await follow(runId);
    expect(await followed.next()).toMatchObject({ progress: { runId } });
    mayFollow = false;
    expect(await followed.next()).toMatchObject({ result: { iterationCount: 0 } });
    expect(await followed.next()).toBeUndefined();
    mayFollow = true;
  });
});
