/**
 * The filters and days of the audit log as parameters of the page's address. Days are in the user's
 * time zone.
 */
import { type AuditKind, auditKinds } from '@proofmark/domain';

export interface AuditSearch {
  readonly kind?: AuditKind;
  readonly actor?: string;
  readonly resource?: string;
  readonly since?: string;
  readonly until?: string;
}

export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const kind = auditKinds.find((one) => one === search['kind']);
  return {
    ...(kind !== undefined && { kind }),
    ...textOf(search, 'actor'),
    ...textOf(search, 'resource'),
    ...dayOf(search, 'since'),
    ...dayOf(search, 'until'),
  };
}

/** The query spans from the start of the first day to the end of the last day. */
export function auditQuery({ since, until, ...search }: AuditSearch): {
  kind?: AuditKind;
  actor?: string;
  resource?: string;
  since?: string;
  until?: string;
} {
  return {
    ...search,
    ...(since !== undefined && { since: String(startOfDay(since)) }),
    ...(until !== undefined && { until: String(startOfDay(until, 1)) }),
  };
}

function textOf<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name) {
  const value = String(search[name] ?? '').trim();
  return value === '' ? {} : ({ [name]: value } as Record<Name, string>);
}

function dayOf<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name) {
  const value = String(search[name] ?? '');
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(startOfDay(value));
  return isDay ? ({ [name]: value } as Record<Name, string>) : {};
}

function startOfDay(day: string, later = 0): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}
