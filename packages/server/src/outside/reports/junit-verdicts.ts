// Sorts the test cases of JUnit XML into tests and errors of the report. Some producers count a
// failure without a failing test case: gotestsum for a package that did not build, node --test for
// a test that failed after its subtests. Such a file must not pass. A failed todo test or earlier
// try explains only the counts of its suites.
import {
  describeFailure,
  describeFailures,
  durationOf,
  type Failure,
  type JunitCase,
  openCase,
  outcomeOf,
} from './junit-case.ts';
import { fileOfLoadError, namesWholeSuite, reasonNotStarted } from './junit-load-error.ts';
import { type JunitSuite, openSuite } from './junit-suite.ts';
import { isSubtest, titleOf } from './junit-title.ts';
import type { Report, ReportedTest } from './report.ts';
import { ReportBuilder } from './report-builder.ts';

export class JunitVerdicts {
  readonly #builder = new ReportBuilder();
  readonly #failed = new Map<string, ReportedTest>();
  readonly #suites: JunitSuite[] = [];
  /**
   * The last failing test case, if it has the name of its suite and is the first case there. If no
   * other case of the suite follows, it is a load error.
   */
  #wholeSuite: { test: JunitCase; suite: JunitSuite } | undefined;
  #countsFailures = false;
  #namesFailures = false;

  openSuite(attributes: Record<string, string>): void {
    this.#suites.push(openSuite(attributes, this.#suites.at(-1)));
  }

  closeSuite(): void {
    const suite = this.#suites.pop();
    if (suite && this.#wholeSuite?.suite === suite) this.#settleWholeSuite('load error');
    if (suite?.countsFailures && !suite.excusesFailures) this.countFailures();
  }

  openCase(attributes: Record<string, string>): JunitCase {
    this.#settleWholeSuite('test');
    for (const suite of this.#suites) suite.cases += 1;
    return openCase(attributes, this.#suites.at(-1));
  }

  /**
   * Records that the file counts failures. If no failing test explains the count, the report gets
   * an error.
   */
  countFailures(): void {
    this.#countsFailures = true;
  }

  /**
   * Notes a failure in an earlier try or a todo test, which explains the failure counts of the
   * suites around it.
   */
  excuseFailure(): void {
    for (const suite of this.#suites) suite.excusesFailures = true;
  }

  addSuiteFailure(failure: Failure): void {
    this.#addStopped(this.#suites.at(-1)?.name ?? '', describeFailure(failure));
  }

  addCase(test: JunitCase): void {
    if (outcomeOf(test) === 'failed') {
      this.#addFailed(test);
      return;
    }
    if (test.failures.length > 0) this.excuseFailure();
    const notStarted = reasonNotStarted(test);
    if (notStarted === undefined) this.#addTest(test);
    else this.#addStopped(titleOf(test), notStarted);
  }

  finish(): Report {
    if (this.#countsFailures && !this.#namesFailures) {
      this.#builder.addError('', 'The file counts failures or errors but names none of them.');
    }
    return this.#builder.finish();
  }

  #addFailed(test: JunitCase): void {
    this.#namesFailures = true;
    const file = fileOfLoadError(test);
    const suite = this.#suites.at(-1);
    if (file !== undefined) this.#addStopped(file, describeFailures(test));
    else if (suite?.cases === 1 && namesWholeSuite(test)) this.#wholeSuite = { test, suite };
    else this.#addTest(test);
  }

  #settleWholeSuite(as: 'test' | 'load error'): void {
    const test = this.#wholeSuite?.test;
    this.#wholeSuite = undefined;
    if (test === undefined) return;
    if (as === 'test') this.#addTest(test);
    else this.#addStopped(test.name, describeFailures(test));
  }

  #addStopped(file: string, reason: string): void {
    this.#namesFailures = true;
    this.#builder.addError(file, reason);
  }

  #addTest(test: JunitCase): void {
    const title = titleOf(test);
    const outcome = outcomeOf(test);
    const error = describeFailures(test);
    // Two producers write one failed test as several test cases, which are joined here: pytest, if
    // the clean-up fails after the test did, and unittest-xml-reporting, for each failing subtest.
    const earlier = this.#failed.get(title);
    const isSame = isSubtest(test) || test.failures[0]?.message.startsWith('failed on teardown');
    if (earlier && isSame) {
      this.#builder.addFailure(earlier, error);
      return;
    }
    const added = this.#builder.addTest(title, outcome, durationOf(test), error);
    if (outcome === 'failed') this.#failed.set(title, added);
  }
}
