/**
 * Launches runs and writes down each that was acknowledged, at the moment of the acknowledgement. A launch without an
 * answer is sent again with the same key until it is answered.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import type { EvalRunSetup, ServerKind, Tenant } from './eval-run-setup.ts';

export interface AcknowledgedRun {
  readonly runId: string;
  readonly kind: ServerKind;
}

export interface EvalRunLoad {
  readonly acknowledged: readonly AcknowledgedRun[];
  /** Launches that were sent again. */
  readonly retries: number;
  /** Answers that are neither an acknowledgement nor a failure of the service. */
  readonly refused: readonly TestAnswer[];
  launch(): Promise<AcknowledgedRun>;
  /** Of the runs that were acknowledged, those that have not ended. Throws while the service is away. */
  open(): Promise<AcknowledgedRun[]>;
}

export const casesPerRun = 3;
export const repetitions = 10;

export async function prepareLoad(setup: EvalRunSetup, tenant: Tenant): Promise<EvalRunLoad> {
  const suites = { good: '', bad: '' };
  for (const kind of ['good', 'bad'] as const) {
    suites[kind] = await createSuite(setup, tenant, { kind, model: 'local/steady' });
  }
  const acknowledged: AcknowledgedRun[] = [];
  const refused: TestAnswer[] = [];
  const ended = new Set<string>();
  let launched = 0;
  let retries = 0;
  return {
    acknowledged,
    refused,
    get retries() {
      return retries;
    },
    async launch() {
      launched += 1;
      const kind: ServerKind = launched % 3 === 0 ? 'bad' : 'good';
      const key = `launch-${launched}`;
      for (;;) {
        const answer = await launch(setup, tenant, suites[kind], key).catch(() => undefined);
        if (answer?.status === 202) {
          const run = { runId: answer.body.runId as string, kind };
          acknowledged.push(run);
          return run;
        }
        if (answer !== undefined && answer.status < 500) {
          refused.push(answer);
          throw new Error(answer.text);
        }
        retries += 1;
        await after(100);
      }
    },
    async open() {
      const open: AcknowledgedRun[] = [];
      for (const run of acknowledged) {
        if (ended.has(run.runId)) continue;
        const answer = await setup.request(tenant, `eval-runs/${run.runId}`);
        if (answer.status !== 200) throw new Error(answer.text);
        if (answer.body.completedAt === null) open.push(run);
        else ended.add(run.runId);
      }
      return open;
    },
  };
}

export function launch(
  setup: EvalRunSetup,
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
  setup: EvalRunSetup,
  tenant: Tenant,
  { kind, model }: { readonly kind: ServerKind; readonly model: string },
): Promise<string> {
  const tests = Array.from({ length: casesPerRun }, (_, index) => {
    const item = `item-${index}`;
    const assertion = { type: 'toolCalledWith', toolName: 'count_stock', args: { args: { item } } };
    return {
      title: `Stock of ${item}`,
      runs: repetitions,
      steps: [
        { id: 'ask', kind: 'prompt', prompt: `How many of ${item} are there?` },
        { id: 'called', kind: 'assert', assertion },
      ],
    };
  });
  const name = `${kind} with ${model}`;
  const made = await setup.request(tenant, 'eval-suites', {
    ...{ name, serverIds: [tenant.servers[kind]], model, tests },
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.suiteId;
}
