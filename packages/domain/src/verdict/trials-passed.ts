/**
 * The number of passed trials for lists of runs, out of all trials, including ungraded ones. A
 * count that was not recorded is not shown as zero.
 */
import { grouped } from '../words/sentence.ts';
import { terminalRunStatuses } from './verdict-source.ts';

export function trialsPassed(run: {
  readonly status: string;
  readonly passed?: number | null | undefined;
  readonly total?: number | null | undefined;
}): string {
  const { status, passed = null, total = null } = run;
  if (!(terminalRunStatuses as readonly string[]).includes(status)) return 'not over yet';
  return passed === null || total === null ? '' : `${grouped(passed)} of ${grouped(total)}`;
}
