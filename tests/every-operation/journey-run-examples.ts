import type { ActionOperationId } from '@proofmark/contract';
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Maker } from './example-parts.ts';
import { answeringEnvironment, journeyBody, makeIn } from './swarm-examples.ts';
import { ofWave } from './wave-examples.ts';

const ofJourney: Maker = async (service, tenant) => {
  const environmentIds = [await answeringEnvironment(service, tenant)];
  const body = journeyBody(tenant, { environmentIds });
  return { values: { journeyId: await makeIn(service, tenant, 'journeys', body) } };
};

const ofOpenRun: Maker = async (service, tenant) => {
  const { values } = await ofJourney(service, tenant);
  return { values: { runId: await launch(service, tenant, values?.['journeyId'] ?? '') } };
};

async function launch(service: TestService, tenant: Tenant, journeyId: string): Promise<string> {
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/journeys/${journeyId}/runs`;
  const launched = await call(url, { method: 'POST', key: tenant.key });
  if (launched.status !== 202) throw new Error(`Nothing was launched: ${launched.text}`);
  return launched.body.id;
}

export const journeyRunExamples: Readonly<Partial<Record<ActionOperationId, Maker>>> = {
  listJourneyRuns: () => ({}),
  launchJourneyRun: ofJourney,
  estimateJourneyRun: ofJourney,
  getJourneyRun: ofWave,
  listJourneyRunSessions: ofWave,
  getJourneyRunSessionTrace: ofWave,
  cancelJourneyRun: ofOpenRun,
};
