/**
 * The calendar of a schedule: a time of day, on all or some days of the week, or a cron expression,
 * in a time zone. A calendar that never starts a run is refused, and so is one with two starts
 * closer than the smallest interval. The distance is that of the clocks on the wall: where clocks
 * are put forward, the starts that are skipped are made up by one start at the end of the gap, which
 * may be closer to the next.
 */
import * as z from 'zod';
import { type CronFields, readCron, weekdayNames } from './read-cron.ts';
import { dayMs, instantOfLocal, isTimeZone, localMsAt } from './zoned-time.ts';

export const minIntervalMinutes = 5;
export const maxIntervalMinutes = 10_080;

/** The days of the week as people order them, from Monday. */
export const weekdays = [...weekdayNames.slice(1), weekdayNames[0]] as const;
export type Weekday = (typeof weekdayNames)[number];
const Weekdays = z
  .array(z.enum(weekdayNames))
  .min(1, 'An empty list is not allowed; leave it out for every day.')
  .max(weekdayNames.length)
  .refine((days) => new Set(days).size === days.length, 'This list contains a day twice.');

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write a time of day from 00:00 to 23:59, such as 06:30.');

const longestExpression = 200;
const Expression = z
  .string()
  .trim()
  .max(longestExpression)
  .superRefine((expression, context) => {
    const message = whyNoCron(expression);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'This is not the name of a time zone; write one such as Europe/Berlin.')
  .optional()
  .meta({ description: 'The name of an IANA time zone (default: UTC).' });

export const ScheduleCalendar = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('daily'),
    time: Time,
    weekdays: Weekdays.optional().meta({
      description: 'The days of the week (default: every day).',
    }),
    timeZone: TimeZone,
  }),
  z.strictObject({
    kind: z.literal('cron'),
    expression: Expression.meta({
      description:
        'Five fields: minute, hour, day of the month, month, day of the week. If neither of the two fields of days begins with *, one of them suffices.',
    }),
    timeZone: TimeZone,
  }),
]);
export type ScheduleCalendar = z.infer<typeof ScheduleCalendar>;

export const defaultTimeZone = 'UTC';

/** Returns the next starts after an instant, at most `most`. */
export function nextStarts(calendar: ScheduleCalendar, afterMs: number, most: number): number[] {
  const starts: number[] = [];
  let last: number | undefined = afterMs;
  while (starts.length < most) {
    last = nextStart(calendar, last);
    if (last === undefined) break;
    starts.push(last);
  }
  return starts;
}

/** Returns undefined if this process does not know the time zone. */
export function nextStart(calendar: ScheduleCalendar, afterMs: number): number | undefined {
  const { timeZone = defaultTimeZone } = calendar;
  const fields = fieldsOf(calendar);
  if (fields === undefined || !isTimeZone(timeZone)) return undefined;
  const localMs = localMsAt(afterMs, timeZone);
  const firstDay = Math.floor(localMs / dayMs);
  const times = timesOfDay(fields);
  for (let day = firstDay; day <= firstDay + longestWaitDays; day += 1) {
    if (!isStartDay(fields, day)) continue;
    for (const minute of times) {
      const startLocalMs = day * dayMs + minute * 60_000;
      if (startLocalMs <= localMs) continue;
      const startMs = instantOfLocal(startLocalMs, timeZone);
      if (startMs > afterMs) return startMs;
    }
  }
  return undefined;
}

/** A 29th of February on a certain day of the week: 40 years over a turn of the century. */
const longestWaitDays = 41 * 366;

function fieldsOf(calendar: ScheduleCalendar): CronFields | undefined {
  if (calendar.kind === 'cron') {
    const read = readCron(calendar.expression);
    return 'fields' in read ? read.fields : undefined;
  }
  const [hour, minute] = calendar.time.split(':').map(Number) as [number, number];
  const days = (calendar.weekdays ?? weekdayNames).map((day) => weekdayNames.indexOf(day));
  return { ...everyDay, minutes: [minute], hours: [hour], weekdays: days };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const everyDay = { days: upTo(31), months: upTo(12), eitherDay: false };

function timesOfDay({ hours, minutes }: CronFields): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
}

function isStartDay(fields: CronFields, dayNumber: number): boolean {
  const date = new Date(dayNumber * dayMs);
  if (!fields.months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = fields.days.includes(date.getUTCDate());
  const isWeekday = fields.weekdays.includes(date.getUTCDay());
  return fields.eitherDay ? isDay || isWeekday : isDay && isWeekday;
}

function whyNoCron(expression: string): string | undefined {
  const read = readCron(expression);
  if ('problem' in read) return read.problem;
  const { fields } = read;
  if (neverStarts(fields)) {
    return 'This never starts a run: none of its months has such a day; choose another day of the month.';
  }
  if (smallestDistance(fields) < minIntervalMinutes) {
    return `This starts runs less than ${minIntervalMinutes} minutes apart; choose fewer minutes, such as */${minIntervalMinutes}.`;
  }
  return undefined;
}

function neverStarts({ days, months, eitherDay }: CronFields): boolean {
  if (eitherDay) return false;
  const firstDay = days[0] ?? Number.POSITIVE_INFINITY;
  return months.every((month) => firstDay > new Date(Date.UTC(leapYear, month, 0)).getUTCDate());
}

const leapYear = 2024;

function smallestDistance(fields: CronFields): number {
  const times = timesOfDay(fields);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const within = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const overnight = first + minutesOfDay - last;
  if (overnight >= minIntervalMinutes || !hasAdjacentDays(fields)) return Math.min(...within);
  return Math.min(overnight, ...within);
}

const minutesOfDay = 1440;

/** Years of both lengths begin on each day of the week within 28 years. */
function hasAdjacentDays(fields: CronFields): boolean {
  for (let day = 0, was = false; day <= daysOf28Years; day += 1) {
    const is = isStartDay(fields, day);
    if (is && was) return true;
    was = is;
  }
  return false;
}

const daysOf28Years = 10_227;
