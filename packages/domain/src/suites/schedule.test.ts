import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editSchedule, rescheduleFor, type ScheduleEdit, type SuiteSchedule } from './schedule.ts';

const never: SuiteSchedule = { enabled: false, intervalMinutes: null, environmentId: null };
const on: SuiteSchedule = { enabled: true, intervalMinutes: 60, environmentId: 'a' };
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

test('after any series of edits, a schedule that is on has an interval and, of several environments, one pinned', () => {
  const environments = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
  const edit = fc.record(
    {
      enabled: fc.boolean(),
      intervalMinutes: fc.integer({ min: 5, max: 10_080 }),
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
        expect(schedule.intervalMinutes).not.toBeNull();
        if (schedule.environmentId === null) expect(attached.length).toBeLessThan(2);
        else expect(attached).toContain(schedule.environmentId);
      }
    }),
  );
});
