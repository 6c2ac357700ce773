/**
 * Tests the widgets of a trial over HTTP: as stored, readable only with permission, and always
 * served as data, never as a page.
 */
import { insertRun, insertSuite, insertTrialRows } from '@proofmark/harness/eval-rows.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import {
  hashOfPng,
  insertSeenWidget,
  insertWidgets,
  onePng,
  seenWidget,
} from '@proofmark/harness/seen-widgets.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'other');
});
afterAll(() => service.stop());

interface Place {
  readonly runId: string;
  readonly iterationId: string;
}
const folderOf = ({ runId, iterationId }: Place, projectId = tenant.projectId) =>
  `/api/v1/projects/${projectId}/eval-runs/${runId}/iterations/${iterationId}/widgets`;
const ask = (path: string, key = tenant.key) => call(service.baseUrl + path, { key });

test('a trial without widgets has none', async () => {
  const answer = await ask(folderOf(tenant));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ items: [] });
});

test('all that was seen is told, and pictures are PNGs and nothing else', async () => {
  const run = await insertRun(service, await insertSuite(service, tenant), { source: 'api' });
  const [iterationId = ''] = await insertTrialRows(service, run, [{}]);
  const [shown, after] = [onePng(), onePng(8, 8, [200, 0, 0])];
  const widget = seenWidget([{ png: shown }, { stepId: 'click', png: after }]);
  await insertWidgets(service, run, [widget], [shown, after]);
  const place = { runId: run.runId, iterationId };
  const answer = await ask(folderOf(place));
  const { trail: activity, pictures, ...rest } = widget;
  const folder = `${folderOf(place)}/pictures`;
  expect(answer.body.items).toEqual([
    {
      ...rest,
      source: 'run',
      message: null,
      ...activity,
      calls: activity.calls.map((one) => ({ ...one, message: null })),
      pictures: pictures.map(({ sha256, ...picture }) => ({
        stepId: null,
        ...picture,
        path: `${folder}/${sha256}`,
      })),
    },
  ]);
  const read = await fetch(service.baseUrl + answer.body.items[0].pictures[1].path, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  expect(Buffer.from(await read.arrayBuffer())).toEqual(after);
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename="widget.png"',
    'cache-control': 'private, max-age=3600, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('nobody reads the widgets of others, whatever ids they know', async () => {
  const { pictureId, ...place } = await insertSeenWidget(service, tenant);
  const picture = `/pictures/${pictureId}`;
  expect((await ask(folderOf(place) + picture)).status).toBe(200);
  for (const path of [folderOf(place), folderOf(place, other.projectId)]) {
    expect((await ask(path, other.key)).status).toBe(404);
    expect((await ask(path + picture, other.key)).status).toBe(404);
  }
  // A picture is rejected under the path of another trial, even of the same run.
  const stranger = await insertSeenWidget(service, other);
  const elsewhere = { ...place, iterationId: stranger.iterationId };
  expect((await ask(folderOf(elsewhere) + picture)).status).toBe(404);
  expect((await ask(folderOf(tenant) + picture)).status).toBe(404);
});

test('what is stored but is no PNG is not served', async () => {
  const run = await insertRun(service, await insertSuite(service, tenant), { source: 'api' });
  const [iterationId = ''] = await insertTrialRows(service, run, [{}]);
  const page = Buffer.from(`<html>${' '.repeat(100)}<script>alert(1)</script>`);
  await insertWidgets(service, run, [seenWidget([{ png: page }])], [page]);
  const path = `${folderOf({ runId: run.runId, iterationId })}/pictures/${hashOfPng(page)}`;
  expect((await ask(path)).status).toBe(404);
});

test.each(['{"cut', '{}', '[null]', '[{"toolName":"x"}]'])(
  'observations that cannot be read are not there: %s',
  async (observations) => {
    const place = await insertSeenWidget(service, tenant);
    await service.owner
      .sql`update eval_widgets set observations = ${observations} where run_id = ${place.runId}`;
    expect((await ask(folderOf(place))).body).toEqual({ items: [] });
  },
);

test('snapshots of a reported trial are told as such, HTML unseen, pictures by their bytes', async () => {
  const png = Buffer.from(onePng());
  const snapshot = {
    toolName: 'book',
    serverId: 'restaurant',
    widgetHtml: '<script>alert(1)</script>',
    screenshot: `data:image/png;base64,${png.toString('base64')}`,
  };
  const { ingest } = createReporter(service, tenant);
  const started = await ingest('runs/start', { suiteName: unique('suite') });
  const { runId } = started.body;
  const results = [{ ...passing, widgetSnapshots: [snapshot, 'x'] }];
  await ingest('runs/iterations', { runId, results });
  const run = `/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/iterations`;
  const iterationId = (await ask(run)).body.items[0].id;
  const answer = await ask(folderOf({ runId, iterationId }));
  expect(answer.text).not.toContain('<script>');
  expect(answer.body.items).toMatchObject([
    {
      source: 'reported',
      toolName: 'book',
      serverName: 'restaurant',
      status: null,
      pictures: [{ width: 8, height: 8, bytes: png.length }],
    },
  ]);
  const read = await fetch(service.baseUrl + answer.body.items[0].pictures[0].path, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  expect(read.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await read.arrayBuffer())).toEqual(png);
});
