/**
 * Tests the first five minutes: a first start runs the sample and explains its decision, and later
 * starts keep the result.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const withSample = {
  PROOFMARK_RATE_LIMIT: 'off',
  PROOFMARK_SAMPLE: 'on',
  PROOFMARK_CHROMIUM: process.env['PROOFMARK_CHROMIUM'] ?? 'none',
};
let service: ServiceHere;
let key: string;
let project: string;

afterAll(() => workspace.remove());

async function start(): Promise<void> {
  service = await workspace.serveHere([], withSample);
}

async function readSampleEvent() {
  const find = () => service.events().find(({ event }) => event === 'sample');
  await until(() => find() !== undefined, 'the sample is told', 90_000);
  // biome-ignore lint/suspicious/noExplicitAny: an event of its own shape.
  return find() as any;
}

const things = ['servers', 'eval-suites', 'environments', 'journeys'] as const;

async function list(kind: (typeof things)[number]) {
  const { body } = await call(`${service.url}/api/v1/projects/${project}/${kind}`, { key });
  return body.items as { id: string; name: string; url: string }[];
}

describe('a fresh start', () => {
  beforeAll(async () => {
    await start();
    const made = await workspace.admin(
      ...['bootstrap', '--email', 'owner@localhost', '--organization', 'My organization'],
    );
    key = made.apiKey;
    project = made.projectId;
  });

  test('tells the decision and where the console shows it', async () => {
    const { isNew, url, runId, summary } = await readSampleEvent();
    expect(isNew).toBe(true);
    expect(url).toBe(`${service.url}/projects/${project}/runs/${runId}`);
    expect(summary).toMatchObject({ verdict: 'failed', counts: { total: 10, failed: 3 } });
    expect((await call(url)).status).toBe(200);
    const place = `${service.url}/api/v1/projects/${project}/eval-runs/${runId}`;
    const read = await call(`${place}/decision-summary`, { key });
    expect(read.body).toEqual(summary);
  });

  test('its order form was filled in, and drew nothing for a book that is sold out', async () => {
    const { runId, summary } = await readSampleEvent();
    const trials = `${service.url}/api/v1/projects/${project}/eval-runs/${runId}/iterations`;
    // biome-ignore lint/suspicious/noExplicitAny: a trial, read as it comes.
    const all: any[] = (await call(trials, { key })).body.items;
    const seen = async (title: string) => {
      const trial = all.find((one) => one.title === title);
      return (await call(`${trials}/${trial.id}/widgets`, { key })).body.items;
    };
    const [filled, ...more] = await seen('Orders two copies in the order form');
    expect(more).toEqual([]);
    expect(filled).toMatchObject({ status: 'rendered', calls: [{ toolName: 'order_book' }] });
    const steps = filled.pictures.map(({ stepId }: { stepId: string | null }) => stepId);
    expect(steps).toEqual([null, 'copies', 'order', 'ordered', 'called']);
    const picture = await fetch(`${service.url}${filled.pictures[2].path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBe(filled.pictures[2].bytes);
    const soldOut = 'Says in the order form that a book is sold out';
    expect(await seen(soldOut)).toMatchObject([
      { status: 'blank_screenshot', consoleLines: [{ level: 'error' }] },
    ]);
    const stop = summary.diagnostics.items.find(
      ({ title }: { title: string }) => title === soldOut,
    );
    expect(stop.chain).toMatchObject({
      firstFailedStage: 'response',
      failureCategory: 'serverData',
    });
  });

  test('tells what simulated users found, and where the console shows it', async () => {
    const { swarm } = await readSampleEvent();
    const url = `${service.url}/projects/${project}/journey-runs/${swarm.runId}`;
    expect(swarm).toEqual({ runId: swarm.runId, sessions: 4, findings: 2, url });
    expect((await call(url)).status).toBe(200);
    const found = await call(`${service.url}/api/v1/projects/${project}/journey-findings`, { key });
    expect(found.body.items).toHaveLength(2);
  });

  test('the sample server is a saved one like any other', async () => {
    const [server] = await list('servers');
    expect(server).toMatchObject({ name: 'Sample bookshop', transportType: 'http' });
    const place = `${service.url}/api/v1/projects/${project}/servers/${server?.id}`;
    const doctor = await call(`${place}/doctor`, { method: 'POST', key, body: {} });
    expect(doctor.body).toMatchObject({
      status: 'ready',
      widgets: { tools: ['show_order_form'], testable: true, reason: null },
    });
    const order = { toolName: 'order_book', parameters: { bookId: 1, copies: 2 } };
    const called = await call(`${place}/tools/call`, { method: 'POST', key, body: order });
    expect(JSON.parse(called.body.content[0].text)).toEqual({ orderId: 'order-1-2', total: 48 });
  });

  test.each(['running-evals', 'suite-files'])(
    'the example of the guide %s runs as it is written',
    async (name) => {
      const guide = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
      const [, content = ''] = /```yaml\n(schemaVersion.*?)```/s.exec(guide) ?? [];
      const place = `${service.url}/api/v1/projects/${project}`;
      const made = await call(`${place}/eval-suites/import`, {
        method: 'POST',
        key,
        body: { content },
      });
      expect(made.status, made.text).toBe(201);
      const { suiteId } = made.body;
      const run = await call(`${place}/eval-runs`, { method: 'POST', key, body: { suiteId } });
      const decided = `${place}/eval-runs/${run.body.runId}/decision-summary`;
      // biome-ignore lint/suspicious/noExplicitAny: a summary, read as it comes.
      let summary: any;
      await until(
        async () => {
          summary = (await call(decided, { key })).body;
          return summary.verdict !== 'notEstablished';
        },
        'the run is decided',
        60_000,
      );
      expect(summary).toMatchObject({ verdict: 'passed' });
      await call(`${place}/eval-suites/${suiteId}`, { method: 'DELETE', key });
    },
  );
});

describe('the next start', () => {
  test('makes nothing again, keeps the address and tells the decision there is', async () => {
    const all = () => Promise.all(things.map(list));
    const before = await all();
    const { runId, swarm } = await readSampleEvent();
    await service.stop();
    await start();
    const again = { isNew: false, runId, swarm: { runId: swarm.runId, sessions: 4, findings: 2 } };
    expect(await readSampleEvent()).toMatchObject(again);
    expect(await all()).toEqual(before);
  });

  test('says it to people in one line, and moves the server where its port was taken meanwhile', async () => {
    const [before] = await list('servers');
    await service.stop();
    const other = createServer().listen(Number(new URL(before?.url ?? '').port), '127.0.0.1');
    await once(other, 'listening');
    const spoken = workspace.spawn(
      ['serve', '--port', '0', '--data-dir', workspace.dataDir],
      withSample,
    );
    try {
      await until(() => spoken.stdout().includes('/journey-runs/'), 'the sample is told', 90_000);
      expect(spoken.stdout()).toMatch(/^Sample +FAILED: 3 of 10 case variants$/m);
      expect(spoken.stdout()).toMatch(
        /^Swarm +2 findings in 4 sessions with simulated users:\nhttp\S+\/journey-runs\/jrn_\w+$/m,
      );
      expect(spoken.stdout()).not.toContain('Trials that did not pass');
      const [url = ''] = /http:\/\/[^/\s]+/.exec(spoken.stdout()) ?? [];
      service = { ...spoken, url };
      const [after] = await list('servers');
      expect(after?.id).toBe(before?.id);
      expect(after?.url).not.toBe(before?.url);
      const place = `${url}/api/v1/projects/${project}/servers/${after?.id}/doctor`;
      expect((await call(place, { method: 'POST', key, body: {} })).body.status).toBe('ready');
    } finally {
      other.close();
      await spoken.stop();
    }
  });

  test('with --no-sample leaves its server silent and tells nothing', async () => {
    service = await workspace.serveHere(['--no-sample'], withSample);
    const [server] = await list('servers');
    await expect(fetch(server?.url ?? '')).rejects.toThrow();
  });

  test('brings back nothing that was deleted', async () => {
    const [suite] = await list('eval-suites');
    const [server] = await list('servers');
    const [environment] = await list('environments');
    const base = `${service.url}/api/v1/projects/${project}`;
    const archived = await call(`${base}/environments/${environment?.id}/archive`, {
      method: 'POST',
      key,
      body: { expectedRevision: 1 },
    });
    expect(archived.status, archived.text).toBe(200);
    const journeys = (await list('journeys')).map(({ id }) => `journeys/${id}`);
    const others = [`eval-suites/${suite?.id}`, 'clients/Sample', `servers/${server?.id}`];
    for (const gone of [...journeys, ...others]) {
      const { status, text } = await call(`${base}/${gone}`, { method: 'DELETE', key });
      expect(status, text).toBeLessThan(300);
    }
    await stopUntold();
    await start();
    for (const kind of things) expect(await list(kind), kind).toEqual([]);
    await stopUntold();
  });

  /** Stops the service, and checks that it reported no sample. */
  async function stopUntold(): Promise<void> {
    await service.stop();
    expect(service.events().map(({ event }) => event)).not.toContain('sample');
  }
});

test('a fresh start with --no-sample makes none', async () => {
  const other = createReadyWorkspace();
  try {
    const fresh = await other.serveHere(['--no-sample'], withSample);
    const { apiKey, projectId } = await other.admin(
      ...['bootstrap', '--email', 'owner@localhost', '--organization', 'My organization'],
    );
    for (const kind of things) {
      const place = `${fresh.url}/api/v1/projects/${projectId}/${kind}`;
      expect((await call(place, { key: apiKey })).body.items).toEqual([]);
    }
    await fresh.stop();
  } finally {
    await other.remove();
  }
});
