/** The sample bookshop is a real MCP server: the command starts it as a child, speaks with it and takes it along. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processStart } from '../../packages/server/src/storage/embedded/process-facts.ts';
import { call } from '../harness/test-service.ts';
import { childrenNamed } from './children-named.ts';
import type { StartedProofmark } from './start-proofmark.ts';
import { until } from './until.ts';
import { createWorkplace } from './workplace.ts';

const workplace = createWorkplace();
let service: StartedProofmark;
let key: string;
let projectId: string;
let sample: string;

beforeAll(async () => {
  const made = await workplace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  key = made.apiKey;
  projectId = made.projectId;
  await start();
});
afterAll(() => workplace.remove());

async function start(): Promise<void> {
  service = await workplace.serve([], { PROOFMARK_RATE_LIMIT: 'off' });
  const servers = `${service.url}/api/v1/projects/${projectId}/servers`;
  const { body } = await call(servers, { key });
  sample = `${servers}/${body.items[0].id}`;
  expect(body.items[0].name).toBe('Sample bookshop');
}

const ask = (operation: string, body: unknown = {}) =>
  call(`${sample}/${operation}`, { method: 'POST', key, body });

test('it is started when it is asked for the first time, and answers', async () => {
  expect(childrenNamed(service.pid, 'sample-server')).toEqual([]);
  const { status, body, text } = await ask('tools');
  expect(status, text).toBe(200);
  const names = body.items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['search_books', 'get_book', 'order_book']);
  const order = { toolName: 'order_book', parameters: { bookId: 1, copies: 2 } };
  expect(JSON.parse((await ask('tools/call', order)).body.content[0].text)).toEqual({
    orderId: 'order-1-2',
    total: 48,
  });
});

test('its doctor finds it ready', async () => {
  expect((await ask('doctor')).body).toMatchObject({ status: 'ready', prompts: [] });
});

test('many calls share one process', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ask('tools')));
  expect(childrenNamed(service.pid, 'sample-server').length).toBe(1);
});

test.each(['stop', 'kill'] as const)('it ends with the service, by %s', async (end) => {
  await ask('tools');
  const [pid] = childrenNamed(service.pid, 'sample-server') as [number];
  expect(processStart(pid)).toBeDefined();
  await service[end]();
  await until(() => processStart(pid) === undefined, 'the child is gone');
  if (end === 'stop') await start();
});
