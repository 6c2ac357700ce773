import { createLauncher } from '@proofmark/harness/launcher.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';

export interface Example {
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * `callerKey` is the key with which the example is later called, for resources that must belong to
 * that caller.
 */
export type Maker = (
  service: TestService,
  tenant: Tenant,
  callerKey?: string,
) => Example | Promise<Example>;

export async function groupBody(service: TestService, tenant: Tenant): Promise<object> {
  const launcher = createLauncher(service, tenant);
  const environmentId = await launcher.environment();
  const suiteId = await launcher.suite({}, { environmentIds: [environmentId] });
  return { suiteId, targets: [{ environmentId }] };
}

export async function launchedGroup(service: TestService, tenant: Tenant): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-run-groups`;
  const body = await groupBody(service, tenant);
  return (await call(url, { method: 'POST', key: tenant.key, body })).body.runGroupId;
}

export function serverBody() {
  return {
    name: unique('Server'),
    enabled: true,
    transportType: 'http',
    url: 'https://mcp.example/mcp',
  };
}

export function quarantineOf(caseId: string) {
  const expiresAt = Date.now() + 86_400_000;
  return { caseId, owner: 'Mika', reason: 'Races with the cache', expiresAt };
}
