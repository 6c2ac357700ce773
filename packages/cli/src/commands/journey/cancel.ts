import { count } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';

export function journeyCancelCommand(): Command {
  return remoteCommand('cancel')
    .description('stop a run; sessions that have ended are kept')
    .argument('<run>', 'the id of the run')
    .option('--json', 'print what was stopped as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const stopped = await client.cancelJourneyRun({ projectId, runId });
        if (flags.json) printJson(stopped);
        else printLine(`Run ${runId} is canceled; ${count(stopped.finalized, 'session')} stopped.`);
        return exitCodes.passed;
      }),
    );
}
