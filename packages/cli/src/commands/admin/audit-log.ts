import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import { describeAuditLine } from './describe-audit-line.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';

export function auditLogCommand(): Command {
  return operatorCommand('audit-log', 'show who changed what, newest first')
    .option('--organization <id or name>', 'only what happened in this organization')
    .option('--project <id>', 'only what happened in this project, also when it is gone')
    .option('--limit <number>', 'how many lines at most', '50')
    .action(async (flags: Flags) => {
      const lines = await operate(flags, (operator) =>
        operator.readAuditLog({
          organization: flags['organization'] as string | undefined,
          projectId: flags['project'] as string | undefined,
          limit: Number(flags['limit']),
        }),
      );
      if (flags['json']) return printJson(lines);
      if (lines.length === 0) return printLine('Nothing is recorded here.');
      for (const line of lines.flatMap(describeAuditLine)) printLine(line);
    });
}
