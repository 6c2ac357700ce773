// Collects the tests of a report in the order they stand in, within the limits of a report. Text of
// the report is cut to its limit and made storable: no U+0000 and no half of a surrogate pair.
import { type Report, type ReportedTest, ReportProblem, reportLimits } from './report.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

export class ReportBuilder {
  readonly #tests: ReportedTest[] = [];
  readonly #errors: string[] = [];
  #errorCount = 0;

  addTest(title: string, outcome: Outcome, durationMs?: number, error?: string): ReportedTest {
    if (this.#tests.length === reportLimits.tests) {
      const limit = reportLimits.tests.toLocaleString('en');
      throw new ReportProblem(`The report holds more than ${limit} tests; send it in parts.`);
    }
    const caseTitle = storable(title, reportLimits.titleLength).trim() || 'unnamed test';
    const test: ReportedTest = {
      externalIterationId: externalId(caseTitle, this.#tests.length),
      caseTitle,
      status: outcome === 'skipped' ? 'skipped' : 'completed',
      ...(outcome === 'skipped' ? {} : { passed: outcome === 'passed' }),
      ...durationOf(durationMs),
      ...(outcome === 'failed' && error?.trim() ? { error: errorText(error) } : {}),
    };
    this.#tests.push(test);
    return test;
  }

  /** A second verdict on a test that is already here: it failed too, and keeps its place. */
  addFailure(test: ReportedTest, error: string): void {
    test.status = 'completed';
    test.passed = false;
    test.error = errorText(test.error === undefined ? error : `${test.error}\n${error}`);
  }

  addError(where: string, what: string): void {
    this.#errorCount += 1;
    if (this.#errors.length === reportLimits.errors) return;
    this.#errors.push(errorText([where.trim(), what.trim()].filter((part) => part).join(': ')));
  }

  finish(): Report {
    const first = this.#errors[0];
    if (this.#tests.length === 0) {
      throw new ReportProblem(
        first === undefined
          ? 'The report holds no test; check that the runner found some.'
          : `The report holds no test, only errors; the first is: ${cut(first.split('\n')[0] ?? '', 300)}`,
      );
    }
    const unlisted = this.#errorCount - this.#errors.length;
    const errors =
      unlisted === 0 ? this.#errors : [...this.#errors, `${unlisted} more errors are not listed.`];
    return { tests: this.#tests, errors };
  }
}

function durationOf(durationMs: number | undefined): { durationMs?: number } {
  if (durationMs === undefined || !Number.isFinite(durationMs) || durationMs < 0) return {};
  const whole = Math.round(durationMs);
  return Number.isSafeInteger(whole) ? { durationMs: whole } : {};
}

// The index keeps ids apart, so a long title may be cut; the same file always gives the same ids.
function externalId(title: string, index: number): string {
  return `${title.slice(0, 200).replaceAll(/[^a-zA-Z0-9_.:-]/g, '_')}-${index}`;
}

function errorText(text: string): string {
  return storable(text, reportLimits.errorLength).trim();
}

function storable(text: string, maximum: number): string {
  return cut(text, maximum).replaceAll('\u0000', '\ufffd').toWellFormed();
}

function cut(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${text.slice(0, maximum - 1)}…`;
}
