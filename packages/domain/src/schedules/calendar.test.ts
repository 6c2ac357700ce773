import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkValue } from '../kernel/check-value.ts';
import {
  minIntervalMinutes,
  nextStart,
  nextStarts,
  ScheduleCalendar,
  weekdays,
} from './calendar.ts';
import { localMsAt } from './zoned-time.ts';

const utc = (text: string) => Date.parse(`${text}Z`);
const written = (instants: readonly number[]) =>
  instants.map((at) => new Date(at).toISOString().slice(0, 16));
const cron = (expression: string, timeZone = 'UTC'): ScheduleCalendar => ({
  kind: 'cron',
  expression,
  timeZone,
});
const daily = (time: string, timeZone: string): ScheduleCalendar => ({
  kind: 'daily',
  time,
  timeZone,
});

describe('the next starts', () => {
  test.each<[string, string, string[]]>([
    ['30 6 * * *', '2026-05-01T06:29:59', ['2026-05-01T06:30', '2026-05-02T06:30']],
    ['30 6 * * *', '2026-05-01T06:30', ['2026-05-02T06:30', '2026-05-03T06:30']],
    ['0 0 31 * *', '2026-01-31T00:00', ['2026-03-31T00:00', '2026-05-31T00:00']],
    ['0 0 29 2 *', '2096-02-29T00:00', ['2104-02-29T00:00', '2108-02-29T00:00']],
    ['0 0 29 2 */7', '2060-03-01T00:00', ['2088-02-29T00:00', '2128-02-29T00:00']],
    ['*/20 9-10 * * *', '2026-05-01T09:30', ['2026-05-01T09:40', '2026-05-01T10:00']],
    ['5-59/25 0 * * *', '2026-05-01T00:00', ['2026-05-01T00:05', '2026-05-01T00:30']],
    ['0 12 1,15 jan,JUL *', '2026-01-02T00:00', ['2026-01-15T12:00', '2026-07-01T12:00']],
    ['0 12 * * 7', '2026-05-01T00:00', ['2026-05-03T12:00', '2026-05-10T12:00']],
    ['0 12 * * fri-sun', '2026-05-01T13:00', ['2026-05-02T12:00', '2026-05-03T12:00']],
    ['0 12 * * 0-1', '2026-05-01T13:00', ['2026-05-03T12:00', '2026-05-04T12:00']],
    ['0 12 * * */3', '2026-05-01T13:00', ['2026-05-02T12:00', '2026-05-03T12:00']],
    // Either day suffices where both fields are restricted, and both are needed where one begins with *.
    ['0 0 13 * fri', '2026-05-02T00:00', ['2026-05-08T00:00', '2026-05-13T00:00']],
    ['0 0 */2 * mon', '2026-05-01T00:00', ['2026-05-11T00:00', '2026-05-25T00:00']],
    // This day does not exist, but its month has Mondays.
    ['0 0 31 2 mon', '2026-03-01T00:00', ['2027-02-01T00:00', '2027-02-08T00:00']],
  ])('of %s after %s', (expression, after, expected) => {
    expect(written(nextStarts(cron(expression), utc(after), 2))).toEqual(expected);
  });

  test('of some days of the week, by the days of the zone', () => {
    const calendar: ScheduleCalendar = {
      kind: 'daily',
      time: '00:30',
      weekdays: ['mon', 'sat'],
      timeZone: 'Asia/Tokyo',
    };
    expect(written(nextStarts(calendar, utc('2026-05-01T12:00'), 3))).toEqual([
      '2026-05-01T15:30',
      '2026-05-03T15:30',
      '2026-05-08T15:30',
    ]);
  });

  test('of a calendar without a zone are those of UTC', () => {
    const starts = nextStarts({ kind: 'daily', time: '06:30' }, utc('2026-05-01T12:00'), 1);
    expect(written(starts)).toEqual(['2026-05-02T06:30']);
  });

  test('are none where the zone is unknown', () => {
    expect(nextStart(daily('06:30', 'Mars/Olympus'), 0)).toBeUndefined();
  });
});

describe('where the clocks change', () => {
  test.each<[string, ScheduleCalendar, string, string[]]>([
    [
      'a time that does not exist is the first instant after the gap',
      daily('02:30', 'Europe/Berlin'),
      '2026-03-28T12:00',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'all times of one gap start one run',
      cron('10,40 2,3 * * *', 'Europe/Berlin'),
      '2026-03-28T12:00',
      ['2026-03-29T01:00', '2026-03-29T01:10', '2026-03-29T01:40'],
    ],
    [
      'a time that exists twice starts one run, the first time',
      daily('02:30', 'Europe/Berlin'),
      '2026-10-24T12:00',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'every time of an hour that exists twice starts one run',
      cron('*/30 2 * * *', 'Europe/Berlin'),
      '2026-10-24T12:00',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    [
      'also if the instant is in the second of the two hours',
      cron('*/30 2 * * *', 'Europe/Berlin'),
      '2026-10-25T01:10',
      ['2026-10-26T01:00'],
    ],
    [
      'half an hour',
      daily('02:15', 'Australia/Lord_Howe'),
      '2026-10-03T00:00',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'a midnight that does not exist',
      daily('00:00', 'America/Sao_Paulo'),
      '2018-11-03T12:00',
      ['2018-11-04T03:00', '2018-11-05T02:00'],
    ],
    [
      'a midnight before which an hour is repeated',
      daily('23:30', 'America/Sao_Paulo'),
      '2018-02-17T12:00',
      ['2018-02-18T01:30', '2018-02-19T02:30'],
    ],
    [
      'a day that does not exist',
      cron('0 12 30 12 *', 'Pacific/Apia'),
      '2011-12-01T00:00',
      ['2011-12-30T10:00', '2012-12-29T22:00'],
    ],
  ])('%s', (_title, calendar, after, expected) => {
    expect(written(nextStarts(calendar, utc(after), expected.length))).toEqual(expected);
  });
});

const message = (value: unknown) => {
  const checked = checkValue(ScheduleCalendar, value);
  return 'problems' in checked ? checked.problems[0] : undefined;
};

describe('a calendar is refused', () => {
  test.each([
    ['* * * *', 'has five fields (minute, hour, day of the month, month, day of the week), and'],
    ['', 'and this has 0.'],
    ['@daily', 'and this has 1.'],
    ['0 0 6 * * *', 'and this has 6.'],
    ['60 * * * *', 'The minute "60" is not *, a number from 0 to 59,'],
    ['0 24 * * *', 'The hour "24" is not'],
    ['0 0 0 * *', 'The day of the month "0" is not *, a number from 1 to 31,'],
    ['0 0 1 13 *', 'The month "13" is not *, a number from 1 to 12 or a name from jan to dec,'],
    ['0 0 * * 8', 'The day of the week "8" is not'],
    ['0 0 * * monday', 'The day of the week "monday" is not'],
    ['0 0 L * *', 'The day of the month "L" is not'],
    ['0 0 ? * 1', 'The day of the month "?" is not'],
    ['0 0 * * 5#2', 'The day of the week "5#2" is not'],
    ['0 0 1,,2 * *', 'The day of the month "" is not'],
    ['0 1-2-3 * * *', 'The hour "1-2-3" is not'],
    ['-5 0 * * *', 'The minute "-5" is not'],
    ['0x5 0 * * *', 'The minute "0x5" is not'],
    ['0 22-2 * * *', 'The hour "22-2" runs backwards; write two ranges'],
    ['0 0 * * fri-mon', 'The day of the week "fri-mon" runs backwards'],
    ['*/0 * * * *', 'The minute "*/0" has no valid step; write a whole number from 1 to 59'],
    ['*/60 * * * *', 'The minute "*/60" has no valid step'],
    ['*/5/5 * * * *', 'The minute "*/5/5" has no valid step'],
    ['5/10 * * * *', 'The minute "5/10" has a step without a range; write 5-59/10.'],
    ['0 0 30 2 *', 'This never starts a run'],
    ['0 0 31 4,6,9,11 *', 'This never starts a run'],
    ['0 0 31 2 */2', 'This never starts a run'],
    ['* * * * *', 'less than 5 minutes apart'],
    ['*/4 * * * *', 'less than 5 minutes apart'],
    ['58,2 * * * *', 'less than 5 minutes apart'],
    ['0,58 0,23 * * *', 'less than 5 minutes apart'],
  ])('with the expression "%s"', (expression, expected) => {
    const found = message(cron(expression));
    expect(found?.path).toEqual(['expression']);
    expect(found?.message).toContain(expected);
  });

  test.each([
    [{ kind: 'daily', time: '6:30' }, 'time'],
    [{ kind: 'daily', time: '24:00' }, 'time'],
    [{ kind: 'daily' }, 'time'],
    [{ kind: 'daily', time: '06:30', weekdays: [] }, 'weekdays'],
    [{ kind: 'daily', time: '06:30', weekdays: ['mon', 'mon'] }, 'weekdays'],
    [{ kind: 'daily', time: '06:30', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ kind: 'daily', time: '06:30', timeZone: '+02:00' }, 'timeZone'],
    [{ kind: 'daily', time: '06:30', expression: '0 0 * * *' }, 'expression'],
    [{ kind: 'weekly', time: '06:30' }, 'kind'],
  ])('%j, at %s', (calendar, path) => {
    expect(message(calendar)?.path[0]).toBe(path);
  });

  test.each(['0,58 0,23 1 * *', '0 0 29 2 *', '*/5 * * * *', '0 0 31 2 mon'])(
    'but not with the expression "%s"',
    (expression) => {
      expect(message(cron(expression))).toBeUndefined();
    },
  );
});

const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'America/Sao_Paulo'],
  ...['Africa/Casablanca', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kolkata'],
  ...['Pacific/Chatham', 'America/St_Johns', 'Antarctica/Troll'],
];
const zone = fc.constantFrom(...zones);
const instant = fc.integer({ min: utc('2005-01-01T00:00'), max: utc('2035-01-01T00:00') });

function fieldOf(from: number, to: number) {
  const value = fc.integer({ min: from, max: to });
  const range = fc
    .tuple(value, value)
    .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`);
  const item = fc.oneof(value.map(String), range, fc.constant('*'));
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
}

const anyCalendar = fc.oneof(
  fc
    .tuple(fieldOf(0, 59), fieldOf(0, 23), fieldOf(1, 31), fieldOf(1, 12), fieldOf(0, 7), zone)
    .map(([minute, hour, day, month, weekday, timeZone]) =>
      cron([minute, hour, day, month, weekday].join(' '), timeZone),
    ),
  fc.tuple(fc.nat(23), fc.nat(59), fc.subarray([...weekdays], { minLength: 1 }), zone).map(
    ([hour, minute, days, timeZone]): ScheduleCalendar => ({
      kind: 'daily',
      time: [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'),
      weekdays: days,
      timeZone,
    }),
  ),
);
const calendar = anyCalendar.filter((one) => message(one) === undefined);

describe('of every calendar that is accepted', () => {
  test('the next start is later, and it does not depend on the instant before it', () => {
    fc.assert(
      fc.property(
        calendar,
        instant,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, at, part) => {
          const next = nextStart(one, at) as number;
          expect(next).toBeGreaterThan(at);
          const between = Math.floor(at + (next - 1 - at) * part);
          expect(nextStart(one, between)).toBe(next);
        },
      ),
    );
  });

  test('two starts are as far apart as the smallest interval, by the clocks on the wall', () => {
    const minIntervalMs = minIntervalMinutes * 60_000;
    fc.assert(
      fc.property(calendar, instant, (one, at) => {
        const { timeZone = 'UTC' } = one;
        const [first = 0, second = 0] = nextStarts(one, at, 2);
        const offset = (instantMs: number) => localMsAt(instantMs, timeZone) - instantMs;
        const isForward = offset(second) > offset(first - 86_400_000);
        if (!isForward) expect(second - first).toBeGreaterThanOrEqual(minIntervalMs);
      }),
    );
  });
});

test('a time of day starts a run once on each of its local dates, whatever the clocks do', () => {
  const firstDay = utc('2005-01-01T00:00') / 86_400_000;
  fc.assert(
    fc.property(zone, fc.nat(1439), fc.nat(11_000), (timeZone, minute, dayNumber) => {
      const time = [Math.floor(minute / 60), minute % 60];
      const text = time.map((part) => String(part).padStart(2, '0')).join(':');
      const at = (firstDay + dayNumber) * 86_400_000;
      const starts = nextStarts(daily(text, timeZone), at, 5);
      const locals = starts.map((start) => localMsAt(start, timeZone));
      for (const [index, local] of locals.entries()) {
        const wanted = Math.floor(local / 86_400_000) * 86_400_000 + minute * 60_000;
        const start = starts[index] as number;
        // The clocks show the wanted time, or they skipped it at this instant.
        if (local !== wanted) {
          expect(localMsAt(start - 1, timeZone)).toBeLessThan(local - 1);
          expect(nextStart(daily(text, timeZone), start - 1)).toBe(start);
        }
        const before = locals[index - 1];
        if (before === undefined) continue;
        const days = Math.floor(local / 86_400_000) - Math.floor(before / 86_400_000);
        expect(days).toBeGreaterThanOrEqual(1);
        expect(days).toBeLessThanOrEqual(timeZone === 'Pacific/Apia' ? 2 : 1);
      }
    }),
  );
});
