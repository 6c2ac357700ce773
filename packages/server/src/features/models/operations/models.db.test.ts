import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';

const models = createModelGateway({
  egress: { allowLoopback: true, allowedPrivateHosts: [] },
  providers: [
    {
      name: 'local',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'sk-canary',
      models: [{ name: 'big', inputPerMillion: 1.5, outputPerMillion: 6 }, { name: 'small' }],
    },
  ],
});

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService({ models });
  const made = await service.operator.bootstrap({ email: 'ana@example.com', organization: 'Acme' });
  key = made.apiKey;
});

afterAll(async () => {
  await service.stop();
  await models.close();
});

test('hosted models and providers are listed, with the prices the operator states and no key or address', async () => {
  const { status, body, text } = await call(`${service.baseUrl}/api/v1/models`, { key });
  expect(status).toBe(200);
  const hosted = { kind: 'hosted' };
  expect(body.items).toEqual([
    { ...hosted, id: 'proofmark/lexical-1', provider: 'proofmark', name: 'lexical-1' },
    {
      ...hosted,
      id: 'local/big',
      provider: 'local',
      name: 'big',
      inputPerMillion: 1.5,
      outputPerMillion: 6,
    },
    { ...hosted, id: 'local/small', provider: 'local', name: 'small' },
  ]);
  expect(body.providers).toContainEqual({ name: 'local', hosted: true, acceptsKey: true });
  expect(body.providers).toContainEqual({ name: 'openai', hosted: false, acceptsKey: true });
  expect(body.providers).toContainEqual({ name: 'proofmark', hosted: true, acceptsKey: false });
  expect(text).not.toContain('canary');
  expect(text).not.toContain('127.0.0.1');
});

test('nobody lists models without a key', async () => {
  expect((await call(`${service.baseUrl}/api/v1/models`)).status).toBe(401);
});
