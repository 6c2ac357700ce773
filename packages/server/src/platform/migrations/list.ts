import { baseLine } from './0001-base-line.ts';
import { sampleAndScale } from './0002-sample-and-scale.ts';
import { gradedResults } from './0003-graded-results.ts';
import { quarantine } from './0004-quarantine.ts';
import { gradedRuns } from './0005-graded-runs.ts';
import { scheduleCalendars } from './0006-schedule-calendars.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/**
 * All migrations in order. A released migration is never edited; a change needs a further
 * migration.
 */
export const migrations: readonly Migration[] = [
  { name: 'base-line', sql: baseLine },
  { name: 'sample-and-scale', sql: sampleAndScale },
  { name: 'graded-results', sql: gradedResults },
  { name: 'quarantine', sql: quarantine },
  { name: 'graded-runs', sql: gradedRuns },
  { name: 'schedule-calendars', sql: scheduleCalendars },
];
