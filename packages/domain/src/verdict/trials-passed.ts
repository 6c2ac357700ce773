/**
 * The number of passed trials of a run, in the words of every list of runs: out of all its trials,
 * including ungraded ones. An unfinished run is marked so, and a count that was not recorded is not
 * zero.
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
