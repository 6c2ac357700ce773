/**
 * When a suite runs by itself. Switching on needs an interval, now or from before; where several environments are
 * attached, one of them is pinned. Switching off keeps interval and pin. What is pinned stays attached while the
 * schedule is on; when it is off, a pin goes with its environment.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';

export const minIntervalMinutes = 5;
export const maxIntervalMinutes = 10_080;

/** What is noted on a run that a schedule launched; nothing else tells such a run from others. */
export const scheduledRunNote = 'Launched by the schedule.';

export interface SuiteSchedule {
  readonly enabled: boolean;
  readonly intervalMinutes: number | null;
  readonly environmentId: string | null;
}

/** What came of the last launch that the schedule wanted; without an error the run was launched. */
export interface ScheduleAttempt {
  readonly atMs: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ScheduleEdit {
  readonly enabled: boolean;
  readonly intervalMinutes?: number | undefined;
  readonly environmentId?: string | undefined;
}

export type ScheduleDecision = { readonly schedule: SuiteSchedule } | { readonly refusal: Refusal };

export function editSchedule(
  current: SuiteSchedule,
  edit: ScheduleEdit,
  attached: readonly string[],
): ScheduleDecision {
  const intervalMinutes = edit.intervalMinutes ?? current.intervalMinutes;
  if (!edit.enabled) {
    return edit.environmentId === undefined
      ? { schedule: { ...current, enabled: false, intervalMinutes } }
      : refused('body.environmentId', 'A schedule that is switched off pins no environment.');
  }
  if (intervalMinutes === null) {
    const message = 'This suite has no interval yet; send intervalMinutes.';
    return refused('body.intervalMinutes', message, 'SCHEDULE_INTERVAL_REQUIRED');
  }
  if (edit.environmentId !== undefined && !attached.includes(edit.environmentId)) {
    const message = 'This environment is not attached to the suite; attach it first.';
    return refused('body.environmentId', message, 'ENVIRONMENT_NOT_ATTACHED');
  }
  const environmentId = edit.environmentId ?? stillAttached(current.environmentId, attached);
  if (environmentId === null && attached.length > 1) return pinRequired('body.environmentId');
  return { schedule: { enabled: true, intervalMinutes, environmentId } };
}

/** What becomes of the schedule when other environments are attached to the suite. */
export function rescheduleFor(
  current: SuiteSchedule,
  attached: readonly string[],
): ScheduleDecision {
  const environmentId = stillAttached(current.environmentId, attached);
  if (!current.enabled) return { schedule: { ...current, environmentId } };
  if (environmentId !== current.environmentId) {
    return refused(
      'body.environmentIds',
      'The schedule pins an environment that would no longer be attached; change the schedule first.',
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
    'Several environments are attached; pin the one the schedule runs in with environmentId.',
    'SCHEDULE_ENVIRONMENT_PIN_REQUIRED',
  );
}

function refused(path: string, message: string, reason?: string): ScheduleDecision {
  return { refusal: invalid(path, message, reason === undefined ? {} : { reason }) };
}
