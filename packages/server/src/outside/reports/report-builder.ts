// Collects the tests of a report in order, within the limits of a report. Each text is cut to its
// limit and made storable by removing colours, U+0000 and unpaired surrogates.
import { stripVTControlCharacters } from 'node:util';
import {
  type Report,
  type ReportedError,
  type ReportedTest,
  ReportProblem,
  reportLimits,
} from './report.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

export class ReportBuilder {
  readonly #tests: ReportedTest[] = [];
  readonly #errors: ReportedError[] = [];
  /** Tests and errors whose reason was already cut. Nothing more is appended to such a reason. */
  readonly #full = new WeakSet<ReportedTest | ReportedError>();
  #errorCount = 0;

  addTest(title: string, outcome: Outcome, durationMs?: number, error?: string): ReportedTest {
    if (this.#tests.length === reportLimits.tests) {
      const limit = reportLimits.tests.toLocaleString('en');
      throw new ReportProblem(`The report holds more than ${limit} tests; send it in parts.`);
    }
    const caseTitle = titleText(title) || 'unnamed test';
    const test: ReportedTest = {
      externalIterationId: externalId(caseTitle, this.#tests.length),
      caseTitle,
      status: outcome === 'skipped' ? 'skipped' : 'completed',
      ...(outcome === 'skipped' ? {} : { passed: outcome === 'passed' }),
      ...durationOf(durationMs),
    };
    if (outcome === 'failed' && error !== undefined) this.addFailure(test, error);
    this.#tests.push(test);
    return test;
  }

  addFailure(test: ReportedTest, error: string): void {
    test.status = 'completed';
    test.passed = false;
    if (this.#full.has(test)) return;
    const reason = this.#join(test, test.error ?? '', error);
    if (reason !== '') test.error = reason;
  }

  /**
   * Adds an error. All errors of one file or class become one, since jest-junit lists a file that
   * failed to run twice.
   */
  addError(where: string, what: string): void {
    const place = titleText(where);
    const known = this.#errors.find((error) => place !== '' && error.place === place);
    if (known) {
      if (!this.#full.has(known)) known.message = this.#join(known, known.message, what);
      return;
    }
    this.#errorCount += 1;
    if (this.#errors.length === reportLimits.errors) return;
    const error = { place, message: '' };
    error.message = this.#join(error, '', what);
    this.#errors.push(error);
  }

  /** Appends text to a reason. Empty text adds nothing, not even a line break. */
  #join(of: ReportedTest | ReportedError, reason: string, more: string): string {
    const addition = stripVTControlCharacters(more).trim();
    if (addition === '') return reason;
    const joined = reason === '' ? addition : `${reason}\n${addition}`;
    if (joined.length > reportLimits.errorLength) this.#full.add(of);
    return storable(joined, reportLimits.errorLength);
  }

  get isGreen(): boolean {
    return (
      this.#tests.length > 0 &&
      this.#errors.length === 0 &&
      this.#tests.every(({ passed }) => passed !== false)
    );
  }

  /** A report with errors but no tests is valid: the tests could not run. */
  finish(): Report {
    if (this.#tests.length === 0 && this.#errors.length === 0) {
      throw new ReportProblem('The report contains no tests; check that the runner found some.');
    }
    const unlisted = this.#errorCount - this.#errors.length;
    if (unlisted > 0) {
      this.#errors.push({ place: '', message: `${unlisted} more errors are not listed.` });
    }
    return { tests: this.#tests, errors: this.#errors };
  }
}

function durationOf(durationMs: number | undefined): { durationMs?: number } {
  if (durationMs === undefined || !Number.isFinite(durationMs) || durationMs < 0) return {};
  const whole = Math.round(durationMs);
  return Number.isSafeInteger(whole) ? { durationMs: whole } : {};
}

// Returns an id for a test. Its index makes the id unique even if the title is cut, and the same
// file always gives the same ids.
function externalId(title: string, index: number): string {
  return `${title.slice(0, 200).replaceAll(/[^a-zA-Z0-9_.:-]/g, '_')}-${index}`;
}

function titleText(text: string): string {
  return storable(stripVTControlCharacters(text), reportLimits.titleLength).trim();
}

function storable(plain: string, maximum: number): string {
  return cut(plain, maximum).replaceAll('\u0000', '\ufffd').toWellFormed();
}

function cut(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${text.slice(0, maximum - 1)}…`;
}
