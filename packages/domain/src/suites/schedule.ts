/**
 * The schedule of a suite. Switching it on needs an interval or a calendar and, if several
 * environments are attached, a pinned environment; switching it off keeps them. An interval replaces
 * a calendar, and a calendar an interval. While the schedule is on, the pinned
 * environment cannot be detached. While it is off, detaching that environment removes the pin.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { nextStart, nextStarts, type ScheduleCalendar } from '../schedules/calendar.ts';

/** The note on a run that a schedule launched. Only this note shows where the run came from. */
export const scheduledRunNote = 'Launched by the schedule.';

export interface SuiteSchedule {
  readonly enabled: boolean;
  readonly intervalMinutes: number | null;
  /** Null if the schedule has an interval, or never had either. */
  readonly calendar: ScheduleCalendar | null;
  readonly environmentId: string | null;
}

export interface ScheduleAttempt {
  readonly atMs: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ScheduleEdit {
  readonly enabled: boolean;
  readonly intervalMinutes?: number | undefined;
  readonly calendar?: ScheduleCalendar | undefined;
  readonly environmentId?: string | undefined;
}

export type ScheduleDecision = { readonly schedule: SuiteSchedule } | { readonly refusal: Refusal };

export function editSchedule(
  current: SuiteSchedule,
  edit: ScheduleEdit,
  attached: readonly string[],
): ScheduleDecision {
  if (edit.intervalMinutes !== undefined && edit.calendar !== undefined) {
    return refused('body.calendar', 'Send intervalMinutes or calendar, not both.');
  }
  const timing = timingAfter(current, edit);
  if (!edit.enabled) {
    return edit.environmentId === undefined
      ? { schedule: { ...current, ...timing, enabled: false } }
      : refused(
          'body.environmentId',
          'A schedule that is switched off cannot pin an environment; remove environmentId, or switch the schedule on.',
        );
  }
  if (timing.intervalMinutes === null && timing.calendar === null) {
    const message =
      'The schedule of this suite has no interval yet; send intervalMinutes or calendar.';
    return refused('body.intervalMinutes', message, 'SCHEDULE_INTERVAL_REQUIRED');
  }
  if (edit.environmentId !== undefined && !attached.includes(edit.environmentId)) {
    const message = 'This environment is not attached to the suite; attach it first.';
    return refused('body.environmentId', message, 'ENVIRONMENT_NOT_ATTACHED');
  }
  const environmentId = edit.environmentId ?? stillAttached(current.environmentId, attached);
  if (environmentId === null && attached.length > 1) return pinRequired('body.environmentId');
  return { schedule: { enabled: true, ...timing, environmentId } };
}

/** Returns when a schedule that is switched on or changed now starts its first run. */
export function firstStart(schedule: SuiteSchedule, nowMs: number): number | null {
  const { enabled, intervalMinutes, calendar } = schedule;
  if (!enabled) return null;
  if (calendar !== null) return nextStart(calendar, nowMs) ?? null;
  return intervalMinutes === null ? null : nowMs + intervalMinutes * 60_000;
}

/**
 * Returns the next starts of a schedule that is on. `nextMs` is the known next start (default: that
 * of a schedule that is switched on now).
 */
export function nextStartsOf(
  { intervalMinutes, calendar }: Pick<SuiteSchedule, 'intervalMinutes' | 'calendar'>,
  { nowMs, nextMs, most }: { nowMs: number; nextMs: number | null; most: number },
): number[] {
  if (calendar !== null) return nextStarts(calendar, nowMs, most);
  if (intervalMinutes === null || intervalMinutes <= 0) return [];
  const intervalMs = intervalMinutes * 60_000;
  const first = nextMs ?? nowMs + intervalMs;
  return Array.from({ length: most }, (_, index) => first + index * intervalMs);
}

function timingAfter(
  current: SuiteSchedule,
  { intervalMinutes, calendar }: ScheduleEdit,
): Pick<SuiteSchedule, 'intervalMinutes' | 'calendar'> {
  if (calendar !== undefined) return { intervalMinutes: null, calendar };
  if (intervalMinutes !== undefined) return { intervalMinutes, calendar: null };
  return { intervalMinutes: current.intervalMinutes, calendar: current.calendar };
}

export function rescheduleFor(
  current: SuiteSchedule,
  attached: readonly string[],
): ScheduleDecision {
  const environmentId = stillAttached(current.environmentId, attached);
  if (!current.enabled) return { schedule: { ...current, environmentId } };
  if (environmentId !== current.environmentId) {
    return refused(
      'body.environmentIds',
      'This change detaches the environment that the schedule pins; change the schedule first.',
      'SCHEDULE_ENVIRONMENT_PINNED',
    );
  }
  if (environmentId === null && attached.length > 1) return pinRequired('body.environmentIds');
  return { schedule: current };
}

function stillAttached(pinned: string | null, attached: readonly string[]): string | null {
  return pinned !== null && attached.includes(pinned) ? pinned : null;
}

function pinRequired(path: string): ScheduleDecision {
  return refused(
    path,
    'Several environments are attached to the suite; name the environment of the schedule in environmentId.',
    'SCHEDULE_ENVIRONMENT_PIN_REQUIRED',
  );
}

function refused(path: string, message: string, reason?: string): ScheduleDecision {
  return { refusal: invalid(path, message, reason === undefined ? {} : { reason }) };
}
