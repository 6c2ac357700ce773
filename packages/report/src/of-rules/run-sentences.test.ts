/**
 * No two sentences about one run contradict each other: the verdict, its figures, what was
 * measured, the heading and the list of the trials, the stage map and the test report count the
 * same cases and trials.
 */
import {
  type DecisionSummary,
  outcomeCounts,
  type ScannedTrial,
  stages,
  wilsonInterval,
} from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainStoppedAt, decidedSummary, trial } from '../example-summaries.ts';
import { outlineSummary } from '../render-summary.ts';
import { measuredOfCase, reportCases } from '../report-cases.ts';
import { stageMapHeading } from '../stage-map-words.ts';
import { briefVerdict, stopsByStage, verdictSentence } from '../verdict-sentence.ts';
import { renderJunit } from '../write-junit.ts';
import { plainSentence } from '../write-text.ts';

const endOf = {
  p: { status: 'completed', result: 'passed' },
  f: { status: 'completed', result: 'failed' },
  t: { status: 'timed_out', result: null },
  e: { status: 'completed', result: null },
  w: { status: 'pending', result: null },
  s: { status: 'setup_failed', result: null },
  c: { status: 'cancelled', result: null },
} as const;

const causeOf = {
  connection: ['connectFailed', 'setup'],
  discovery: ['toolsListFailed', 'setup'],
  selection: ['missingToolCall', 'selection'],
  call: ['argumentMismatch', 'arguments'],
  response: ['toolError', 'serverData'],
  userValue: ['predicateFailed', 'userValue'],
} as const;
const anyStage = fc.constantFrom(...stages, undefined);
const anyLetter = fc.constantFrom(...(['p', 'p', 'p', 'f', 'f', 't', 'e', 'w', 's', 'c'] as const));
const anyTrial = fc.record({ letter: anyLetter, stage: anyStage });
const anyCase = fc.array(anyTrial, { minLength: 1, maxLength: 5 });

interface Run {
  readonly cases: readonly (readonly { readonly letter: string }[])[];
  readonly summary: DecisionSummary;
}

const anyRun: fc.Arbitrary<Run> = fc
  .array(anyCase, { minLength: 1, maxLength: 12 })
  .map((cases) => {
    let number = 0;
    const trials = cases.flatMap((ofCase, index) =>
      ofCase.map(({ letter, stage }): ScannedTrial => {
        number += 1;
        const [reason, category] = causeOf[stage ?? 'call'];
        const broke = stage !== undefined && letter === 'f';
        return trial(number, {
          title: `Case ${index + 1}`,
          caseId: `case_${index + 1}`,
          ...endOf[letter],
          ...(broke ? chainStoppedAt(stage, reason, category) : {}),
        });
      }),
    );
    const summary = decidedSummary(
      cases.map((ofCase) => ofCase.map(({ letter }) => letter).join('')),
      trials,
    );
    return { cases, summary };
  });

const plain = (sentence: Parameters<typeof plainSentence>[0]) => plainSentence(sentence, false);
const numbers = (text: string) =>
  [...text.replaceAll(',', '').matchAll(/\d+(?:\.\d+)?/g)].map(([one]) => Number(one));

function decided({ summary }: Run) {
  if (summary.verdictSource !== 'policyV2') throw new Error('The run has no decision.');
  return summary;
}

test('the verdict, its short form, the cases and the test report count the same cases', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const summary = decided(run);
      const { counts, verdict } = summary;
      const cases = reportCases(summary);
      const amount = (wanted: string) => cases.filter(({ row }) => row.verdict === wanted).length;
      expect(counts).toMatchObject({
        total: run.cases.length,
        passed: amount('passed'),
        failed: amount('failed'),
        inconclusive: amount('inconclusive'),
      });
      const said = plain(verdictSentence(summary));
      expect(said.startsWith(verdict.toUpperCase())).toBe(true);
      const short = plain(briefVerdict(summary).head);
      const told = verdict === 'inconclusive' ? counts.passed + counts.failed : counts[verdict];
      expect(short.startsWith(verdict.toUpperCase())).toBe(true);
      expect(numbers(short)).toEqual([told, counts.total]);
      if (verdict === 'failed') {
        expect(numbers(said).slice(0, 2)).toEqual([counts.failed, counts.total]);
      }
      if (verdict === 'passed') expect(counts.passed).toBe(counts.total);
      const report = renderJunit(summary);
      const [, failures] = /<testsuites[^>]* failures="(\d+)"/.exec(report) ?? [];
      expect(Number(failures)).toBe(counts.failed);
      expect(report.match(/<failure /g)?.length ?? 0).toBe(amount('failed'));
    }),
  );
});

test('what was measured, the rates of the cases and the list of trials count the same trials', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const summary = decided(run);
      const letters = run.cases.flat().map(({ letter }) => letter);
      const passed = letters.filter((letter) => letter === 'p').length;
      const graded = letters.filter((letter) => letter === 'p' || letter === 'f').length;
      const { validity, cases } = summary.decision;
      expect(validity).toMatchObject({ configuredTrials: letters.length, eligibleTrials: graded });
      expect(cases.reduce((sum, row) => sum + row.passedTrials, 0)).toBe(passed);
      const { about, trialsHeading, trials } = outlineSummary(summary, { assertsNothing: 0 });
      const measured = about.map(plain).find((one) => one.includes('everything was measured'));
      const all = about.map(plain).find((one) => one.startsWith('Everything was measured'));
      expect(all !== undefined).toBe(graded === letters.length);
      expect(measured !== undefined).toBe(graded < letters.length);
      if (all !== undefined) expect(numbers(all)).toEqual([graded, letters.length]);
      for (const one of reportCases(summary)) {
        const [held, of] = numbers(measuredOfCase(one));
        expect([held, of]).toEqual([one.row.passedTrials, one.row.eligibleTrials]);
        const interval = wilsonInterval(one.row.passedTrials, one.row.eligibleTrials);
        expect(interval === null).toBe(one.row.eligibleTrials === 0);
      }
      const heading = plain(trialsHeading ?? []);
      expect(heading.startsWith('Every trial passed')).toBe(passed === letters.length);
      if (summary.verdict === 'failed') expect(heading).not.toMatch(/^Every trial passed/);
      if (passed < letters.length) expect(trials.length).toBeGreaterThan(0);
      if (passed === letters.length) expect(trials).toEqual([]);
    }),
  );
});

test('the stages of the verdict are those of the trials, and only a failed run breaks somewhere', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const summary = decided(run);
      const said = plain(verdictSentence(summary));
      const failing = summary.diagnostics.items.filter(({ result }) => result === 'failed');
      const stops = stopsByStage(summary);
      expect([...stops.values()].reduce((sum, one) => sum + one, 0)).toBe(failing.length);
      expect(failing.every(({ chain }) => chain.status !== 'unverified')).toBe(true);
      const named = /; (the only|both|all (\d+)) failing trials? stops? at/.exec(said);
      if (named !== null) {
        expect(stops.size).toBe(1);
        const told = { 'the only': 1, both: 2 }[named[1] ?? ''] ?? Number(named[2]);
        expect(told).toBe(failing.length);
      }
      const variants = outcomeCounts(
        reportCases(summary).map(({ row, trials }, index) => ({
          outcome: trials.some(({ result }) => result === 'failed')
            ? ('failed' as const)
            : row.eligibleTrials === 0
              ? ('notGraded' as const)
              : ('passed' as const),
          stage: null,
          trials: 1,
          first: index,
        })),
      );
      const heading = stageMapHeading(summary.verdict, variants);
      if (heading === 'Where it breaks') {
        expect(summary.verdict).toBe('failed');
        expect(failing.length).toBeGreaterThan(0);
      }
      if (failing.length > 0) expect(heading).not.toBe('Stages');
    }),
  );
});
