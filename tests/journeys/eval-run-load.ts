import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import { type RunLoad, runLoad } from './run-load.ts';
import type { RunSetup, ServerKind, Tenant } from './run-setup.ts';

export const casesPerRun = 3;
export const repetitions = process.env['PROOFMARK_RUN_FAULTS'] === undefined ? 4 : 10;

export async function prepareLoad(setup: RunSetup, tenant: Tenant): Promise<RunLoad> {
  const suites = { good: '', bad: '' };
  for (const kind of ['good', 'bad'] as const) {
    suites[kind] = await createSuite(setup, tenant, { kind, model: 'local/steady' });
  }
  return runLoad({
    launch: (kind, key) => launch(setup, tenant, suites[kind], key),
    idOf: ({ runId }) => runId,
    read: (runId) => setup.request(tenant, `eval-runs/${runId}`),
    hasEnded: ({ completedAt }) => completedAt !== null,
  });
}

export function launch(
  setup: RunSetup,
  tenant: Tenant,
  suiteId: string,
  key: string,
  at = setup.service,
): Promise<TestAnswer> {
  return setup.request(
    tenant,
    'eval-runs',
    { suiteId },
    { headers: { 'idempotency-key': key }, at },
  );
}

export async function createSuite(
  setup: RunSetup,
  tenant: Tenant,
  options: { readonly kind: ServerKind; readonly model: string; readonly trials?: object },
): Promise<string> {
  const { kind, model, trials } = options;
  const played = trials === undefined ? { runs: repetitions } : { trials };
  const tests = Array.from({ length: casesPerRun }, (_, index) => {
    const item = `item-${index}`;
    const assertion = { type: 'toolCalledWith', toolName: 'count_stock', args: { args: { item } } };
    return {
      title: `Stock of ${item}`,
      ...played,
      steps: [
        { id: 'ask', kind: 'prompt', prompt: `How many of ${item} are there?` },
        { id: 'called', kind: 'assert', assertion },
      ],
    };
  });
  const name = `${kind} with ${model}`;
  const made = await setup.request(tenant, 'eval-suites', {
    name,
    serverIds: [tenant.servers[kind]],
    model,
    tests,
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.suiteId;
}
