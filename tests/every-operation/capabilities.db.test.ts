/**
 * Tests, for every tier, scope and feature, that each operation behaves as the capabilities
 * promise. The cases are generated from the contract. An operation is called with an empty body and
 * unknown ids, since a missing right is reported first.
 */
import { basePaths, type Operation, operations } from '@proofmark/contract';
import { type CapabilityName, capabilities, keyScopes, projectTiers } from '@proofmark/domain';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';

const rows = operations as Readonly<Record<string, Operation>>;
/**
 * Exceptions: lists are open to everyone, and empty while the feature is switched off. Members may
 * always delete the objects that they created.
 */
const checkedElsewhere = [
  'readSwarms',
  'readUserTesting',
  'deleteAnyEvalSuite',
  'deleteAnyEvalRun',
];
const asked = (Object.entries(capabilities) as [CapabilityName, { operationId: string }][]).flatMap(
  ([name, { operationId }]) => {
    const row = rows[operationId];
    return row === undefined || checkedElsewhere.includes(name) ? [] : [{ name, row }];
  },
);

let service: TestService;
let mine: Tenant;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  mine = await createTenant(service, 'mine');
});
afterAll(() => service.stop());

async function may(row: Operation, key: string): Promise<boolean> {
  const missing = 'x'.repeat(26);
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'projectId' ? mine.projectId : missing,
  );
  const body = row.body === undefined ? {} : { body: {} };
  const url = service.baseUrl + basePaths[row.surface] + path;
  const answer = await call(url, { method: row.method, key, ...body });
  expect([200, 202, 400, 403, 404], answer.text).toContain(answer.status);
  return answer.status !== 403;
}

async function promisedTo(key: string) {
  const url = `${service.baseUrl}/api/v1/projects/${mine.projectId}/capabilities`;
  const answer = await call(url, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const featureStates = [
  ['off', 'off'],
  ['on', 'off'],
  ['off', 'on'],
  ['on', 'on'],
] as const;

describe.each(featureStates)('with swarms %s and user testing %s', (swarms, userTesting) => {
  beforeAll(async () => {
    await service.operator.setFeature(mine.organizationId, 'swarms', swarms);
    await service.operator.setFeature(mine.organizationId, 'user-testing', userTesting);
  });

  test.each(projectTiers)('a %s is promised what they may', async (tier) => {
    const { key } = await createMember(service, mine, 'member', tier);
    const { can, features } = await promisedTo(key);
    for (const { name, row } of asked) {
      expect({ [name]: can[name] }).toEqual({ [name]: await may(row, key) });
    }
    const anyIsOn = swarms === 'on' || userTesting === 'on';
    expect(features).toEqual({
      sandboxes: { enabled: anyIsOn, mode: 'enforce', enforced: !anyIsOn },
      swarms: { enabled: swarms === 'on' },
      userTesting: { enabled: userTesting === 'on' },
    });
  });

  test.each(keyScopes)('a %s key is promised what it may', async (scope) => {
    const made = await service.operator.createKey('owner@mine.example', 'mine', scope, { scope });
    const { can } = await promisedTo(made.key);
    for (const { name, row } of asked) {
      expect({ [name]: can[name] }).toEqual({ [name]: await may(row, made.key) });
    }
  });
});

test.each(projectTiers)('a %s may delete what others made as far as is promised', async (tier) => {
  const { key } = await createMember(service, mine, 'member', tier);
  const { can } = await promisedTo(key);
  const launcher = createLauncher(service, mine);
  const remove = async (path: string) => {
    const url = `${service.baseUrl}/api/v1/projects/${mine.projectId}/${path}`;
    return (await call(url, { method: 'DELETE', key })).status;
  };
  const runId = await launcher.ended();
  expect(await remove(`eval-runs/${runId}`)).toBe(can.deleteAnyEvalRun ? 200 : 403);
  const suiteId = await launcher.suite();
  expect(await remove(`eval-suites/${suiteId}`)).toBe(can.deleteAnyEvalSuite ? 200 : 403);
});

test('gated rows are writes inside a project, and the ways back are not gated', () => {
  for (const row of Object.values(rows)) {
    if (row.feature === undefined) continue;
    expect(row.method, row.operationId).not.toBe('GET');
    expect(row.path, row.operationId).toContain('{projectId}');
    expect(['cancelJourneyRun', 'unpublishScenario']).not.toContain(row.operationId);
  }
});
