import { type FakeWidget, fakeRenderer } from '@proofmark/harness/fake-widget-renderer.ts';
import {
  type FakeMcpServer,
  rpcError,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { onePng } from '@proofmark/harness/seen-widgets.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserLost } from '../../../outside/browser/widget-renderer.ts';

let service: TestService;
let tenant: Tenant;
let server: FakeMcpServer;
let serverId: string;
let widget: FakeWidget = {};
const renderer = fakeRenderer(() => widget);
const png = onePng();
const picture = { png, width: 8, height: 8 };

const ui = (resourceUri: string) => ({ _meta: { ui: { resourceUri } } });
const inputSchema = { type: 'object' };
beforeAll(async () => {
  server = await startFakeMcpServer({
    'tools/list': {
      tools: [
        { name: 'form', inputSchema, ...ui('ui://shop/form') },
        { name: 'lost', inputSchema, ...ui('ui://shop/lost') },
        { name: 'plain', inputSchema },
        { name: 'save', inputSchema, _meta: { ui: { visibility: ['app'] } } },
        { name: 'secret', inputSchema, _meta: { ui: { visibility: ['model'] } } },
      ],
    },
    'resources/read': (response, request) => {
      const { uri } = request.message['params'] as { uri: string };
      if (uri === 'ui://shop/lost') return sendJson(response, rpcError(request, -32002, 'Gone.'));
      const content = { uri, mimeType: 'text/html;profile=mcp-app', text: '<p>Order</p>' };
      const { id } = request.message;
      return sendJson(response, { jsonrpc: '2.0', id, result: { contents: [content] } });
    },
  });
  service = await startTestService({ widgets: renderer });
  tenant = await createTenant(service, 'acme');
  const made = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`, {
    method: 'POST',
    key: tenant.key,
    body: { name: 'Shop', enabled: true, transportType: 'http', url: server.url },
  });
  serverId = made.body.id;
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});
beforeEach(() => {
  widget = { picture: () => picture };
  renderer.opened.length = 0;
});

function preview(body: object, baseUrl = service.baseUrl, key = tenant.key) {
  const path = `/api/v1/projects/${tenant.projectId}/servers/${serverId}/widgets/preview`;
  return call(baseUrl + path, { method: 'POST', key, body });
}
const result = { content: [{ type: 'text', text: 'ok' }], durationMs: 12 };
const click = { kind: 'click', target: { text: 'Order' } } as const;
const wait = { kind: 'wait', ms: 1 } as const;

test('it is shown with the call it belongs to, and all that it did is told', async () => {
  widget = {
    picture: () => picture,
    activity: () => ({
      consoleLines: [{ level: 'error', text: '<b>no</b>', atMs: 3 }],
      messages: ['Buy it.'],
      links: ['https://shop.example/'],
      refused: [{ what: 'popup', url: 'about:blank' }],
      size: { height: 20 },
      dropped: { consoleLines: 2 },
    }),
    accessibility: () => [{ rule: 'label', impact: 'minor', help: 'Label it.', elements: 1 }],
  };
  const answer = await preview({
    toolName: 'form',
    arguments: { title: 'Emma' },
    result,
    actions: [click, wait],
  });
  const base64 = Buffer.from(png).toString('base64');
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({
    status: 'rendered',
    elapsedMs: expect.any(Number),
    message: null,
    calls: [],
    consoleLines: [{ level: 'error', text: '<b>no</b>', atMs: 3 }],
    messages: ['Buy it.'],
    links: ['https://shop.example/'],
    refused: [{ what: 'popup', url: 'about:blank' }],
    size: { width: null, height: 20 },
    dropped: { consoleLines: 2 },
    accessibility: [{ rule: 'label', impact: 'minor', help: 'Label it.', elements: 1 }],
    answers: [
      { ok: true, reason: null },
      { ok: true, reason: null },
    ],
    pictures: [null, 0, 1].map((afterAction) => ({
      afterAction,
      width: 8,
      height: 8,
      png: base64,
    })),
  });
  expect(renderer.opened).toMatchObject([
    {
      html: '<p>Order</p>',
      dialect: 'mcpApps',
      input: { title: 'Emma' },
      result: { content: result.content },
      tool: { name: 'form' },
    },
  ]);
  expect(renderer.opened[0]?.result).not.toHaveProperty('durationMs');
  expect(renderer.now.open).toBe(0);
});

test('the first action that cannot be done ends it, with a picture of how it was then', async () => {
  widget = { picture: () => picture, act: () => ({ ok: false, reason: 'Nothing says Order.' }) };
  const { body } = await preview({ toolName: 'form', result, actions: [click, wait] });
  expect(body.answers).toEqual([{ ok: false, reason: 'Nothing says Order.' }]);
  expect(body.pictures.map(({ afterAction }: { afterAction: unknown }) => afterAction)).toEqual([
    ...[null, 0],
  ]);
  expect(body.status).toBe('rendered');
});

test('what it calls is called for real, is in the audit log, and only what is for widgets', async () => {
  const answers: unknown[] = [];
  widget = {
    picture: () => picture,
    starts: async (host) => {
      answers.push(await host.callTool('save', { isbn: '1' }));
      await host.callTool('secret', {}).catch((error: Error) => answers.push(error.message));
      answers.push(await host.readResource('ui://shop/other'));
    },
  };
  const before = server.requests.length;
  const { body } = await preview({ toolName: 'form', result });
  const refusal =
    'The tool "secret" is not available to widgets, because its _meta.ui.visibility does not contain "app", so it was not called.';
  expect(body.calls).toEqual([
    { toolName: 'save', arguments: { isbn: '1' }, outcome: 'answered', message: null },
    { toolName: 'secret', arguments: {}, outcome: 'refused', message: refusal },
  ]);
  expect(answers).toMatchObject([{ content: [{ text: 'done' }] }, refusal, { contents: [{}] }]);
  const called = server.requests.slice(before).flatMap(({ message }) => {
    return message['method'] === 'tools/call' ? [message['params']] : [];
  });
  expect(called).toMatchObject([{ name: 'save', arguments: { isbn: '1' } }]);
  const lines = await service.owner.sql<{ details: string }[]>`
    select details from audit_log where action = 'server.toolCalled' and subject_id = ${serverId}`;
  expect(lines.map(({ details }) => JSON.parse(details))).toEqual([{ tool: 'save' }]);
});

test('a widget that asks without end is told to stop', async () => {
  let refused = '';
  widget = {
    picture: () => picture,
    starts: async (host) => {
      for (let asked = 0; asked < 101 && refused === ''; asked += 1) {
        await host.callTool('save', {}).catch((error: Error) => {
          refused = error.message;
        });
      }
    },
  };
  const { body } = await preview({ toolName: 'form', result });
  expect(body.calls).toHaveLength(100);
  expect(refused).toBe(
    'A widget may send its server at most 100 requests, so this request was not sent.',
  );
});

test.each([
  ['plain', 'no_ui_resource', /names no user interface/],
  ['unknown', 'no_ui_resource', /does not list the tool/],
  ['lost', 'resource_read_failed', /Gone/],
])('of %s it is told why there is nothing to see', async (toolName, status, message) => {
  const { body } = await preview({ toolName, result });
  expect(body).toMatchObject({ status, pictures: [], answers: [] });
  expect(body.message).toMatch(message);
  expect(renderer.opened).toEqual([]);
});

test('one that takes its page down broke; a browser of ours that is lost says nothing of it', async () => {
  widget = { picture: () => undefined };
  expect((await preview({ toolName: 'form', result, actions: [click] })).body).toMatchObject({
    status: 'render_error',
    message: 'The page of the widget crashed.',
    answers: [],
  });
  widget = {
    rendering: () => {
      throw new BrowserLost('The browser went away.');
    },
  };
  const lost = await preview({ toolName: 'form', result });
  expect(lost.body).toMatchObject({
    status: 'browser_unavailable',
    message: 'The browser went away.',
    pictures: [],
  });
});

test('without a browser it says how to get one', async () => {
  const missing = 'No Chromium was found; install one.';
  const without = await service.another({ widgets: { missing } });
  try {
    const answer = await preview({ toolName: 'form', result }, without.baseUrl);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      code: 'FEATURE_NOT_SUPPORTED',
      message: missing,
      details: { reason: 'NO_BROWSER' },
    });
    // A tool without a widget needs no browser, so its result is returned.
    expect((await preview({ toolName: 'plain', result }, without.baseUrl)).status).toBe(200);
  } finally {
    await without.stop();
  }
});

test('a key that only reads shows no widget, since widgets call tools', async () => {
  const { key } = await service.operator.createKey(
    'owner@acme.example',
    tenant.organizationId,
    'reader',
    { scope: 'read-only' },
  );
  const answer = await preview({ toolName: 'form', result }, service.baseUrl, key);
  expect(answer.status).toBe(403);
});
