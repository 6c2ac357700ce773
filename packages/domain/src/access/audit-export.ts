/**
 * Formats the audit log as a file: CSV for spreadsheets, JSON Lines for programs. Each entry is one
 * line.
 */
import type { AuditAction, AuditCallerKind, AuditDetails } from './audit-actions.ts';

export const auditFormats = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof auditFormats)[number];

export interface ExportedAuditLine {
  readonly id: number;
  readonly atMs: number;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly actor: string;
  readonly actorId: string | null;
  readonly callerKind: AuditCallerKind;
  readonly organizationId: string | null;
  readonly projectId: string | null;
  readonly details: AuditDetails | null;
}

const columns = [
  'id',
  'at',
  'action',
  'subjectId',
  'actor',
  'actorId',
  'callerKind',
  'organizationId',
  'projectId',
  'details',
] as const;

/** Empty for JSON Lines, which has no header line. */
export function auditFileHead(format: AuditFormat): string {
  return format === 'csv' ? `${columns.join(',')}\r\n` : '';
}

export function auditFileLine(format: AuditFormat, { atMs, ...line }: ExportedAuditLine): string {
  const row = { ...line, at: new Date(atMs).toISOString() };
  if (format === 'jsonl') {
    return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`;
  }
  const details = row.details === null ? '' : JSON.stringify(row.details);
  return `${columns.map((name) => cell(name === 'details' ? details : (row[name] ?? ''))).join(',')}\r\n`;
}

/**
 * Writes a CSV cell. A leading apostrophe prevents spreadsheets from reading the value as a
 * formula. Cells with semicolons are quoted, because spreadsheets in some countries split at
 * semicolons.
 */
function cell(value: string | number): string {
  const text =
    typeof value === 'string' && /^['=+\-@\t\r\n]/.test(value) ? `'${value}` : `${value}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
