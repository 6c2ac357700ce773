// One <testsuite> of JUnit XML, while it is open.
import { reportLimits } from './report.ts';

export interface JunitSuite {
  readonly name: string;
  /** Its path: its name after those of the outer suites, if node --test could have written them. */
  readonly path: string | undefined;
  readonly countsFailures: boolean;
  /** True if a failure in it decides nothing: an earlier try, or a todo test. */
  excusesFailures: boolean;
  /** The number of cases, including those of inner suites. */
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

// Other producers write a timestamp. The path has the length limit of titles, since many tests may
// have it in theirs.
function pathOf(
  { name = '', timestamp }: Record<string, string>,
  parent: JunitSuite | undefined,
): string | undefined {
  if (timestamp !== undefined || (parent && parent.path === undefined)) return undefined;
  return (parent?.path ? `${parent.path} > ${name}` : name).slice(0, reportLimits.titleLength);
}
