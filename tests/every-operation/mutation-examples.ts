import { createLauncher, hostedModel } from '@proofmark/harness/launcher.ts';
import { call } from '@proofmark/harness/test-service.ts';
import type { Maker } from './example-parts.ts';

const body = { maxMutants: 1, model: hostedModel };

const ofSuite: Maker = async (service, tenant) => ({
  values: { suiteId: await createLauncher(service, tenant).suite() },
  body,
});

const ofOpenOne: Maker = async (service, tenant) => {
  const suiteId = await createLauncher(service, tenant).suite();
  const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${suiteId}/mutations`;
  const begun = await call(url, { method: 'POST', key: tenant.key, body });
  return { values: { suiteId, mutationId: begun.body.mutationId } };
};

export const mutationExamples = {
  createEvalSuiteMutation: ofSuite,
  listEvalSuiteMutations: () => ({}),
  getEvalSuiteMutation: () => ({}),
  cancelEvalSuiteMutation: ofOpenOne,
} satisfies Readonly<Record<string, Maker>>;
