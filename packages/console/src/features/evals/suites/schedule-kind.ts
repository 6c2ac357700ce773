/** The kind of a schedule in the form. A change of the kind replaces the times. */
import { isRecord, type Json } from '@proofmark/domain';

export type ScheduleKind = 'interval' | 'daily' | 'cron';

export function scheduleKind({ calendar }: Json): ScheduleKind {
  if (!isRecord(calendar)) return 'interval';
  return calendar['kind'] === 'cron' ? 'cron' : 'daily';
}

export function scheduleOfKind(schedule: Json, kind: ScheduleKind, timeZone: string): Json {
  const { intervalMinutes: _minutes, calendar, ...rest } = schedule;
  if (kind === 'interval') return rest;
  const given = isRecord(calendar) ? calendar['timeZone'] : undefined;
  const times = kind === 'daily' ? { time: '06:30' } : { expression: '30 6 * * mon-fri' };
  return { ...rest, calendar: { kind, ...times, timeZone: given ?? timeZone } };
}
