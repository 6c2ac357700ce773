import { syncOperatorServers } from '../../server/src/features/servers/store/operator-servers.ts';
import { unique } from './reporter.ts';
import { call, type TestAnswer, type TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export interface DiagnosedServer {
  readonly id: string;
  /**
   * Calls an operation on this server, such as `ask('tools/call', { toolName: 'echo' })` (default
   * body: `{}`).
   */
  ask(operation: string, body?: object): Promise<TestAnswer>;
}

export async function saveServer(
  service: TestService,
  tenant: Tenant,
  fields: Readonly<Record<string, unknown>>,
): Promise<DiagnosedServer> {
  const saved = await call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Server'), enabled: true, transportType: 'http', ...fields },
  });
  if (saved.status !== 201) throw new Error(`The server was not saved: ${saved.text}`);
  return diagnosed(service, tenant, saved.body.id);
}

/**
 * Saves the stdio server only in the database. The test must configure its start command in the
 * service.
 */
export async function saveStdioServer(
  service: TestService,
  tenant: Tenant,
): Promise<DiagnosedServer> {
  const { projectId, organizationId } = tenant;
  const placed = { name: unique('Local'), projectId, organizationId };
  const { ids } = await syncOperatorServers(service.owner, [placed]);
  return diagnosed(service, tenant, ids.get(placed) as string);
}

export function diagnosed(service: TestService, tenant: Tenant, id: string): DiagnosedServer {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers/${id}`;
  return {
    id,
    ask: (operation, body = {}) =>
      call(`${url}/${operation}`, { method: 'POST', key: tenant.key, body }),
  };
}
