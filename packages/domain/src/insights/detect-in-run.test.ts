import { anyTrials, trialOf } from '@proofmark/harness/any-analyzed-trials.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnalyzedTrial } from './analyzed-trial.ts';
import { detectInRun } from './detect-in-run.ts';
import { observedOf } from './narrator.ts';

function many(count: number, of: (index: number) => Partial<AnalyzedTrial>): AnalyzedTrial[] {
  return Array.from({ length: count }, (_, index) =>
    trialOf({ id: `itr_${index}`, order: index, ...of(index) }),
  );
}

const allRead = ({ length }: readonly unknown[]) => ({ trials: length, byVariant: new Map() });

function found(trials: readonly AnalyzedTrial[]) {
  return detectInRun(trials, allRead(trials)).map(
    ({ detector, subjectId, affected, sliceTotal, metric }) =>
      [detector, subjectId, affected, sliceTotal, metric].filter((one) => one !== undefined),
  );
}

test('a case that fails always fails; one that comes out both ways is flaky besides', () => {
  const failing = many(3, () => ({ verdict: 'failed' }));
  expect(found(failing)).toEqual([['case_fail', 'case.m', 3, 3]]);
  const mixed = many(4, (index) => ({ verdict: index === 2 ? 'failed' : 'passed' }));
  expect(found(mixed)).toEqual([
    ['case_fail', 'case.m', 1, 4],
    ['flaky_case', 'case.m', 1, 4],
  ]);
  expect(found(many(4, () => ({})))).toEqual([]);
});

test('of a run that was not all read, cases are counted over all trials; the rest says that it is not', () => {
  const tools = [{ toolName: 'search', errors: 1, durationsMs: [] }];
  const read = many(3, () => ({ verdict: 'failed', tools }));
  const byVariant = new Map([['case.m', { graded: 40, failed: 4 }]]);
  const [ofTool, ofCase, flaky] = detectInRun(read, { trials: 50, byVariant });
  expect(ofTool).toMatchObject({ detector: 'tool_errors', affected: 3, isOfRead: true });
  expect(ofTool && observedOf(ofTool, 'iterations')).toBe(
    'It failed in 3 of 3 trials that called it, in 3 calls. Not all trials were read; the counts cover those that were, the failed ones first.',
  );
  expect(ofCase).toMatchObject({ detector: 'case_fail', affected: 4, sliceTotal: 40 });
  expect(ofCase?.severityScore).toBe(0.1);
  expect(ofCase && observedOf(ofCase, 'iterations')).toBe('4 of 40 graded trials failed.');
  expect(flaky).toMatchObject({ detector: 'flaky_case', affected: 4, sliceTotal: 40 });
  expect([ofCase, flaky].map((one) => one?.isOfRead)).toEqual([undefined, undefined]);
});

test('what was not played to its end stands in no slice, nor does what was not graded in one of graded trials', () => {
  const tools = [{ toolName: 'search', errors: 1, durationsMs: [] }];
  const trials = [
    ...many(2, () => ({ wasPlayed: false, verdict: undefined, tools, notOffered: ['gone'] })),
    ...many(2, (index) => ({ id: `b${index}`, verdict: undefined, tools, notOffered: ['gone'] })),
  ];
  expect(found(trials)).toEqual([['tool_errors', 'search', 2, 2, 2]]);
});

test('a tool is told of from a quarter of the trials that called it', () => {
  const calling = (failing: number) =>
    many(8, (index) => ({
      tools: [
        { toolName: 'search', serverId: 'srv', errors: index < failing ? 2 : 0, durationsMs: [] },
      ],
    }));
  expect(found(calling(2))).toEqual([['tool_errors', 'srv.search', 2, 8, 4]]);
  expect(found(calling(1))).toEqual([]);
});

test('a tool that nobody offered is told of from one trial on', () => {
  const trials = many(4, (index) => ({ notOffered: index === 1 ? ['gone'] : [] }));
  expect(found(trials)).toEqual([['hallucinated_tool', 'gone', 1, 4]]);
});

test('a tool that takes twice as long as the others stands out, with three calls on each side', () => {
  const slow = (calls: number, ms: number) =>
    many(calls + 3, (index) => ({
      tools: [
        index < calls
          ? { toolName: 'slow', errors: 0, durationsMs: [ms] }
          : { toolName: 'quick', errors: 0, durationsMs: [60] },
      ],
    }));
  expect(found(slow(3, 120))).toEqual([['latency_outlier', 'slow', 3, 3, 120]]);
  expect(found(slow(3, 119))).toEqual([]);
  expect(found(slow(2, 120))).toEqual([]);
});

test('calls of a few milliseconds stand out by nothing that a tool does', () => {
  const trials = (ms: number) =>
    many(6, (index) => ({
      tools: [
        index < 3
          ? { toolName: 'slow', errors: 0, durationsMs: [ms] }
          : { toolName: 'quick', errors: 0, durationsMs: [2] },
      ],
    }));
  expect(found(trials(99))).toEqual([]);
  expect(found(trials(100))).toEqual([['latency_outlier', 'slow', 3, 3, 100]]);
});

test('a model that uses twice the tokens of the others stands out by its median', () => {
  const trials = (tokens: readonly number[]) =>
    many(6, (index) => ({
      model: index < 3 ? 'large' : 'small',
      tokensUsed: index < 3 ? (tokens[index] ?? 0) : 10,
    }));
  expect(found(trials([5, 20, 30]))).toEqual([['token_outlier', 'large', 2, 3, 20]]);
  expect(found(trials([5, 19, 300]))).toEqual([]);
});

test('whatever was recorded: no more affected than there are, and the same for any order of the trials', () => {
  fc.assert(
    fc.property(anyTrials, (trials) => {
      const candidates = detectInRun(trials, allRead(trials));
      const played = new Set(trials.filter(({ wasPlayed }) => wasPlayed).map(({ id }) => id));
      for (const { affected, sliceTotal, exemplarIds, contrastIds } of candidates) {
        expect(affected).toBeGreaterThan(0);
        expect(affected).toBeLessThanOrEqual(sliceTotal);
        expect([...exemplarIds, ...contrastIds].every((id) => played.has(id))).toBe(true);
      }
      const labels = new Set(trials.map(({ variantLabel }) => variantLabel));
      if (labels.size > 1) return;
      expect(detectInRun(trials.toReversed(), allRead(trials))).toEqual(candidates);
    }),
  );
});
