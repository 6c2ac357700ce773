import {
  type AuditAction,
  type AuditCallerKind,
  type AuditDetails,
  auditCallerWords,
  auditDetailWords,
} from '@proofmark/domain';

/**
 * Formats an audit log entry in lines of at most 80 columns: time, action and resource first, then
 * actor and origin, then details. Longer parts continue on the next line.
 */
export interface ShownAuditLine {
  readonly at: Date;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly accountEmail: string;
  readonly callerKind: AuditCallerKind;
  readonly organizationId: string | null;
  readonly projectId: string | null;
  readonly details: AuditDetails | null;
}

const columns = 80;
const indent = '  ';

export function describeAuditLine(line: ShownAuditLine): string[] {
  const at = `${line.at.toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const { fields, ...details } = line.details ?? {};
  return [
    `${at}  ${line.action.padEnd(18)}  ${line.subjectId}`,
    ...wrapped([
      `by ${line.accountEmail} (${auditCallerWords[line.callerKind]})`,
      `in ${line.projectId ?? line.organizationId ?? 'no organization'}`,
      ...auditDetailWords(details),
    ]),
    ...wrapped(auditDetailWords({ fields })),
  ].map(printable);
}

/**
 * Breaks lines between parts if possible, otherwise between words. A word is broken only if it is
 * longer than a line.
 */
function wrapped(parts: readonly string[]): string[] {
  const width = columns - indent.length;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}  ${part}`;
    if (joined.length <= width) lines.splice(-1, 1, joined);
    else lines.push(...brokenPart(part, width));
  }
  return lines.map((line) => indent + line);
}

function brokenPart(part: string, width: number): string[] {
  const lines: string[] = [];
  let rest = part;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const at = space > 0 ? space : width;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

/**
 * Replaces control characters, so that a stored name cannot send escape sequences to the terminal.
 */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
