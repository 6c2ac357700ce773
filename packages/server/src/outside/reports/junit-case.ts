// One <testcase> of JUnit XML. Only what stands directly inside it is its verdict: <failure> or <error> is a
// failure and <skipped> is no result. The elements that tell of earlier tries (<flakyFailure>, <rerunError>
// and their like) decide nothing, so a retried test that passed in the end is one passed test.
import { stripVTControlCharacters } from 'node:util';
import type { JunitSuite } from './junit-suite.ts';
import { reportLimits } from './report.ts';
import type { Outcome } from './report-builder.ts';

export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly suiteName: string;
  /** The names of all suites around it, where node --test could have written them. */
  readonly suitePath: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failures: Failure[];
  skipped: boolean;
  /** The message of what says that it was skipped. */
  skipReason: string;
  /** A test that is to be written; node --test lists its failure and does not count it. */
  todo: boolean;
  /** The end of what it printed. */
  output: string;
}

export interface Failure {
  message: string;
  text: string;
}

// A test has one failure, or a few from its hooks; the first of them are shown.
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

// GoogleTest and CTest say it in an attribute alone.
function neverRan({ status, result }: Readonly<Record<string, string>>): boolean {
  return (
    /^(notrun|skipped|disabled|pending)$/i.test(status ?? '') ||
    /^(skipped|suppressed)$/i.test(result ?? '')
  );
}

/** Why it failed. CTest, and Cucumber for a step nobody wrote, say it nowhere but in what was printed. */
export function describeFailures({ failures, output }: JunitCase): string {
  return failures.map(describeFailure).join('\n').trim() || output;
}

/** What a failure says of itself. The types "failure" and "error" say nothing. */
export function openFailure({ message, type = '' }: Record<string, string>): Failure {
  return { message: message ?? (/^(?:failure|error)$/.test(type) ? '' : type), text: '' };
}

/** The text of a failure often holds its message, broken into lines and coloured in another way. */
export function describeFailure({ message, text }: Failure): string {
  const body = text.trim();
  if (body === '') return message;
  return plain(body).includes(plain(message)) ? body : `${message}\n${body}`;
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, '');
}

// Seconds. Surefire groups thousands with a comma; a comma without a point could mean either thing.
export function durationOf({ attributes: { time } }: JunitCase): number | undefined {
  if (time === undefined || time.trim() === '') return undefined;
  const isGrouped = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(time);
  return Number(isGrouped ? time.replaceAll(',', '') : time) * 1000;
}
