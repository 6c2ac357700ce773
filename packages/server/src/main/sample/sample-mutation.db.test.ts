/** What the suite of the sample notices, and that the suggested assertions notice what it does not. */
import type { EvalMutation } from '@proofmark/contract';
import { withCheck } from '@proofmark/domain';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { createModelGateway } from '../../model/create-model-gateway.ts';
import type { ModelGateway } from '../../model/model-gateway.ts';
import { claimInstallation } from '../../storage/database/installation.ts';
import { readSample } from '../../storage/eval-suites/sample.ts';
import { type StartedSample, startSample } from './start-sample.ts';

type Mutation = z.infer<typeof EvalMutation>;

let service: TestService;
let models: ModelGateway;
let worker: TestWorker;
let sample: StartedSample;
let suite: string;
let key: string;

beforeAll(async () => {
  models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
  service = await startTestService({ models });
  await claimInstallation(service.owner);
  const made = await service.operator.bootstrap({ email: 'owner@m.example', organization: 'M' });
  key = made.apiKey;
  sample = await startSample(service.owner);
  const seeded = await readSample(service.owner);
  suite = `${service.baseUrl}/api/v1/projects/${seeded?.projectId}/eval-suites/${seeded?.suiteId}`;
  worker = await startTestWorker(service, models);
});
afterAll(async () => {
  await worker.stop();
  await sample.stop();
  await models.close();
  await service.stop();
});

async function mutate(body: object): Promise<Mutation> {
  const begun = await call(`${suite}/mutations`, { method: 'POST', key, body });
  expect(begun.status, begun.text).toBe(202);
  const url = `${suite}/mutations/${begun.body.mutationId}`;
  return vi.waitUntil(
    async () => {
      const { body: read } = await call(url, { key });
      return ['pending', 'running'].includes(read.status) ? undefined : (read as Mutation);
    },
    { timeout: 120_000, interval: 100 },
  ) as Promise<Mutation>;
}

const told = ({ mutants }: Mutation, outcome: string) =>
  mutants.filter((one) => one.outcome === outcome).map(({ words }) => words);

test('all of it', async () => {
  const first = await mutate({ maxMutants: 500 });
  console.log(JSON.stringify(first, null, 1));
  console.log(
    JSON.stringify(
      {
        s: told(first, 'survived'),
        k: told(first, 'killed'),
        e: told(first, 'equivalent'),
        u: told(first, 'undecided'),
      },
      null,
      1,
    ),
  );
  void withCheck;
}, 200_000);
