// Sorts the test cases of JUnit XML, in the order they stand in, into tests and errors of the report. A
// file that counts failures and names none is not taken for green: gotestsum counts packages that did not
// build in its header alone, and node --test counts a test that threw behind its subtests in a comment alone.
import {
  describeFailure,
  describeFailures,
  durationOf,
  type Failure,
  type JunitCase,
  openCase,
  outcomeOf,
} from './junit-case.ts';
import { namesWholeSuite, placeOfLoadError } from './junit-load-error.ts';
import { isSubtest, titleOf } from './junit-title.ts';
import type { Report, ReportedTest } from './report.ts';
import { ReportBuilder } from './report-builder.ts';

export class JunitVerdicts {
  readonly #builder = new ReportBuilder();
  readonly #failed = new Map<string, ReportedTest>();
  readonly #suites: { name: string; cases: number }[] = [];
  /** The only case of its suite so far, which names the suite itself. */
  #wholeSuite: JunitCase | undefined;
  #countsFailures = false;
  #namesFailures = false;

  openSuite(name: string): void {
    this.#suites.push({ name, cases: 0 });
  }

  closeSuite(): void {
    this.#settleWholeSuite('load error');
    this.#suites.pop();
  }

  openCase(attributes: Record<string, string>): JunitCase {
    this.#settleWholeSuite('test');
    for (const suite of this.#suites) suite.cases += 1;
    return openCase(attributes, this.#suites.at(-1)?.name ?? '');
  }

  /** The file says in numbers that something failed. */
  countFailures(): void {
    this.#countsFailures = true;
  }

  /** The file names something that failed, if only on an earlier try. */
  nameFailure(): void {
    this.#namesFailures = true;
  }

  addSuiteFailure(failure: Failure): void {
    this.#builder.addError(this.#suites.at(-1)?.name ?? '', describeFailure(failure));
  }

  addCase(test: JunitCase): void {
    if (outcomeOf(test) === 'failed') {
      this.nameFailure();
      const place = placeOfLoadError(test);
      if (place !== undefined) {
        this.#builder.addError(place, describeFailures(test));
        return;
      }
      if (namesWholeSuite(test) && this.#suites.at(-1)?.cases === 1) {
        this.#wholeSuite = test;
        return;
      }
    }
    this.#addTest(test);
  }

  finish(): Report {
    if (this.#countsFailures && !this.#namesFailures) {
      this.#builder.addError('', 'The file counts failures or errors and names none of them.');
    }
    return this.#builder.finish();
  }

  #settleWholeSuite(as: 'test' | 'load error'): void {
    const test = this.#wholeSuite;
    this.#wholeSuite = undefined;
    if (test === undefined) return;
    if (as === 'test') this.#addTest(test);
    else this.#builder.addError(test.name, describeFailures(test));
  }

  #addTest(test: JunitCase): void {
    const title = titleOf(test);
    const outcome = outcomeOf(test);
    const error = describeFailures(test);
    // Pytest writes a test that failed and then failed to clean up as two cases of one name, and
    // unittest-xml-reporting writes each failing subtest as a case.
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
