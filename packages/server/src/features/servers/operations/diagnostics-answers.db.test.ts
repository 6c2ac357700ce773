import { type DiagnosedServer, saveServer } from '@proofmark/harness/diagnosed-server.ts';
import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterEach(closeServers);
afterAll(() => service.stop());

const save = (url: string): Promise<DiagnosedServer> => saveServer(service, tenant, { url });

async function expectAnswer(
  asked: ReturnType<DiagnosedServer['ask']>,
  status: number,
  code: string,
  details: object,
): Promise<void> {
  const answer = await asked;
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toMatchObject({ code, details });
}

test('a tool or a prompt the server does not know: 400, as it says; a resource: 404', async () => {
  const modern = await startModernServer();
  try {
    const ours = await save(modern.url);
    const details = { path: 'body', reason: 'INVALID_PARAMS' };
    for (const [operation, body] of [
      ['tools/call', { toolName: 'no-such-tool' }],
      ['prompts/get', { promptName: 'no-such-prompt' }],
    ] as const) {
      await expectAnswer(ours.ask(operation, body), 400, 'VALIDATION_ERROR', details);
    }
    const missing = ours.ask('resources/read', { uri: 'nowhere://at-all' });
    await expectAnswer(missing, 404, 'NOT_FOUND', { reason: 'RESOURCE_NOT_FOUND' });
  } finally {
    await modern.stop();
  }
});

test.each([
  ['tools/call', { toolName: 'echo' }],
  ['prompts/get', { promptName: 'greeting' }],
  ['resources/read', { uri: 'notes://first' }],
] as const)(
  '%s: an unknown method is 422, any other code is passed on',
  async (operation, body) => {
    const offered = { tools: {}, prompts: {}, resources: {} };
    const ask = async (code: number) => {
      const error = { code, message: 'Not that.' };
      const { url } = await startScriptedServer({ [operation]: { error } }, offered);
      return (await save(url)).ask(operation, body);
    };
    const own = (code: number) => ({ mcpError: { code, message: 'Not that.' } });
    await expectAnswer(ask(-32601), 422, 'FEATURE_NOT_SUPPORTED', own(-32601));
    if (operation === 'resources/read') {
      await expectAnswer(ask(-32002), 404, 'NOT_FOUND', own(-32002));
    }
    for (const code of [-32000, -32001, 7]) {
      const details = { reason: 'SERVER_ERROR', ...own(code) };
      await expectAnswer(ask(code), 502, 'SERVER_UNREACHABLE', details);
    }
  },
);
