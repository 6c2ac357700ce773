/** The audit log as a file: CSV for spreadsheets, JSON lines for programs. One line of the log is one line of it. */
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

/** Begins the file; JSON lines have no beginning. */
export function auditFileHead(format: AuditFormat): string {
  return format === 'csv' ? `${columns.join(',')}\r\n` : '';
}

export function auditFileLine(format: AuditFormat, { atMs, ...line }: ExportedAuditLine): string {
  const told = { ...line, at: new Date(atMs).toISOString() };
  if (format === 'jsonl') {
    return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, told[name]])))}\n`;
  }
  const details = told.details === null ? '' : JSON.stringify(told.details);
  return `${columns.map((name) => cell(name === 'details' ? details : (told[name] ?? ''))).join(',')}\r\n`;
}

/**
 * What a spreadsheet would take for a formula is a text to it with an apostrophe before; so one of its own has two. In
 * some countries spreadsheets cut at semicolons, outside of quotes.
 */
function cell(value: string | number): string {
  const text =
    typeof value === 'string' && /^['=+\-@\t\r\n]/.test(value) ? `'${value}` : `${value}`;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
