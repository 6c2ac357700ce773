/**
 * Tests a stdio server of the operator's file. It must be a child of the service: started on first
 * use, shared, and ended with the service.
 */
import { writeFileSync } from 'node:fs';
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { everythingStdio } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processStart } from '../../packages/server/src/platform/embedded/process-facts.ts';
import { childrenNamed } from './children-named.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
let service: StartedProofmark;
let key: string;
let projectId: string;
let saved: string;

beforeAll(async () => {
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  key = made.apiKey;
  projectId = made.projectId;
  const stdioServers = [{ name: 'Everything', ...everythingStdio() }];
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify({ stdioServers }));
  await start();
});
afterAll(() => workspace.remove());

async function start(): Promise<void> {
  service = await workspace.serve([], { PROOFMARK_RATE_LIMIT: 'off' });
  const servers = `${service.url}/api/v1/projects/${projectId}/servers`;
  const { body } = await call(servers, { key });
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['Everything']);
  saved = `${servers}/${body.items[0].id}`;
}

const ask = (operation: string, body: unknown = {}) =>
  call(`${saved}/${operation}`, { method: 'POST', key, body });
const children = () => childrenNamed(service.pid, 'server-everything');

test('it is started when it is asked for the first time, and answers', async () => {
  expect(children()).toEqual([]);
  const { status, body, text } = await ask('tools');
  expect(status, text).toBe(200);
  expect(body.items.map(({ name }: { name: string }) => name)).toContain('echo');
  const echo = { toolName: 'echo', parameters: { message: 'hello' } };
  expect((await ask('tools/call', echo)).body.content[0].text).toContain('hello');
});

test('its doctor finds it ready', async () => {
  expect((await ask('doctor')).body).toMatchObject({ status: 'ready' });
});

test('many calls share one process', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ask('tools')));
  expect(children()).toHaveLength(1);
});

test.each(['stop', 'kill'] as const)('it ends with the service, by %s', async (end) => {
  await ask('tools');
  const [pid] = children() as [number];
  expect(processStart(pid)).toBeDefined();
  await service[end]();
  await until(() => processStart(pid) === undefined, 'the child is gone');
  if (end === 'stop') await start();
});
