import type { ScheduleCalendar } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { scheduleWords } from './schedule-words.ts';

const timeZone = 'Europe/Berlin';

test.each<[number | null, ScheduleCalendar | null, string | undefined]>([
  [5, null, 'every 5 minutes'],
  [60, null, 'every hour'],
  [120, null, 'every 2 hours'],
  [1440, null, 'every day'],
  [1500, null, 'every 25 hours'],
  [null, null, undefined],
  [null, { kind: 'daily', time: '06:30', timeZone }, 'every day at 06:30 (Europe/Berlin)'],
  [null, { kind: 'daily', time: '06:30' }, 'every day at 06:30 (UTC)'],
  [
    null,
    { kind: 'daily', time: '06:30', weekdays: ['sun', 'mon'], timeZone },
    'every Monday and Sunday at 06:30 (Europe/Berlin)',
  ],
  [
    null,
    { kind: 'daily', time: '06:30', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] },
    'from Monday to Friday at 06:30 (UTC)',
  ],
  [null, { kind: 'cron', expression: '0 */6 * * *' }, 'by the cron expression 0 */6 * * * (UTC)'],
])('a schedule of %j minutes and %j runs %s', (intervalMinutes, calendar, expected) => {
  expect(scheduleWords({ intervalMinutes, calendar })).toBe(expected);
});
