import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCommonBatch } from './is-common-batch.ts';
import { EvalIngestIterationsRequest } from './shapes.ts';

const full = {
  caseTitle: 'weather',
  passed: false,
  query: 'q',
  durationMs: 1.5,
  provider: 'p',
  model: 'm',
  expectedToolCalls: [{ toolName: 'a' }],
  actualToolCalls: [],
  tokens: { input: 1, output: 2, total: 3 },
  error: 'e',
  trace: { messages: [] },
  externalIterationId: 'r-1',
  externalCaseId: 'c',
  caseId: 'c',
  metadata: { any: 1 },
  isNegativeTest: false,
  expectedOutput: 'o',
  advancedConfig: {},
  matchOptions: {},
};

test('the batches reporters send are common ones', () => {
  const results = [full, { caseTitle: 'a', passed: true }, { ...full, trace: [1] }];
  expect(isCommonBatch({ runId: 'run_1', results })).toBe(true);
});

const odd = fc.oneof(
  ...[fc.constant(null), fc.constant(undefined), fc.boolean(), fc.constant(''), fc.constant(' ')],
  ...[fc.string(), fc.integer(), fc.double(), fc.array(fc.anything()), fc.object()],
  fc.constantFrom(
    'x'.repeat(129),
    'x'.repeat(201),
    'x'.repeat(257),
    'x'.repeat(1001),
    -1,
    Number.NaN,
  ),
  fc.constantFrom([null], [[]], ['a'], { input: -1 }, { total: '1' }, { output: Number.NaN }),
);
const fields = [...Object.keys(full), 'status', 'evaluatorError', 'startedAt', 'unknown'];

test('whatever stands in a field: what is called common, the schema takes', () => {
  let common = 0;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...fields), odd, { maxKeys: 3 }), (changes) => {
      const body = { runId: 'run_1', results: [full, { ...full, ...changes }] };
      if (!isCommonBatch(body)) return;
      common += 1;
      expect(EvalIngestIterationsRequest.safeParse(body).error).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
  expect(common).toBeGreaterThan(100);
});

test.each([
  ['no run', { results: [full] }],
  ['an empty run', { runId: '', results: [full] }],
  ['a long run', { runId: 'x'.repeat(129), results: [full] }],
  ['no results', { runId: 'r' }],
  ['empty results', { runId: 'r', results: [] }],
  ['too many results', { runId: 'r', results: Array(10_001).fill(full) }],
  ['a host configuration', { runId: 'r', results: [full], hostConfig: {} }],
  ['a list', [full]],
  ['nothing', null],
])('a body with %s is left to the schema', (_title, body) => {
  expect(isCommonBatch(body)).toBe(false);
  expect(EvalIngestIterationsRequest.safeParse(body).success).toBe(false);
});
