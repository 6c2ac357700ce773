import type { Command } from 'commander';
import { printColumns, printJson, printLine } from '../../output.ts';
import { type Flags, operate, operatorCommand } from './operate.ts';
import { printKey } from './print-key.ts';

export function bootstrapCommand(): Command {
  return operatorCommand(
    'bootstrap',
    'make an account, organization and project if missing, and a new key',
  )
    .requiredOption('--email <address>', 'the owner')
    .requiredOption('--organization <name>', 'the organization')
    .option('--project <name>', 'the project (default: Default)')
    .action(async (flags: Flags) => {
      const made = await operate(flags, (operator) =>
        operator.bootstrap({
          email: String(flags['email']),
          organization: String(flags['organization']),
          project: flags['project'] as string | undefined,
        }),
      );
      if (flags['json']) return printJson(made);
      printColumns(
        ['WHAT', 'ID'],
        [
          ['account', made.accountId],
          ['organization', made.organizationId],
          ['project', made.projectId],
          ['API key', made.apiKeyId],
        ],
      );
      printLine();
      printKey(made.apiKey);
    });
}
