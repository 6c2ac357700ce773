// Producers write a file, class or package that could not be loaded as a failing test case, because JUnit
// XML has no other place for it. No test ran there, so it is an error of the report and no verdict on
// a case. Only these marks say so; every other failing test case is a test that failed, also where its
// name and its class are one text, as jest-junit, mocha-junit-reporter and CTest write them.
import { describeFailure, type JunitCase } from './junit-case.ts';
import { titleOf } from './junit-title.ts';

/** Where it happened if the failing case has such a mark. */
export function fileOfLoadError(test: JunitCase): string | undefined {
  const { name, className, suiteName } = test;
  // Surefire 3 for a class, bats for a file
  if (name.trim() === '') return className.trim() === '' ? suiteName : className;
  if (isJestMark(test) || isUnittestMark(test)) return name;
  return loadErrorNames.has(name) || isPytestMark(test) ? titleOf(test) : undefined;
}

/**
 * Whether it names a whole file or class in place of a test, as Vitest and Surefire 2 do: name, class and suite
 * are one word that looks like a path. It is a load error only where its suite holds no other case.
 */
export function namesWholeSuite({ name, className, suiteName }: JunitCase): boolean {
  return name === className && name === suiteName && isPathLike(name);
}

function isPathLike(name: string): boolean {
  return /[./\\]/.test(name) && !/\s/.test(name);
}

/**
 * Why a test could not start, of CTest, which calls such a test failed and writes it as skipped: no program, no
 * fixture, no folder. Its own two ways to skip a test have names. GoogleTest writes the same status and a result.
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
  // JUnit 4, also behind Gradle and Surefire
  'initializationError',
  // Converters of what `go test` prints
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

// A module that could not be imported, and a class or module whose set-up threw; unittest-xml-reporting
// leaves the class of the latter empty and names it in the suite, with the time behind it.
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
