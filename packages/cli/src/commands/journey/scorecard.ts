import type { Command } from 'commander';
import { printJson } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { readScoredRun, scorecardText, scoredRunJson } from '../../remote/journey-scorecard.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function journeyScorecardCommand(): Command {
  return remoteCommand('scorecard')
    .description('show the checks and the judge of a run; exits with 0 for every result')
    .argument('<run>', 'the id of the run')
    .option('--json', 'print the run, its scorecard and its judgements as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const scored = await readScoredRun(connection, runId);
        if (flags.json) printJson(scoredRunJson(scored));
        else process.stdout.write(scorecardText(connection, scored, terminalAbility()));
        return exitCodes.passed;
      }),
    );
}
