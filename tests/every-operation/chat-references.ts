import { unique } from '@proofmark/harness/reporter.ts';
import type { TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Reference } from './id-fields.ts';

async function chat(service: TestService, tenant: Tenant): Promise<string> {
  const { sql } = service.owner;
  const { organizationId, projectId, accountId, serverId } = tenant;
  const id = unique('cht_');
  await sql`insert into chat_sessions ${sql({
    id,
    organization_id: organizationId,
    project_id: projectId,
    account_id: accountId,
    title: 'Said',
    status: 'active',
    target_kind: 'server',
    target_id: serverId,
  })}`;
  await sql`insert into chat_turns ${sql({
    id: unique('ctn_'),
    organization_id: organizationId,
    session_id: id,
    ordinal: 0,
    lane: 0,
    message_id: 'one',
    status: 'completed',
    text: 'Hello',
    model_id: 'proofmark/lexical-1',
  })}`;
  return id;
}

export const chatReferences: Readonly<Record<string, Reference>> = {
  'createChatSession environmentId': {
    id: (_service, tenant) => tenant.environmentId,
    body: (_service, _mine, environmentId) => ({ environmentId }),
  },
  'createChatSession clientId': {
    id: (_service, tenant) => tenant.client,
    body: (_service, _mine, clientId) => ({ clientId }),
  },
  'createChatSession serverId': {
    id: (_service, tenant) => tenant.serverId,
    body: (_service, _mine, serverId) => ({ serverId }),
  },
  'createEvalCaseFromChat suiteId': {
    id: (_service, tenant) => tenant.suiteId,
    body: (_service, _mine, suiteId) => ({ suiteId }),
    values: async (service, mine) => ({ chatSessionId: await chat(service, mine) }),
  },
};
