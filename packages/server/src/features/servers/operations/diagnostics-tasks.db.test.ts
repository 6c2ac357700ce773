/** Tools that answer with a task of the newer era, called in diagnostics. */
import { saveServer } from '@proofmark/harness/diagnosed-server.ts';
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  completed,
  refusesUndeclared,
  startTaskServer,
  type TaskScript,
} from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function calling(
  script: TaskScript,
  saved: object = {},
  more: Readonly<Record<string, FakeAnswer>> = {},
) {
  const server = await startTaskServer({ slow: script }, more);
  stops.push(() => server.stop());
  const { ask } = await saveServer(service, tenant, { url: server.url, ...saved });
  const answer = await ask('tools/call', { toolName: 'slow', parameters: {} });
  return { server, status: answer.status, body: answer.body };
}

test('a call is answered with the result of the task', async () => {
  const { status, body } = await calling({ looks: [{ status: 'working' }, completed('Done.')] });
  expect(status).toBe(200);
  expect(body).toMatchObject({ content: [{ type: 'text', text: 'Done.' }] });
  expect(body).not.toHaveProperty('task');
});

test('a task that needs input is cancelled once', async () => {
  const who = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } };
  const asks = { status: 'input_required', inputRequests: { who } };
  const { server, status, body } = await calling({ looks: [asks] });
  expect(status).toBe(502);
  expect(body.details).toMatchObject({ reason: 'INPUT_REQUIRED' });
  await vi.waitUntil(() => server.asked.some((one) => one.startsWith('tasks/cancel')), 20_000);
  expect(server.asked).toEqual(['tasks/get task-1', 'tasks/cancel task-1']);
});

test('a failed task is the error of the server', async () => {
  const error = { code: -32_050, message: 'No luck.' };
  const { status, body } = await calling({ looks: [{ status: 'failed', error }] });
  expect(status).toBe(502);
  expect(body.details).toMatchObject({ reason: 'SERVER_ERROR', mcpError: error });
});

test('a lost task is no fault of the caller', async () => {
  const error = { code: -32_602, message: 'Task not found' };
  const { status, body } = await calling({ looks: [{ error }] });
  expect(status).toBe(502);
  expect(body.details).toMatchObject({ reason: 'SERVER_ERROR', mcpError: error });
});

test('a task that takes longer than the server may is cancelled', async () => {
  const { server, status } = await calling({ looks: [{ status: 'working' }] }, { timeout: 500 });
  expect(status).toBe(504);
  await vi.waitUntil(() => server.asked.some((one) => one.startsWith('tasks/cancel')), 20_000);
});

test('a server that states capabilities without the extension is told so by its error', async () => {
  const saved = { clientCapabilities: { extensions: {} } };
  const { status, body } = await calling({}, saved, { 'tools/call': refusesUndeclared });
  expect(status).toBe(502);
  expect(body.details['missingAbility']).toBe('the extension io.modelcontextprotocol/tasks');
});
