import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';

interface Flags extends ConnectionFlags {
  readonly yes?: true;
  readonly json?: true;
}

export function suiteDeleteCommand(): Command {
  const command = remoteCommand('delete')
    .description('delete a suite with its cases and all its runs for good')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--yes', 'delete it without asking')
    .option('--json', 'print the answer as JSON')
    .action((wanted: string, flags: Flags) =>
      remotely(async () => {
        if (!flags.yes) {
          throw new UsageProblem(
            `This deletes the suite with all its runs for good. Keep a copy: proofmark suite export ${JSON.stringify(wanted)}; then add --yes.`,
          );
        }
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        const suiteId = await findSuiteId(connection, wanted);
        const deleted = await client.deleteEvalSuite({ projectId, suiteId });
        if (flags.json) printJson(deleted);
        else printLine(`Suite ${suiteId} is deleted.`);
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark suite delete Bookshop --yes');
}
