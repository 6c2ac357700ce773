import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { awaitRun } from '../../remote/settle-run.ts';

export function evalWatchCommand(): Command {
  const command = remoteCommand('watch')
    .description('follow a run to its end, print the decision and exit like `gate`')
    .argument('<run>', 'the id of the run')
    .option('--json', 'print the decision summary as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => awaitRun(await connectToService(flags), runId, flags)),
    );
  return withExamples(command, 'proofmark eval watch run_1f3a');
}
