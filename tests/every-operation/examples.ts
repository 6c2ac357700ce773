/** One valid call of each public operation: its body, and how to make what its path must name. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '@proofmark/contract';
import { call, type TestService } from '../harness/test-service.ts';
import type { Tenant } from '../harness/two-tenants.ts';

export const examples: Readonly<Record<string, { readonly body?: unknown } | undefined>> = {
  getMe: {},
  listOrganizations: {},
  listProjects: {},
  get createProject() {
    return { body: { name: `Project ${unique()}`, description: 'Made by a test.' } };
  },
  get updateProject() {
    return { body: { name: `Renamed ${unique()}` } };
  },
  deleteProject: {},
  getProjectCapabilities: {},
  listChatSessions: {},
  listProjectServers: {},
  get createProjectServer() {
    return {
      body: {
        name: `Server ${unique()}`,
        enabled: true,
        transportType: 'http',
        url: 'https://mcp.example/mcp',
      },
    };
  },
  getProjectServer: {},
  updateProjectServer: { body: { timeout: 5000 } },
  deleteProjectServer: {},
  listEvalSuites: {},
};

/** Deleting needs something that may go; everything else uses what the tenant has. */
export async function createExample(
  service: TestService,
  tenant: Tenant,
  operationId: string,
): Promise<Record<string, string>> {
  const maker: Partial<Record<OperationId, () => Promise<Record<string, string>>>> = {
    deleteProject: async () => ({ projectId: await deletableProject(service, tenant) }),
    deleteProjectServer: async () => ({
      serverId: await create(
        service,
        tenant,
        `projects/${tenant.projectId}/servers`,
        examples['createProjectServer']?.body,
      ),
    }),
  };
  return (await maker[operationId as OperationId]?.()) ?? {};
}

/** Every member gets the tier in it that they have in the tenant's own project. */
async function deletableProject(service: TestService, tenant: Tenant): Promise<string> {
  const projectId = await create(service, tenant, 'projects', examples['createProject']?.body);
  await service.owner.sql`
    insert into project_members (organization_id, project_id, account_id, tier)
    select organization_id, ${projectId}, account_id, tier from project_members
    where project_id = ${tenant.projectId} on conflict do nothing`;
  return projectId;
}

async function create(
  service: TestService,
  tenant: Tenant,
  path: string,
  body: unknown,
): Promise<string> {
  const answer = await call(`${service.baseUrl}/api/v1/${path}`, {
    method: 'POST',
    key: tenant.key,
    body,
  });
  return answer.body.id;
}

function unique(): string {
  return randomBytes(5).toString('hex');
}
