import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  editSchedule,
  firstStart,
  nextStartsOf,
  rescheduleFor,
  type ScheduleEdit,
  type SuiteSchedule,
} from './schedule.ts';

const never: SuiteSchedule = {
  enabled: false,
  intervalMinutes: null,
  calendar: null,
  environmentId: null,
};
const on: SuiteSchedule = {
  enabled: true,
  intervalMinutes: 60,
  calendar: null,
  environmentId: 'a',
};
const calendar = { kind: 'daily', time: '06:30', timeZone: 'Europe/Berlin' } as const;
const dated: SuiteSchedule = { ...on, intervalMinutes: null, calendar };
const off: SuiteSchedule = { ...on, enabled: false };

test.each<[string, SuiteSchedule, ScheduleEdit, string[], SuiteSchedule | string]>([
  ['the first time needs an interval', never, { enabled: true }, [], 'SCHEDULE_INTERVAL_REQUIRED'],
  [
    'on without environments',
    never,
    { enabled: true, intervalMinutes: 5 },
    [],
    { ...never, enabled: true, intervalMinutes: 5 },
  ],
  ['the saved interval is used again', off, { enabled: true }, ['a'], on],
  ['a calendar replaces the interval', on, { enabled: true, calendar }, ['a'], dated],
  ['an interval replaces the calendar', dated, { enabled: true, intervalMinutes: 60 }, ['a'], on],
  ['off keeps the calendar', dated, { enabled: false }, ['a'], { ...dated, enabled: false }],
  [
    'the saved calendar is used again',
    { ...dated, enabled: false },
    { enabled: true },
    ['a'],
    dated,
  ],
  [
    'off with a calendar keeps that',
    off,
    { enabled: false, calendar },
    ['a'],
    { ...dated, enabled: false },
  ],
  [
    'one environment needs no pin',
    never,
    { enabled: true, intervalMinutes: 60 },
    ['a'],
    { ...on, environmentId: null },
  ],
  [
    'several need one',
    never,
    { enabled: true, intervalMinutes: 60 },
    ['a', 'b'],
    'SCHEDULE_ENVIRONMENT_PIN_REQUIRED',
  ],
  ['a pin of before is enough', off, { enabled: true }, ['a', 'b'], on],
  [
    'a pin that is no longer attached is none',
    off,
    { enabled: true },
    ['b', 'c'],
    'SCHEDULE_ENVIRONMENT_PIN_REQUIRED',
  ],
  [
    'a pin is one of those attached',
    never,
    { enabled: true, intervalMinutes: 60, environmentId: 'x' },
    ['a'],
    'ENVIRONMENT_NOT_ATTACHED',
  ],
  [
    'another pin',
    on,
    { enabled: true, environmentId: 'b' },
    ['a', 'b'],
    { ...on, environmentId: 'b' },
  ],
  ['off keeps the pin and the interval', on, { enabled: false }, ['a', 'b'], off],
  [
    'off with another interval keeps that',
    on,
    { enabled: false, intervalMinutes: 30 },
    ['a'],
    { ...off, intervalMinutes: 30 },
  ],
])('%s', (_title, current, edit, attached, expected) => {
  const decision = editSchedule(current, edit, attached);
  if (typeof expected !== 'string') expect(decision).toEqual({ schedule: expected });
  else expect(decision).toMatchObject({ refusal: { details: { reason: expected } } });
});

test('off with an environment is refused', () => {
  expect(editSchedule(on, { enabled: false, environmentId: 'a' }, ['a'])).toMatchObject({
    refusal: { code: 'VALIDATION_ERROR', details: { path: 'body.environmentId' } },
  });
});

test('an interval and a calendar in one edit are refused', () => {
  for (const enabled of [true, false]) {
    expect(editSchedule(on, { enabled, intervalMinutes: 60, calendar }, ['a'])).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { path: 'body.calendar' } },
    });
  }
});

test.each([
  ['none while it is off', { ...dated, enabled: false }, null],
  ['one interval away', on, '2026-05-01T07:00:00.000Z'],
  ['the next time of the calendar', dated, '2026-05-02T04:30:00.000Z'],
])('the first start is %s', (_title, schedule, expected) => {
  const start = firstStart(schedule, Date.parse('2026-05-01T06:00Z'));
  expect(start === null ? null : new Date(start).toISOString()).toBe(expected);
});

test.each([
  ['of an interval from its next start', on, 10_000_000, [10_000_000, 13_600_000, 17_200_000]],
  ['of an interval that begins now', on, null, [3_600_000, 7_200_000, 10_800_000]],
  ['of a calendar', dated, 10_000_000, [19_800_000, 106_200_000, 192_600_000]],
  ['of nothing', never, null, []],
])('the next starts %s', (_title, schedule, nextMs, expected) => {
  expect(nextStartsOf(schedule, { nowMs: 0, nextMs, most: 3 })).toEqual(expected);
});

test('after any series of edits, a schedule that is on has an interval or a calendar and, of several environments, one pinned', () => {
  const environments = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
  const edit = fc.record(
    {
      enabled: fc.boolean(),
      intervalMinutes: fc.integer({ min: 5, max: 10_080 }),
      calendar: fc.constant(calendar),
      environmentId: fc.constantFrom('a', 'b', 'c'),
    },
    { requiredKeys: ['enabled'] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(environments, edit)), (changes) => {
      let schedule = never;
      let attached: string[] = [];
      for (const change of changes) {
        const decision = Array.isArray(change)
          ? rescheduleFor(schedule, change)
          : editSchedule(schedule, change, attached);
        if ('refusal' in decision) continue;
        if (Array.isArray(change)) attached = change;
        schedule = decision.schedule;
        if (!schedule.enabled) continue;
        expect((schedule.intervalMinutes === null) !== (schedule.calendar === null)).toBe(true);
        if (schedule.environmentId === null) expect(attached.length).toBeLessThan(2);
        else expect(attached).toContain(schedule.environmentId);
      }
    }),
  );
});
