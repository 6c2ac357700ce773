import type { OutputOf } from '@proofmark/contract';
import { withCheck } from '@proofmark/domain';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSample } from '../../features/evals/store/sample.ts';
import { createModelGateway } from '../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { claimInstallation } from '../../platform/database/installation.ts';
import { type StartedSample, startSample } from './start-sample.ts';

type Mutation = OutputOf<'getEvalSuiteMutation'>;

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
  sample = await startSample(service.owner, { widgets: false });
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

/** Returns the mutants as `operator tool path`, in alphabetical order. */
function listed({ mutants }: Mutation, outcome: string): string[] {
  return mutants
    .filter((one) => one.outcome === outcome)
    .map(({ operator, toolName, path = '' }) => `${operator} ${toolName} ${path}`.trim())
    .sort();
}

test('what it notices is known, mutant by mutant, and the suggestions notice the rest', {
  timeout: 200_000,
}, async () => {
  // A tool that writes is called only if it is named here. The sample's orders call this one.
  const allowWrites = ['order_book'];
  const first = await mutate({ allowWrites });
  expect(first).toMatchObject({ status: 'completed', servers: 'live', seed: 1 });
  expect(first.leftOut.map(({ title }) => title)).toEqual([
    'Says how a gift can be returned',
    'Tells the opening hours on Sunday',
  ]);
  expect(listed(first, 'killed')).toEqual(killed);
  expect(listed(first, 'survived')).toEqual(survivors);
  expect(listed(first, 'equivalent')).toEqual(equivalent);
  expect(first.mutants).toHaveLength(killed.length + survivors.length + equivalent.length);
  expect(first.mutants.slice(0, survivors.length).every(isSurvivor)).toBe(true);
  const [paid] = await service.owner.sql`
    select bool_and(kind = 'trial_step' and priced and credits = 0) as is_free from ledger
    where ref = ${first.mutationId}`;
  expect(paid).toEqual({ isFree: true });
  for (const { suggestion } of first.mutants.filter(isSurvivor)) {
    if (suggestion === undefined) throw new Error('A survivor without a suggestion.');
    const url = `${suite}/cases/${suggestion.caseId}`;
    const { body: one } = await call(url, { key });
    const checks = withCheck(one.checks, suggestion.assertion);
    if (checks === undefined) continue;
    const saved = await call(url, { method: 'PATCH', key, body: { checks } });
    expect(saved.status, saved.text).toBe(200);
  }
  const second = await mutate({ allowWrites });
  expect(listed(second, 'survived')).toEqual([]);
  expect(second.leftOut).toEqual(first.leftOut);
  expect(listed(second, 'killed')).toEqual([...killed, ...survivors].sort());
  expect(second.score).toMatchObject({ killed: killed.length + survivors.length, value: 1 });
});

function isSurvivor({ outcome }: Mutation['mutants'][number]): boolean {
  return outcome === 'survived';
}

const killed = [
  'descriptions-exchanged get_book /description',
  'descriptions-exchanged get_book /description',
  'descriptions-exchanged order_book /description',
  'descriptions-exchanged order_book /description',
  'descriptions-exchanged search_books /description',
  'descriptions-exchanged search_books /description',
  'empty get_book',
  'empty opening_hours',
  'empty order_book',
  'empty search_books',
  'error get_book',
  'error opening_hours',
  'error order_book',
  'error search_books',
  'field-missing get_book /price',
  'field-missing opening_hours /opens',
  'field-missing order_book /total',
  'number-off-by-one opening_hours',
  'number-off-by-one order_book /total',
  'parameter-renamed get_book /inputSchema/properties/bookId',
  'parameter-renamed opening_hours /inputSchema/properties/day',
  'parameter-renamed order_book /inputSchema/properties/bookId',
  'parameter-renamed order_book /inputSchema/properties/copies',
  'parameter-renamed search_books /inputSchema/properties/query',
  'previous-answer order_book',
  'previous-answer search_books',
  'slow get_book',
  'slow opening_hours',
  'slow order_book',
  'slow search_books',
  'tool-missing get_book',
  'tool-missing opening_hours',
  'tool-missing order_book',
  'tool-missing search_books',
  'truncated get_book',
  'truncated opening_hours',
  'truncated order_book',
];

const survivors = [
  'field-missing get_book /title',
  'field-missing opening_hours /closes',
  'field-missing order_book /orderId',
  'field-missing search_books /0/author',
  'field-missing search_books /0/bookId',
  'number-off-by-one get_book /bookId',
  'number-off-by-one get_book /copies',
  'number-off-by-one search_books /0/copies',
  'number-off-by-one search_books /1/bookId',
  'truncated search_books',
  'wrong-type get_book /bookId',
  'wrong-type get_book /copies',
  'wrong-type opening_hours /closes',
  'wrong-type opening_hours /day',
  'wrong-type order_book /total',
  'wrong-type search_books /1/bookId',
  'wrong-type search_books /1/title',
];

/**
 * Mutants that no case can notice: the lexical model calls the same tools without a description,
 * and no assertion checks the listing.
 */
const equivalent = [
  'description-blank get_book /description',
  'description-blank opening_hours /description',
  'description-blank order_book /description',
  'description-blank search_books /description',
  'descriptions-exchanged opening_hours /description',
  'descriptions-exchanged opening_hours /description',
];
