import type { Operation } from '@proofmark/contract';
import { insertSeenWidget } from '@proofmark/harness/seen-widgets.ts';
import type { TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { visitIdsOf } from './visit-read-examples.ts';
import { waveIdsOf } from './wave-examples.ts';

export type TenantOfAll = Tenant &
  Awaited<ReturnType<typeof waveIdsOf>> &
  Awaited<ReturnType<typeof visitIdsOf>> & { readonly pictureId: string };

export async function tenantOfAll(service: TestService, name: string): Promise<TenantOfAll> {
  const tenant = await createTenant(service, name);
  const waves = await waveIdsOf(service, tenant);
  const { pictureId } = await insertSeenWidget(service, tenant);
  return { ...tenant, ...waves, ...(await visitIdsOf(service, tenant)), pictureId };
}

/**
 * Paths use `runId` for runs of suites and of journeys, and `sessionId` for sessions of personas
 * and of visitors.
 */
export function idsFor(row: Operation, tenant: TenantOfAll): Readonly<Record<string, unknown>> {
  if (row.path.includes('/journey-runs/')) return { ...tenant, runId: tenant.journeyRunId };
  if (!row.path.includes('/user-testing/')) return { ...tenant };
  return { ...tenant, sessionId: tenant.visitId, findingId: tenant.scenarioFindingId };
}
