import type { ActionOperationId } from '@proofmark/contract';
import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Maker } from './example-parts.ts';
import type { Reference } from './id-fields.ts';

const nothing: Maker = () => ({});

export const guestExecutionBody = {
  enabled: true,
  sharedSkillsEnabled: false,
  computerEnabled: false,
  dailyCreditCap: 100,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
};

export const scenarioExamples: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  listScenarios: nothing,
  getScenario: nothing,
  publishScenario: async (service, tenant) => ({
    values: { environmentId: await freeEnvironment(service, tenant) },
    body: { name: unique('Scenario'), mode: 'anyone_with_link' },
  }),
  unpublishScenario: async (service, tenant) => ({
    values: { environmentId: await freeEnvironment(service, tenant) },
  }),
  getUserTestingScenario: nothing,
  updateUserTestingScenario: () => ({ body: { welcome: 'Ask about books.', feedback: 'stars' } }),
  rotateScenarioLink: () => ({ body: {} }),
  rebindScenario: async (service, tenant) => ({
    body: { environmentId: await freeEnvironment(service, tenant) },
  }),
  setGuestExecution: () => ({ body: guestExecutionBody }),
  listScenarioMembers: nothing,
  upsertScenarioMember: () => ({ body: { email: 'guest@visitors.example', role: 'chat' } }),
  removeScenarioMember: async (service, tenant) => {
    const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/user-testing/scenarios/${tenant.scenarioId}/members`;
    const body = { email: `${unique('guest')}@visitors.example` };
    const invited = await call(url, { method: 'PUT', key: tenant.key, body });
    return { values: { memberIdOrEmail: invited.body.memberId } };
  },
};

export const scenarioReferences: Readonly<Record<string, Reference>> = {
  'rebindScenario environmentId': {
    id: (service, tenant) => freeEnvironment(service, tenant),
    body: (_service, _mine, environmentId) => ({ environmentId }),
  },
};

async function freeEnvironment(service: TestService, tenant: Tenant): Promise<string> {
  return (await createEnvironment(service, tenant, unique('Environment'))).environmentId;
}
