import {
  type AuditAction,
  type AuditCallerKind,
  type AuditDetails,
  auditCallerWords,
  auditDetailWords,
} from '@proofmark/domain';

/**
 * An entry of the audit log as lines of at most 80 columns: when, what and which on the first, then who
 * and from where, then what else is known. What does not fit goes on in the next line.
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

/** Breaks between parts where it can, between words where it must, and inside a word that is too long. */
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

/** Nothing people were called may steer the terminal it is shown on. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
