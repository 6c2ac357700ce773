import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchTrials, type TrialContent } from './trial-content.ts';

const identity = { declaredId: null, caseKey: 'content:1', contentHash: '1' };
const knownCase = { ...identity, id: 'cas_1' };
const trial = (value: unknown): TrialContent => ({
  externalId: undefined,
  declaredCaseId: undefined,
  title: 'a',
  status: 'completed',
  result: 'passed',
  evaluatorError: false,
  model: undefined,
  provider: undefined,
  startedAtMs: undefined,
  durationMs: 1,
  usage: undefined,
  expectedToolCalls: [],
  actualToolCalls: [],
  error: undefined,
  scores: undefined,
  evaluationConfig: undefined,
  scoreIntegrity: undefined,
  trace: undefined,
  details: value,
});
const reported = (value: unknown) => ({
  content: trial(value),
  identity,
  reportedChain: undefined,
});
const kept = (value: unknown) => ({ content: trial(value), chain: {}, knownCase });

test('in any order and as often as they came, the same trials are all found, and one that changed is not', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1 }), (values) => {
      const isReported = matchTrials(values.map(reported));
      const stored = JSON.parse(JSON.stringify(values)).reverse().map(kept);
      expect(stored.every(isReported)).toBe(true);
      // Each reported trial matches only once, so a second search finds none.
      expect(stored.some(isReported)).toBe(false);
      const another = matchTrials([...values.slice(1), { changed: values[0] }].map(reported));
      expect(stored.every(another)).toBe(false);
    }),
  );
});

test('a document that is deeper than can be followed is not the same as anything', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(matchTrials([reported(deep)])(kept(deep))).toBe(false);
});

test.each([
  ['the chain it was reported with', { reportedChain: { stageResults: [1] } }, false],
  ['no chain', {}, true],
  ['another case', { identity: { ...identity, caseKey: 'external:x' } }, false],
])('a trial with %s', (_title, changes, isSame) => {
  expect(matchTrials([{ ...reported(1), ...changes }])(kept(1))).toBe(isSame);
});
