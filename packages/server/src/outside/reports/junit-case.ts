// One <testcase> of JUnit XML. Only its direct children decide its result: <failure> or <error> is
// a failure, and <skipped> is no result. Elements about earlier tries (<flakyFailure>, <rerunError>
// and similar) are ignored, so a retried test that finally passed is one passed test.
import { stripVTControlCharacters } from 'node:util';
import type { JunitSuite } from './junit-suite.ts';
import { reportLimits } from './report.ts';
import type { Outcome } from './report-builder.ts';

export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly suiteName: string;
  /**
   * The names of all suites around the test case, joined; undefined unless node --test wrote the
   * file.
   */
  readonly suitePath: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failures: Failure[];
  skipped: boolean;
  skipReason: string;
  /** True for a test marked as todo; node --test lists its failure and does not count it. */
  todo: boolean;
  output: string;
}

export interface Failure {
  message: string;
  text: string;
}

// The maximum number of failures shown for a test. A test usually has one failure, or a few more
// from its hooks.
const listedFailures = 20;
const outputLength = 2000;

export function openCase(
  attributes: Record<string, string>,
  suite: JunitSuite | undefined,
): JunitCase {
  return {
    name: attributes.name ?? '',
    className: attributes.classname ?? '',
    suiteName: suite?.name ?? '',
    suitePath: suite ? suite.path : '',
    attributes,
    failures: [],
    skipped: false,
    skipReason: '',
    todo: false,
    output: '',
  };
}

export function addFailure(test: JunitCase, failure: Failure): void {
  if (test.failures.length < listedFailures) test.failures.push(failure);
}

export function addOutput(test: JunitCase, text: string): void {
  test.output = (test.output + text.slice(-outputLength)).slice(-outputLength);
}

export function addText(failure: Failure, text: string): void {
  if (failure.text.length >= reportLimits.errorLength) return;
  failure.text += text.slice(0, reportLimits.errorLength);
}

export function outcomeOf({ attributes, failures, skipped, todo }: JunitCase): Outcome {
  if (todo) return 'skipped';
  if (failures.length > 0 || /^(fail|failed|failure|error)$/i.test(attributes.status ?? '')) {
    return 'failed';
  }
  return skipped || neverRan(attributes) ? 'skipped' : 'passed';
}

// Returns whether the test never ran, which GoogleTest and CTest state only in an attribute.
function neverRan({ status, result }: Readonly<Record<string, string>>): boolean {
  return (
    /^(notrun|skipped|disabled|pending)$/i.test(status ?? '') ||
    /^(skipped|suppressed)$/i.test(result ?? '')
  );
}

/**
 * Returns the text of the failures. CTest, and Cucumber for undefined steps, write that text only
 * into the output; then the output is returned.
 */
export function describeFailures({ failures, output }: JunitCase): string {
  return failures.map(describeFailure).join('\n').trim() || output;
}

/**
 * Returns a failure with its message, or else with its type. The types "failure" and "error" carry
 * no information, so they are dropped.
 */
export function openFailure({ message, type = '' }: Record<string, string>): Failure {
  return { message: message ?? (/^(?:failure|error)$/.test(type) ? '' : type), text: '' };
}

/**
 * Joins the message and the text of a failure. If the text already contains the message (ignoring
 * line breaks and colours), only the text is returned.
 */
export function describeFailure({ message, text }: Failure): string {
  const body = text.trim();
  if (body === '') return message;
  return plain(body).includes(plain(message)) ? body : `${message}\n${body}`;
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, '');
}

// Returns the duration in milliseconds; JUnit XML states seconds. Surefire writes `1,234.5` for
// 1234.5. A comma without a decimal point is ambiguous and gives no valid number.
export function durationOf({ attributes: { time } }: JunitCase): number | undefined {
  if (time === undefined || time.trim() === '') return undefined;
  const isGrouped = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(time);
  return Number(isGrouped ? time.replaceAll(',', '') : time) * 1000;
}
