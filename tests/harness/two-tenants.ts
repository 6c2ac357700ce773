/** Two organizations with something of everything, and callers of every standing in the first. */
import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { call, type TestService } from './test-service.ts';

export interface Tenant {
  readonly organizationId: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly serverId: string;
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
  const place = { organization_id: made.organizationId, project_id: made.projectId };
  const { sql } = service.owner;
  await sql`insert into eval_suites ${sql({ id: id('evalSuite'), ...place, name: 'Smoke' })}`;
  await sql`insert into chat_sessions ${sql({ id: id('chatSession'), ...place, account_id: made.accountId, title: 'Hello', status: 'active' })}`;
  return {
    organizationId: made.organizationId,
    accountId: made.accountId,
    projectId: made.projectId,
    serverId: server.body.id,
    key: made.apiKey,
    keyId: made.apiKeyId,
  };
}

/** A secret planted with every tenant: it must come back nowhere. */
export const canary = 'canary-7f3a9c51e2';

/** A member of the tenant's organization, with a tier in its project if one is given. */
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
