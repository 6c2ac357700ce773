// Recognizes load errors. Producers write a file, class or package that could not be loaded as a
// failing test case. No test ran there, so it is an error of the report, not a failed test. A test
// case is a load error only if it has one of the marks below.
import { describeFailure, type JunitCase } from './junit-case.ts';
import { titleOf } from './junit-title.ts';

/**
 * Returns the file, class or module that could not be loaded; undefined if the failing test case
 * has no mark of a load error.
 */
export function fileOfLoadError(test: JunitCase): string | undefined {
  const { name, className, suiteName } = test;
  // A load error without a name: Surefire 3 writes one for a class, bats for a file.
  if (name.trim() === '') return className.trim() === '' ? suiteName : className;
  if (isJestMark(test) || isUnittestMark(test)) return name;
  return loadErrorNames.has(name) || isPytestMark(test) ? titleOf(test) : undefined;
}

/**
 * Returns whether the test case names a whole file or class instead of a test, as Vitest and
 * Surefire 2 write load errors: its name, class and suite are the same path-like word. The caller
 * must check that the suite has no other test case; otherwise it is no load error.
 */
export function namesWholeSuite({ name, className, suiteName }: JunitCase): boolean {
  return name === className && name === suiteName && isPathLike(name);
}

function isPathLike(name: string): boolean {
  return /[./\\]/.test(name) && !/\s/.test(name);
}

/**
 * Returns why CTest could not start a test: no program, no fixture or no folder. CTest counts such
 * a test as failed but writes it as skipped. Tests that were really skipped have one of two known
 * reasons, and disabled tests have their own. GoogleTest uses the same status, but with a `result`
 * attribute.
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
  // Written by JUnit 4, and also by Gradle and Surefire when they run JUnit 4.
  'initializationError',
  // Written by converters for the output of `go test`.
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

// Returns whether unittest could not import a module, or whether the set-up of a class or module
// failed. For a failed set-up, unittest-xml-reporting leaves the class name empty and puts the
// mark, with the time appended, into the name of the suite.
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
