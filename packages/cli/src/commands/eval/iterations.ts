import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { cleanText, type Stage, stages, stageWords } from '@proofmark/domain';
import { trialEndWords } from '@proofmark/report';
import { type Command, Option } from 'commander';
import { withExamples } from '../../examples.ts';
import { printColumns, printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { duration } from '../../remote/durations.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { terminalAbility } from '../../remote/terminal.ts';

type Trial = OutputOf<'listEvalRunIterations'>['items'][number];

interface Flags extends ConnectionFlags {
  readonly failed?: true;
  readonly case?: string;
  readonly stage?: Stage;
  readonly json?: true;
}

export function evalIterationsCommand(): Command {
  const command = remoteCommand('iterations')
    .description('list the trials of a run')
    .argument('<run>', 'the id of the run')
    .option('--failed', 'only trials that did not pass or could not be graded')
    .option('--case <id>', 'only trials of this case')
    .addOption(
      new Option('--stage <stage>', 'only trials that failed at this stage').choices([...stages]),
    )
    .option('--json', 'print them as JSON')
    .action((runId: string, flags: Flags) => remotely(() => listTrials(runId, flags)));
  return withExamples(
    command,
    'proofmark eval iterations run_1f3a',
    'proofmark eval iterations run_1f3a --failed --stage selection',
  );
}

async function listTrials(runId: string, flags: Flags): Promise<number> {
  const { client, projectId } = await connectToService(flags);
  const asked = {
    projectId,
    runId,
    limit: 200,
    ...(flags.failed && { result: 'notPassed' as const }),
    ...(flags.case !== undefined && { caseId: flags.case }),
    ...(flags.stage !== undefined && { stage: flags.stage }),
  };
  const trials = await readAllPages((page) => client.listEvalRunIterations({ ...asked, ...page }));
  const { ascii, width } = terminalAbility();
  if (flags.json) printJson(trials);
  else if (trials.length === 0) printLine('There are no matching trials yet.');
  else {
    const rows = trials.map((trial) => trialRow(trial, ascii, width));
    printColumns(['TRIAL', 'NO', 'RESULT', 'STAGE', 'TIME', 'CASE'], rows);
  }
  return exitCodes.passed;
}

function trialRow(trial: Trial, ascii: boolean, width: number): string[] {
  const { id, iterationNumber, status, firstFailedStage, durationMs } = trial;
  const title = cleanText(trial.title ?? trial.caseId ?? trial.testCaseId ?? '', ascii);
  const name = trial.model === null ? title : `${title} on ${cleanText(trial.model, ascii)}`;
  return [
    ...[id, String(iterationNumber), trialEndWords(trial) ?? status],
    firstFailedStage === undefined ? '' : stageWords[firstFailedStage],
    durationMs === null ? '' : duration(durationMs),
    [...name].slice(0, width - 2).join(''),
  ];
}
