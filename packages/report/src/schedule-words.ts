/** The times of a schedule in words that continue "runs by itself …". */
import { allOf, count, defaultTimeZone, type SuiteSchedule, weekdays } from '@proofmark/domain';

type Timing = Pick<SuiteSchedule, 'intervalMinutes' | 'calendar'>;

/** Returns undefined if the schedule has no times yet. */
export function scheduleWords({ intervalMinutes, calendar }: Timing): string | undefined {
  if (calendar === null) {
    return intervalMinutes === null ? undefined : `every ${intervalWords(intervalMinutes)}`;
  }
  const zone = `(${calendar.timeZone ?? defaultTimeZone})`;
  if (calendar.kind === 'cron') return `by the cron expression ${calendar.expression} ${zone}`;
  return `${daysWords(calendar.weekdays ?? weekdays)} at ${calendar.time} ${zone}`;
}

export const weekdayWords: Readonly<Record<(typeof weekdays)[number], string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

function daysWords(chosen: readonly string[]): string {
  const days = weekdays.filter((day) => chosen.includes(day));
  if (days.length === weekdays.length) return 'every day';
  if (days.join() === weekdays.slice(0, 5).join()) return 'from Monday to Friday';
  return `every ${allOf(days.map((day) => weekdayWords[day]))}`;
}

const minutesOfHour = 60;
const minutesOfDay = 24 * minutesOfHour;

function intervalWords(minutes: number): string {
  if (minutes % minutesOfDay === 0) return each(minutes / minutesOfDay, 'day');
  if (minutes % minutesOfHour === 0) return each(minutes / minutesOfHour, 'hour');
  return each(minutes, 'minute');
}

function each(amount: number, unit: string): string {
  return amount === 1 ? unit : count(amount, unit);
}
