import { type AuditFormat, auditFileHead, auditFileLine, auditFormats } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { describeAuditLine } from './describe-audit-line.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function auditLogCommand(): Command {
  return operatorCommand('audit-log', 'show the audit log, newest first')
    .option('--organization <id or name>', 'only lines of this organization')
    .option('--project <id>', 'only lines of this project, even a deleted one')
    .option('--kind <kind>', 'only lines of this kind, such as member or apiKey.revoked')
    .option('--actor <email>', 'only actions of this person')
    .option('--resource <id>', 'only actions on this object')
    .option('--since <time>', 'only from this day or time on')
    .option('--until <time>', 'only before this day or time')
    .option('--limit <number>', 'most lines to show', '50')
    .option('--export <format>', 'all lines, as csv or jsonl')
    .action(async (flags: Flags) => {
      const wanted = searchOf(flags);
      if (flags['export'] !== undefined) return exportLines(flags, wanted);
      const limit = Number(flags['limit']);
      const lines = await operate(flags, (operator) => operator.readAuditLog({ ...wanted, limit }));
      if (flags['json']) return printJson(lines);
      if (lines.length === 0) return printLine('The audit log has no matching lines.');
      for (const line of lines.flatMap(describeAuditLine)) printLine(line);
    });
}

type Search = Readonly<Partial<Record<(typeof searched)[number] | 'projectId', string>>>;

const searched = ['organization', 'kind', 'actor', 'resource', 'since', 'until'] as const;

function searchOf(flags: Flags): Search {
  const given = searched.flatMap((name) =>
    flags[name] === undefined ? [] : [[name, String(flags[name])]],
  );
  const project = flags['project'];
  return {
    ...Object.fromEntries(given),
    ...(project !== undefined && { projectId: String(project) }),
  };
}

async function exportLines(flags: Flags, wanted: Search): Promise<void> {
  const format = auditFormats.find((name) => name === flags['export']);
  const { BadSetting } = await import('@proofmark/server');
  if (format === undefined) {
    throw new BadSetting(
      `The format ${flags['export']} is unknown; the formats are ${auditFormats.join(' and ')}.`,
    );
  }
  await operate(flags, async (operator) => {
    let isBegun = false;
    for await (const line of operator.walkAuditLog(wanted)) {
      if (!isBegun) await write(auditFileHead(format));
      isBegun = true;
      await write(fileLine(format, line));
    }
    if (!isBegun) await write(auditFileHead(format));
  });
}

type Operator = Parameters<Parameters<typeof operate>[1]>[0];
type Line = Awaited<ReturnType<Operator['readAuditLog']>>[number];

function fileLine(format: AuditFormat, { at, accountEmail, accountId, ...line }: Line): string {
  const actor = { actor: accountEmail, actorId: accountId };
  return auditFileLine(format, { ...line, ...actor, atMs: at.getTime() });
}

/** Waits if the reader of standard output is slow, so that rows do not accumulate in memory. */
function write(text: string): Promise<void> | void {
  if (text === '' || process.stdout.write(text)) return;
  return new Promise((resolve) => void process.stdout.once('drain', resolve));
}
