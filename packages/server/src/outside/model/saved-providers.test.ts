import type { ChosenModel, SavedProvider } from '@proofmark/domain';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createModelGateway } from './create-model-gateway.ts';
import type { ModelGateway, ModelRequest } from './model-gateway.ts';

const never = { signal: new AbortController().signal };
const request: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] };
const closed: EgressPolicy = { allowLoopback: false, allowedPrivateHosts: [] };
const open: EgressPolicy = { ...closed, allowLoopback: true };
const hosted = (provider: string): ChosenModel => ({
  hosted: true,
  id: `${provider}/m`,
  provider,
  name: 'm',
});

let server: OpenAiServer;
let keys: (string | undefined)[];
let gateways: ModelGateway[];
beforeEach(async () => {
  [keys, gateways] = [[], []];
  server = await startOpenAiServer({
    m: (_request, _count, authorization) => {
      keys.push(authorization);
      return { text: 'yes' };
    },
  });
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  await server.stop();
});

function saved(name: string, more: Partial<SavedProvider> = {}): SavedProvider {
  return {
    id: `mdp_${name}`,
    organizationId: 'org_1',
    name,
    revision: 1,
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: `sk-${name}`,
    models: [{ name: 'm', inputPerMillion: 1, outputPerMillion: 2 }],
    requestsAtOnce: null,
    ...more,
  };
}

function gatewayWith(egress: EgressPolicy): ModelGateway {
  const gateway = createModelGateway({
    egress,
    providers: [
      {
        name: 'filed',
        kind: 'openai-compatible',
        baseUrl: server.baseUrl,
        apiKey: 'sk-file',
        models: [{ name: 'm' }],
      },
    ],
    limits: { firstWaitMs: 1, longestWaitMs: 1 },
  });
  gateways.push(gateway);
  return gateway;
}

test('they are offered with their prices beside the others; the file stands where both have a name', async () => {
  const base = gatewayWith(open);
  const models = base.including([saved('own'), saved('filed')]);
  expect(models.offer.hosted.map(({ id }) => id)).toEqual([
    ...['proofmark/lexical-1', 'own/m', 'filed/m'],
  ]);
  expect(models.priceOf(hosted('own'))).toEqual({ inputPerMillion: 1, outputPerMillion: 2 });
  expect(models.priceOf(hosted('filed'))).toBeUndefined();
  await models.generate(hosted('own'), request, never);
  await models.generate(hosted('filed'), request, never);
  expect(keys).toEqual(['Bearer sk-own', 'Bearer sk-file']);
  expect(base.offer.hosted.map(({ id }) => id)).not.toContain('own/m');
  await expect(base.generate(hosted('own'), request, never)).rejects.toThrow('has no provider');
});

test('the address of a tenant is guarded, that of the operator counts as listed', async () => {
  const models = gatewayWith(closed).including([
    saved('tenants'),
    saved('operators', { organizationId: null }),
  ]);
  await expect(models.generate(hosted('tenants'), request, never)).rejects.toMatchObject({
    reason: 'PROVIDER_UNREACHABLE',
    message: expect.stringContaining('not allowed'),
  });
  await models.generate(hosted('operators'), request, never);
  expect(keys).toEqual(['Bearer sk-operators']);
});

test('a tenant does not reach this machine by a kind whose own address is here', async () => {
  const ollama = saved('ollama', { kind: 'ollama', baseUrl: null, apiKey: null });
  const models = gatewayWith(closed).including([ollama]);
  await expect(models.generate(hosted('ollama'), request, never)).rejects.toThrow('not allowed');
});

test('one that was changed is another, and whoever began with the one before goes on with it', async () => {
  const base = gatewayWith(open);
  const before = base.including([saved('own')]);
  await before.generate(hosted('own'), request, never);
  const after = base.including([saved('own', { apiKey: 'sk-new', revision: 2 })]);
  await after.generate(hosted('own'), request, never);
  await before.generate(hosted('own'), request, never);
  expect(keys).toEqual(['Bearer sk-own', 'Bearer sk-new', 'Bearer sk-own']);
});

test('requests at a time are counted over all who use one', async () => {
  const base = gatewayWith(open);
  const provider = saved('own', { requestsAtOnce: 1 });
  const both = [base.including([provider]), base.including([provider])];
  await Promise.all(
    [...both, ...both].map((models) => models.generate(hosted('own'), request, never)),
  );
  expect(server.mostAtOnce).toBe(1);
});

test('whoever closes ends nothing of others, and nothing is kept when all have', async () => {
  const base = gatewayWith(open);
  const [one, other] = [base.including([saved('own')]), base.including([saved('own')])];
  await one.generate(hosted('own'), request, never);
  await other.generate(hosted('own'), request, never);
  await one.close();
  await one.close();
  await other.generate(hosted('own'), request, never);
  await other.close();
  // The request uses the same revision with another key: if the earlier client were still cached,
  // its old key would be sent.
  const again = base.including([saved('own', { apiKey: 'sk-again' })]);
  await again.generate(hosted('own'), request, never);
  expect(keys.at(-1)).toBe('Bearer sk-again');
});

test('who asks to send once has it sent once', async () => {
  server.scripts.set('m', () => ({ status: 503 }));
  const models = gatewayWith(open).including([saved('own')]);
  const asked = models.generate(hosted('own'), request, { ...never, sends: 1 });
  await expect(asked).rejects.toMatchObject({ reason: 'PROVIDER_ERROR', attempts: 1 });
  expect(server.count('m')).toBe(1);
});
