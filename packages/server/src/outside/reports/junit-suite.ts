// One <testsuite> of JUnit XML, while it is open.
import { reportLimits } from './report.ts';

export interface JunitSuite {
  readonly name: string;
  /** Its name behind those of the suites around it, where node --test could have written them. */
  readonly path: string | undefined;
  readonly countsFailures: boolean;
  /** Whether something failed in it that decides nothing: an earlier try, or a test that is to be written. */
  excusesFailures: boolean;
  /** Also those in suites inside it. */
  cases: number;
}

export function openSuite(
  attributes: Record<string, string>,
  parent: JunitSuite | undefined,
): JunitSuite {
  const name = attributes.name ?? '';
  return {
    name,
    path: pathOf(attributes, parent),
    countsFailures: countsFailures(attributes),
    excusesFailures: false,
    cases: 0,
  };
}

export function countsFailures({ failures, errors }: Record<string, string>): boolean {
  return Number(failures) > 0 || Number(errors) > 0;
}

// Other producers say when a suite ran. A title is not longer than this, however many tests have the path in theirs.
function pathOf(
  { name = '', timestamp }: Record<string, string>,
  parent: JunitSuite | undefined,
): string | undefined {
  if (timestamp !== undefined || (parent && parent.path === undefined)) return undefined;
  return (parent?.path ? `${parent.path} > ${name}` : name).slice(0, reportLimits.titleLength);
}
