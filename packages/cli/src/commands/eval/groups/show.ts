import { cleanText, trialsPassed } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../../examples.ts';
import { printColumns, printJson } from '../../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../../remote/connection.ts';
import { exitCodes } from '../../../remote/exit-codes.ts';
import { terminalAbility } from '../../../remote/terminal.ts';
import { latestRunWord } from '../../suite/list.ts';

export function groupsShowCommand(): Command {
  const command = remoteCommand('show')
    .description('list the runs of a group with their verdicts; ends with 0')
    .argument('<group>', 'the id of the group, as `start` prints it')
    .option('--json', 'print the group as JSON')
    .action((runGroupId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const group = await client.getEvalRunGroup({ projectId, runGroupId });
        const { ascii } = terminalAbility();
        if (flags.json) printJson(group);
        else {
          const rows = group.runs.map((run) => [
            run.id,
            latestRunWord(run),
            trialsPassed({ status: run.status, ...run.summary }),
            cleanText(run.environment?.name ?? 'saved servers', ascii),
          ]);
          printColumns(['RUN', 'VERDICT', 'TRIALS PASSED', 'ENVIRONMENT'], rows);
        }
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark eval groups show rgp_8c1e');
}
