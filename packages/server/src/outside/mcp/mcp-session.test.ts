import { gatewayForTest, httpTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { modernTools } from '@proofmark/harness/mcp-servers/modern-primitives.ts';
import {
  type ModernServer,
  startModernServer,
} from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpGateway } from './mcp-gateway.ts';
import type { McpTarget } from './mcp-target.ts';

let gateway: McpGateway;
let server: ModernServer;
beforeAll(async () => {
  gateway = gatewayForTest();
  server = await startModernServer({ pageSize: 1 });
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

const first = (): McpTarget =>
  httpTarget(server.url, { identity: 'first', paginationTraversal: 'firstPageOnly' });

async function listings(work: () => Promise<unknown>): Promise<number> {
  const before = server.calls.length;
  await work();
  return server.calls.slice(before).filter(({ method }) => method === 'tools/list').length;
}

test('a whole list ends with its first page, and the server is asked for no other', async () => {
  const asked = await listings(async () => {
    const tools = await gateway.use(first(), (session) => session.listAll('tools'));
    expect(tools).toEqual(modernTools.slice(0, 1));
  });
  expect(asked).toBe(1);
});

test('so it does in an examination', async () => {
  const asked = await listings(async () => {
    const report = await gateway.examine(first());
    expect(report.tools).toEqual(modernTools.slice(0, 1));
    expect(report.checks.tools).toMatchObject({ status: 'ok', detail: '1 tool.' });
  });
  // Twice at the newest revision, and once at each of the four others.
  expect(asked).toBe(6);
});

test('a page that is asked for by its cursor is still read', async () => {
  const page = await gateway.use(first(), async (session) => {
    const { nextCursor } = await session.listTools();
    return session.listTools(nextCursor);
  });
  expect(page.items).toEqual(modernTools.slice(1, 2));
});

test('an answer is checked against its schema, wherever the tool is listed', async () => {
  const outcome = await gateway.use(first(), async (session) => {
    await session.listAll('tools');
    return session.callTool('structured', { city: 'Århus' });
  });
  expect(outcome.outputCheck).toBeDefined();
});

test.each([undefined, 'full'] as const)('%s reads to the end', async (paginationTraversal) => {
  const more = paginationTraversal === undefined ? {} : { paginationTraversal };
  const target = httpTarget(server.url, { identity: String(paginationTraversal), ...more });
  const tools = await gateway.use(target, (session) => session.listAll('tools'));
  expect(tools).toEqual(modernTools);
});
