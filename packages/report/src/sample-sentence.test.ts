import { summaryOfRun } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { renderSummary } from './render-summary.ts';

const run = {
  id: 'run_1',
  projectId: 'prj_1',
  source: 'api',
  status: 'completed',
  result: 'passed',
  verdictPolicyVersion: null,
  verdictSummary: null,
  iterationCount: 500,
  summary: { total: 500, passed: 500 },
};
const sample = { title: 'Greets', rows: 500, of: 2000, seed: 7 };

describe('what is said of samples', () => {
  const summaryText = (samples: readonly (typeof sample)[] | undefined) =>
    renderSummary(summaryOfRun({ ...run, samples }), { format: 'text', width: 200 });

  it('stands below the verdict', () => {
    expect(summaryText([sample])).toContain('Sampled: 500 of 2,000 rows, seed 7.');
    expect(summaryText([sample, { ...sample, title: 'Parts', of: 501 }])).toMatch(
      /Sampled: "?Greets"?, 500 of 2,000 rows, seed 7\.[\s\S]*Sampled: "?Parts"?, 500 of 501 rows, seed 7\./,
    );
    expect(summaryText(Array.from({ length: 8 }, () => sample))).toContain(
      'Sampled: 3 more cases.',
    );
  });

  it('is nothing where all rows were played', () => {
    expect(summaryText(undefined)).not.toContain('Sampled');
    expect(summaryOfRun(run)).not.toHaveProperty('samples');
  });
});
