import { reportLimits } from './report.ts';

export interface JunitSuite {
  readonly name: string;
  /**
   * The names of the surrounding suites and this one, joined. Set only if node --test wrote the
   * file.
   */
  readonly path: string | undefined;
  readonly countsFailures: boolean;
  /**
   * True if the suite contains a failure that does not count: one in an earlier try, or in a todo
   * test.
   */
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

// Returns no path for a suite with a timestamp, since node --test writes none. The path is cut to
// the length limit of titles, since the titles of many tests may contain it.
function pathOf(
  { name = '', timestamp }: Record<string, string>,
  parent: JunitSuite | undefined,
): string | undefined {
  if (timestamp !== undefined || (parent && parent.path === undefined)) return undefined;
  return (parent?.path ? `${parent.path} > ${name}` : name).slice(0, reportLimits.titleLength);
}
