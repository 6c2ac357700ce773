import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { createEnvironment, type EnvironmentSet } from './create-environment.ts';
import { createReporter, failing } from './reporter.ts';
import { type StoredScenarioIds, storeTestScenario } from './stored-scenario.ts';
import { call, type TestService } from './test-service.ts';

export interface Tenant extends EnvironmentSet, StoredScenarioIds {
  readonly organizationId: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly serverId: string;
  /**
   * The same client id under two names: newer paths call the parameter `client`, older ones
   * `hostId`.
   */
  readonly client: string;
  readonly hostId: string;
  readonly suiteId: string;
  readonly caseId: string;
  readonly runId: string;
  readonly entryId: string;
  readonly iterationId: string;
  readonly waiverId: string;
  /** An empty run group. */
  readonly runGroupId: string;
  readonly mutationId: string;
  readonly personaId: string;
  readonly swarmId: string;
  readonly journeyId: string;
  readonly key: string;
  readonly keyId: string;
}

export async function createTenant(service: TestService, name: string): Promise<Tenant> {
  const made = await service.operator.bootstrap({
    email: `owner@${name}.example`,
    organization: name,
  });
  const server = await call(`${service.baseUrl}/api/v1/projects/${made.projectId}/servers`, {
    method: 'POST',
    key: made.apiKey,
    body: {
      name: 'Sample',
      enabled: true,
      transportType: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'X-Canary': canary },
      clientSecret: canary,
    },
  });
  if (server.status !== 201) throw new Error(`No server for the tenant: ${server.text}`);
  const columns = { organization_id: made.organizationId, project_id: made.projectId };
  const { sql } = service.owner;
  await sql`insert into chat_sessions ${sql({ id: id('chatSession'), ...columns, account_id: made.accountId, title: 'Hello', status: 'active' })}`;
  const owner = { projectId: made.projectId, key: made.apiKey };
  const client = await createTemplateClient(service, owner, 'Default client');
  const waived = await createWaivedRun(service, owner, 'Smoke');
  const runGroupId = randomBytes(16).toString('hex');
  await sql`insert into eval_run_groups ${sql({ id: runGroupId, ...columns, suite_id: waived.suiteId, request_hash: '' })}`;
  const mutationId = id('mutation');
  await sql`insert into suite_mutations ${sql({ id: mutationId, ...columns, suite_id: waived.suiteId, status: 'completed', request: '{}', estimate: '{}', plan: '{}' })}`;
  const entryId = id('quarantineEntry');
  await sql`insert into quarantine_entries ${sql({ id: entryId, organization_id: made.organizationId, suite_id: waived.suiteId, case_ref: 'gone', owner: 'Mika', reason: 'Races', expires_at: new Date(Date.now() + 86_400_000), source: 'api', created_by_email: 'owner@acme.example' })}`;
  const own = { ...owner, serverId: server.body.id, hostId: client };
  const environment = await createEnvironment(service, own, 'Own');
  return {
    organizationId: made.organizationId,
    accountId: made.accountId,
    projectId: made.projectId,
    serverId: server.body.id,
    client,
    hostId: client,
    ...environment,
    ...(await storeTestScenario(service, { ...made, environmentId: environment.environmentId })),
    ...waived,
    runGroupId,
    mutationId,
    entryId,
    ...(await insertJourney(service, columns)),
    caseId: await createAuthoredCase(service, owner, waived.suiteId),
    key: made.apiKey,
    keyId: made.apiKeyId,
  };
}

/**
 * Inserts a journey directly into the database. The organization's settings might not allow
 * creating it over HTTP.
 */
async function insertJourney(
  { owner: { sql } }: TestService,
  place: { readonly organization_id: string; readonly project_id: string },
): Promise<Pick<Tenant, 'personaId' | 'swarmId' | 'journeyId'>> {
  const made = { personaId: id('persona'), swarmId: id('swarm'), journeyId: id('journey') };
  const numbers = { environment_ids: [], sessions_per_target: 2, max_turns: 4 };
  await sql`insert into personas ${sql({ id: made.personaId, ...place, slug: 'guest', name: 'Guest', role: 'Visitor' })}`;
  await sql`insert into swarms ${sql({ id: made.swarmId, ...place, name: 'All', ...numbers })}`;
  await sql`
    insert into journeys ${sql({
      id: made.journeyId,
      ...place,
      name: 'Hours',
      goal: 'Find the opening hours',
      persona_id: made.personaId,
      swarm_id: made.swarmId,
      host_ids: [],
      rubric: '[]',
      ...numbers,
    })}`;
  return made;
}

export async function createTemplateClient(
  service: TestService,
  tenant: Pick<Tenant, 'projectId' | 'key'>,
  name: string,
): Promise<string> {
  const made = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/clients`, {
    method: 'POST',
    key: tenant.key,
    body: { name, template: 'proofmark' },
  });
  if (made.status !== 201) throw new Error(`No client for the tenant: ${made.text}`);
  return made.body.id;
}

export async function createAuthoredCase(
  service: TestService,
  tenant: Pick<Tenant, 'projectId' | 'key'>,
  suiteId: string,
): Promise<string> {
  const path = `api/v1/projects/${tenant.projectId}/eval-suites/${suiteId}/cases`;
  const body = { title: 'Says hello', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }] };
  const made = await call(`${service.baseUrl}/${path}`, { method: 'POST', key: tenant.key, body });
  if (made.status !== 201) throw new Error(`No case for the tenant: ${made.text}`);
  return made.body.id;
}

export async function createWaivedRun(
  service: TestService,
  tenant: Pick<Tenant, 'projectId' | 'key'>,
  suiteName: string,
): Promise<Pick<Tenant, 'suiteId' | 'runId' | 'iterationId' | 'waiverId'>> {
  const { suiteId, runId } = await createFailedRun(service, tenant, suiteName);
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}`;
  const trials = await call(`${url}/iterations`, { key: tenant.key });
  const waived = await call(`${url}/gate-waivers`, {
    method: 'POST',
    key: tenant.key,
    body: { reason: 'Known and on its way.', expiresAt: Date.now() + 3_600_000 },
  });
  if (waived.status !== 201) throw new Error(`No waiver for the tenant: ${waived.text}`);
  return {
    suiteId,
    runId,
    iterationId: trials.body.items[0].id,
    waiverId: waived.body.waiver.id,
  };
}

export async function createFailedRun(
  service: TestService,
  tenant: Pick<Tenant, 'projectId' | 'key'>,
  suiteName: string,
): Promise<Pick<Tenant, 'suiteId' | 'runId'>> {
  const report = await createReporter(service, tenant).ingest('report', {
    suiteName,
    serverReplayConfigs: [{ serverId: 'Sample', accessToken: canary }],
    results: [failing],
  });
  if (report.status !== 200) throw new Error(`No run for the tenant: ${report.text}`);
  return { suiteId: report.body.suiteId, runId: report.body.runId };
}

/** A secret that every tenant stores. Tests check that no response contains it. */
export const canary = 'canary-7f3a9c51e2';

/** Creates a member of the tenant's organization (default: without a tier in its project). */
export async function createMember(
  service: TestService,
  tenant: Tenant,
  role: 'owner' | 'admin' | 'member',
  tier?: 'member' | 'manage' | 'admin',
): Promise<{ accountId: string; key: string }> {
  const email = `${role}-${tier ?? 'plain'}-${randomBytes(4).toString('hex')}@members.example`;
  const { accountId } = await service.operator.addMember(tenant.organizationId, email, role);
  if (tier !== undefined) {
    await service.operator.setTier(tenant.organizationId, tenant.projectId, email, tier);
  }
  const { key } = await service.operator.createKey(email, tenant.organizationId, 'test');
  return { accountId, key };
}

function id(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
