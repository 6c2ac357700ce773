import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { rowSuffix } from '../suites/data-rows.ts';
import { declaredCase, declaredTrials } from './declared-trials.ts';
import { resolveReportedTerms } from './run-terms.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

it('what a case with data declares holds for the rows that are reported, and for no other case', () => {
  const data = { key: 'name', rows: [{ name: 'Ada' }] };
  const declared = declaredTrials({ verdictPolicyDefaults: { repetitions: 2 } }, [
    { caseKey: 'declared:rows', definition: { iterations: 5, passThreshold: 0.5, data } },
    { caseKey: 'declared:plain', definition: { iterations: 7 } },
  ]);
  const ofRow = (caseId: string) => `declared:${caseId}${rowSuffix(caseId, 'Ada', sha256Hex)}`;
  expect(declaredCase(declared, ofRow('rows'))).toMatchObject({
    repetitions: 5,
    passThreshold: 0.5,
  });
  expect(declaredCase(declared, ofRow('plain'))).toEqual({ repetitions: 2 });
  expect(declaredCase(declared, 'declared:plain')).toMatchObject({ repetitions: 7 });
  expect(declaredCase(declared, 'declared:rows-else')).toEqual({ repetitions: 2 });
});

it('a plan decides no number of reported trials, but its passing score holds', () => {
  const trials = { healthyRate: 0.95, drop: 0.15 };
  const other = { healthyRate: 0.9, drop: 0.2 };
  const settings = { verdictPolicyDefaults: { trials } };
  const terms = resolveReportedTerms({}, settings);
  expect(terms).toMatchObject({ passThreshold: expect.closeTo(0.8897, 4) });
  const declared = declaredTrials(settings, [
    { caseKey: 'planned', definition: {} },
    { caseKey: 'other', definition: { trials: other } },
    { caseKey: 'fixed', definition: { iterations: 3 } },
    { caseKey: 'scored', definition: { passThreshold: 0.5 } },
  ]);
  expect(declared).toEqual({
    repetitions: 1,
    cases: {
      other: { repetitions: 1, passThreshold: expect.closeTo(0.8138, 4) },
      fixed: { repetitions: 3, passThreshold: 1 },
      scored: { repetitions: 1, passThreshold: 0.5 },
    },
  });
});
