import { describe, expect, it } from 'vitest';
import { reportLimits } from './report.ts';
import { ReportBuilder } from './report-builder.ts';

// White space at the start of the reason is removed only after the reason was cut, so the result is
// shorter than the limit.
const long = `  ${'x'.repeat(reportLimits.errorLength + 1)}`;

describe('a reason that was cut is not added to', () => {
  it('of a test', () => {
    const builder = new ReportBuilder();
    const test = builder.addTest('t', 'failed', undefined, 'first');
    builder.addFailure(test, long);
    const full = test.error;
    expect(full?.endsWith('x…')).toBe(true);
    let looks = 0;
    Object.defineProperty(test, 'error', {
      get: () => {
        looks += 1;
        return full;
      },
    });
    for (let round = 0; round < 100; round += 1) builder.addFailure(test, 'more');
    expect(looks).toBe(0);
  });

  it('of an error', () => {
    const builder = new ReportBuilder();
    builder.addError('place', long);
    builder.addError('place', 'more');
    const full = builder.finish().errors[0]?.message;
    expect(full).toMatch(/^x+…$/);
    builder.addError('place', 'still more');
    expect(builder.finish().errors).toEqual([{ place: 'place', message: full }]);
  });
});

it('a reason is added to where it says something', () => {
  const builder = new ReportBuilder();
  const test = builder.addTest('t', 'failed', undefined, '');
  for (const error of ['', 'first', ' \n', '\u001b[31m\u001b[39m', ' second']) {
    builder.addFailure(test, error);
    builder.addError('place', error);
  }
  expect(test.error).toBe('first\nsecond');
  expect(builder.finish().errors).toEqual([{ place: 'place', message: 'first\nsecond' }]);
});
