// Producers write a file, class or package that could not be loaded as a failing test case, because
// JUnit XML has no other place for it. No test ran there, so it is an error of the report and no
// verdict on a case. Only these marks identify it; every other failing test case is a failed test,
// even if its name and its class are equal, as jest-junit, mocha-junit-reporter and CTest write
// them.
import { describeFailure, type JunitCase } from './junit-case.ts';
import { titleOf } from './junit-title.ts';

/** Returns the place of the load error if the failing case has such a mark. */
export function fileOfLoadError(test: JunitCase): string | undefined {
  const { name, className, suiteName } = test;
  // Surefire 3 for a class, bats for a file.
  if (name.trim() === '') return className.trim() === '' ? suiteName : className;
  if (isJestMark(test) || isUnittestMark(test)) return name;
  return loadErrorNames.has(name) || isPytestMark(test) ? titleOf(test) : undefined;
}

/**
 * Returns whether the case names a whole file or class instead of a test, as in Vitest and Surefire
 * 2: name, class and suite are the same path-like word. It is a load error only if its suite has no
 * other case.
 */
export function namesWholeSuite({ name, className, suiteName }: JunitCase): boolean {
  return name === className && name === suiteName && isPathLike(name);
}

function isPathLike(name: string): boolean {
  return /[./\\]/.test(name) && !/\s/.test(name);
}

/**
 * Returns the reason why a test of CTest could not start: no program, no fixture, no folder. CTest
 * calls such a test failed and writes it as skipped; its two real ways to skip a test have names.
 * GoogleTest writes the same status, with a result.
 */
export function reasonNotStarted({
  attributes,
  skipReason,
  output,
}: JunitCase): string | undefined {
  const isOfCtest = attributes.status === 'notrun' && attributes.result === undefined;
  if (!isOfCtest || skipReason === '') return undefined;
  if (/^(?:SKIP_RETURN_CODE=|SKIP_REGULAR_EXPRESSION|Disabled$)/.test(skipReason)) return undefined;
  return describeFailure({ message: skipReason, text: output });
}

const loadErrorNames = new Set([
  // JUnit 4, also through Gradle and Surefire.
  'initializationError',
  // Converters of the output of `go test`.
  '[build failed]',
  '[setup failed]',
  'bats-gather-tests',
]);

const jestMark = 'Test suite failed to run';

function isJestMark({ className, failures }: JunitCase): boolean {
  return (
    className === jestMark ||
    failures.some(({ message, text }) =>
      [message, text].some((part) => part.trimStart().startsWith(`● ${jestMark}`)),
    )
  );
}

// A module that could not be imported, and a class or module whose set-up failed;
// unittest-xml-reporting leaves the class of the latter empty and names it in the suite, followed
// by the time.
function isUnittestMark({ className, suiteName }: JunitCase): boolean {
  const mark = /^unittest\.(?:loader\._FailedTest|suite\._ErrorHolder)(?:-\d+)?$/;
  return mark.test(className) || mark.test(suiteName);
}

function isPytestMark({ name, className, failures }: JunitCase): boolean {
  return failures.some(
    ({ message }) =>
      message === 'collection failure' ||
      (message === 'internal error' && className === 'pytest' && name === 'internal'),
  );
}
