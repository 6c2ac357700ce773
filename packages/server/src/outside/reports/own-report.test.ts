import { type DecisionSummary, decideRun, resolvePolicy, summaryOfRun } from '@proofmark/domain';
import { renderJunit } from '@proofmark/report';
import { expect, test } from 'vitest';
import { readReport } from './read-report.ts';

const outcomes = {
  p: { status: 'completed', taskVerdict: 'passed' },
  f: { status: 'completed', taskVerdict: 'failed' },
  s: { status: 'skipped' },
  t: { status: 'timed_out' },
} as const;

function decided(cases: Record<string, string>): DecisionSummary {
  const answer = decideRun({
    policy: resolvePolicy(),
    cases: Object.entries(cases).map(([caseId, letters]) => ({
      caseId,
      configuredTrials: letters.length,
      effectivePassThreshold: 1,
      trials: [...letters].map((letter) => outcomes[letter as keyof typeof outcomes]),
    })),
  });
  if (!('decision' in answer)) throw new Error(answer.integrityError);
  const { decision } = answer;
  const run = { id: 'run_1', projectId: 'prj_1', source: 'api', status: 'completed' };
  const ended = { summary: null, iterationCount: 4, verdictPolicyVersion: 2, result: null };
  return summaryOfRun({ ...run, ...ended, verdictSummary: decision });
}

function readBack(summary: DecisionSummary, titles: Record<string, string>) {
  const junit = renderJunit(summary, { caseTitles: titles, suiteName: 'test', startedAt: 0 });
  const { tests, errors } = readReport(new TextEncoder().encode(junit), 'junit-xml');
  expect(errors).toEqual([]);
  return tests.map(({ caseTitle, status, passed }) => [caseTitle, passed ?? status]);
}

test('cases keep their names and what became of them, however they are called', () => {
  const summary = decided({ a: 'pp', b: 'pf', c: 's', d: 't' });
  const titles = { a: 'Tracks <an> "order" & more', b: 'src/a.test.ts', c: 'Later', d: 'Slow' };
  expect(readBack(summary, titles)).toEqual([
    ['test::Tracks <an> "order" & more (a)', true],
    ['test::src/a.test.ts (b)', false],
    ['test::Later (c)', 'skipped'],
    ['test::Slow (d)', false],
    ['test::the run has a verdict', false],
  ]);
});

test('a run that passed is all green', () => {
  expect(readBack(decided({ a: 'pp', b: 'p' }), {})).toEqual([
    ['test::a', true],
    ['test::b', true],
  ]);
});
