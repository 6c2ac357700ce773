import { createHash } from 'node:crypto';
import {
  type AlikeTrials,
  decideReportedRun,
  type RunTerms,
  resolveTerms,
} from '@proofmark/domain';
import { expect, test } from 'vitest';
import { whyNoVerdict } from './why-no-verdict.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const policyV2 = resolveTerms({});
const legacy: RunTerms = { minimumPassRate: 50 };

function trial(change: Partial<AlikeTrials> = {}): AlikeTrials {
  return {
    caseKey: 'title:rome',
    declaredId: null,
    title: 'Rome',
    model: null,
    provider: null,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    count: 1,
    ...change,
  };
}

function why(trials: readonly AlikeTrials[], terms = policyV2, expected: number | null = null) {
  const end = decideReportedRun(terms, trials, expected, sha256Hex);
  const run = {
    runId: 'run_1',
    status: 'completed',
    result: end.result,
    verdictPolicyVersion: 'policy' in terms ? 2 : null,
    verdictSummary: end.decision,
    integrityError: end.integrityError,
    legacySummary: end.counts,
  };
  return whyNoVerdict(run, end.caseTitles);
}

const broken = { result: null, evaluatorError: true } as const;
const cases = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    trial({ ...broken, caseKey: `title:${at}`, title: `City ${at}` }),
  );

test.each<[string, string | undefined, string | undefined]>([
  ['passed', why([trial()]), undefined],
  ['failed', why([trial({ result: 'failed' })]), undefined],
  ['passed by a percent', why([trial()], legacy), undefined],
  [
    'too few trials, by policy',
    why([trial()], policyV2, 2),
    'Only 1 of the 2 expected iterations were reported.',
  ],
  [
    'too few trials, by a percent',
    why([trial()], legacy, 2),
    'Only 1 of the 2 expected iterations were reported.',
  ],
  [
    'too many trials of a case',
    why([trial({ count: 101, status: 'cancelled', result: null })]),
    'A case can be decided by at most 100 trials, but “Rome” has 101. A simpler verdict was not possible either, because too little was measured.',
  ],
  [
    'skipped tests that a percent depends on',
    why([trial(), trial({ status: 'skipped', result: null, count: 2 })], {
      ...legacy,
      skipped: 'inconclusive',
    }),
    '2 of 3 tests were skipped, and their results would decide whether 50 % pass.',
  ],
  [
    'a grader that broke',
    why([trial(broken), trial({ caseKey: 'title:oslo', title: 'Oslo', count: 2 })]),
    'The grader broke on 1 of 3 attempted trials (33.3 %); at most 10 % are allowed. 1 of 2 case variants had no graded trial. Without a graded trial: “Rome”.',
  ],
])('%s', (_title, sentence, expected) => {
  expect(sentence).toBe(expected);
});

test('of many cases only some are named, and none by a key of ours', () => {
  const sentence = why(cases(8));
  expect(sentence).toContain('“City 0”');
  expect(sentence).toMatch(/ and 3 more\.$/);
  expect(sentence).not.toContain('k_');
});

test('a run that has not ended owes nothing yet; one that recorded nothing says so', () => {
  expect(whyNoVerdict({ runId: 'run_1', status: 'running' }, null)).toBeUndefined();
  expect(whyNoVerdict({ runId: 'run_1', status: 'timed_out' }, null)).toBe(
    'No verdict: the run stopped before it had a verdict.',
  );
});
