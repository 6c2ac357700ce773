/**
 * Tests that the id of a config identifies its content: two configs have the same id exactly if
 * they are equal.
 */
import { type ClientConfig, canonicalClientConfig } from '@proofmark/domain';
import {
  type ClientCaller,
  createClientCaller,
  createProject,
  leastConfig,
} from '@proofmark/harness/client-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let clients: ClientCaller;
let serverIds: string[];
let savedSkills: string[];
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  clients = createClientCaller(service, tenant);
  serverIds = [tenant.serverId, await clients.saveServer(), await clients.saveServer()];
  savedSkills = [await clients.saveSkill(), await clients.saveSkill()];
});
afterAll(() => service.stop());

const ids = fc.subarray(['tool_a', 'tool_b', 'tool_c']);
const open = fc.dictionary(
  fc.constantFrom('a', 'b', 'B', '1', 'é'),
  fc.oneof(fc.boolean(), fc.constant({}), fc.constant([]), fc.constantFrom('x', 1, 1.5, null)),
  { maxKeys: 3 },
);
/** Each field has only a few possible values, so that equal configs are generated often. */
const anyConfig = fc.record(
  {
    modelId: fc.constantFrom('a/b', 'a/c'),
    systemPrompt: fc.constantFrom('', 'Help.'),
    temperature: fc.constantFrom(0, 1),
    requireToolApproval: fc.boolean(),
    connectionDefaults: fc.record(
      {
        headers: fc.constantFrom({}, { 'X-A': '1', 'X-B': '2' }, { 'X-B': '2', 'X-A': '1' }),
        requestTimeout: fc.constantFrom(1, 2),
      },
      { requiredKeys: [] },
    ),
    clientCapabilities: open,
    hostContext: open,
    required: fc.subarray([0, 1, 2]),
    optional: fc.subarray([0, 1, 2]),
    computer: fc.constantFrom(null, { kind: 'personal' as const }),
    builtInToolIds: ids,
    skills: fc.oneof(fc.constant('all' as const), fc.subarray([0, 1])),
    chatUiOverride: open,
  },
  { requiredKeys: ['modelId', 'clientCapabilities', 'hostContext'] },
);

function withReferences(drawn: object): ClientConfig {
  const { required, optional, skills, ...config } = drawn as ClientConfig & {
    required?: number[];
    optional?: number[];
    skills?: number[] | 'all';
  };
  const named = (numbers: readonly number[]) => numbers.map((at) => serverIds[at] as string);
  return {
    ...config,
    ...(required && { serverIds: named(required) }),
    ...(optional && { optionalServerIds: named(optional.filter((at) => !required?.includes(at))) }),
    ...(skills && { skillSelection: selectionOf(skills) }),
  };
}

function selectionOf(skills: readonly number[] | 'all') {
  if (skills === 'all') return { mode: 'all-visible' as const };
  return { mode: 'explicit' as const, skillIds: skills.map((at) => savedSkills[at] as string) };
}

test('whatever the order of keys and ids, and however often an id is repeated', async () => {
  await fc.assert(
    fc.asyncProperty(anyConfig, async (drawn) => {
      const config = withReferences(drawn);
      const one = await clients.create({ config });
      const other = await clients.create({ config: permuted(config) });
      expect([one.status, other.status], one.text).toEqual([201, 201]);
      expect(other.body.configId).toBe(one.body.configId);
      expect(other.body.config).toEqual(one.body.config);
      const back = await clients.create({ config: one.body.config });
      expect(back.body.configId).toBe(one.body.configId);
    }),
    { numRuns: 40 },
  );
});

test('and for no two that differ', async () => {
  const seen = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(anyConfig, async (drawn) => {
      const config = withReferences(drawn);
      const { body } = await clients.create({ config });
      const { text } = canonicalClientConfig(config);
      expect(seen.get(body.configId) ?? text).toBe(text);
      seen.set(body.configId, text);
    }),
    { numRuns: 120 },
  );
  expect(new Set(seen.values()).size).toBe(seen.size);
});

test('in every project and organization, each of which keeps a row of its own', async () => {
  const outsider = await createTenant(service, 'other');
  const projectId = await createProject(service, tenant);
  const made = [
    await clients.create(),
    await createClientCaller(service, tenant, { projectId }).create(),
    await createClientCaller(service, outsider).create(),
  ];
  expect(new Set(made.map(({ body }) => body.configId)).size).toBe(1);
  const rows = await service.owner.sql`
    select organization_id from client_configs where id = ${made[0]?.body.configId}`;
  expect(rows.map((row) => row['organizationId']).sort()).toEqual(
    [tenant.organizationId, outsider.organizationId].sort(),
  );
});

test('and a row that is there never changes', async () => {
  const { configId } = (await clients.create({ config: leastConfig })).body;
  const rows = () => service.owner.sql`select * from client_configs where id = ${configId}`;
  const before = await rows();
  const again = await clients.create({ config: leastConfig });
  await clients.edit(again.body.id, { set: { temperature: 1 }, expectedConfigId: configId });
  await clients.remove(again.body.id);
  expect(await rows()).toEqual(before);
});

/**
 * Returns an equal config that is written differently: keys and sets of ids are reversed, and each
 * set repeats its first member.
 */
function permuted(config: ClientConfig): unknown {
  const set = (list: readonly string[] | undefined) =>
    list && [...list, ...list.slice(0, 1)].reverse();
  const { skillSelection } = config;
  return reversed({
    ...config,
    serverIds: set(config.serverIds),
    optionalServerIds: set(config.optionalServerIds),
    builtInToolIds: set(config.builtInToolIds),
    skillSelection:
      skillSelection?.mode === 'explicit'
        ? { ...skillSelection, skillIds: set(skillSelection.skillIds) }
        : skillSelection,
  });
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
}
