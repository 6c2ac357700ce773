import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { cleanText, runStatusWords, trialsPassed, verdictWords } from '@proofmark/domain';
import type { Command } from 'commander';
import { printColumns, printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { terminalAbility } from '../../remote/terminal.ts';

type Suite = OutputOf<'listEvalSuites'>['items'][number];

export function suiteListCommand(): Command {
  return remoteCommand('list')
    .description('list the suites of a project with their latest run')
    .option('--json', 'print them as JSON')
    .action((flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const suites = await readAllPages((page) => client.listEvalSuites({ projectId, ...page }));
        if (flags.json) printJson(suites);
        else if (suites.length === 0)
          printLine('No suites yet. Add one: proofmark suite import FILE');
        else printSuites(suites);
        return exitCodes.passed;
      }),
    );
}

function printSuites(suites: readonly Suite[]): void {
  const { ascii } = terminalAbility();
  printColumns(
    ['ID', 'LATEST RUN', 'TRIALS PASSED', 'NAME'],
    suites.map(({ id, name, latestRun }) => [
      id,
      latestRunWord(latestRun),
      latestRun === null ? '' : trialsPassed(latestRun),
      cleanText(name, ascii),
    ]),
  );
}

/** Its verdict; how far it came where there is none. */
export function latestRunWord(run: Suite['latestRun']): string {
  if (run === null) return 'none yet';
  const isDecided = run.status === 'completed' || run.verdict !== 'notEstablished';
  return isDecided ? verdictWords[run.verdict] : runStatusWords[run.status];
}
