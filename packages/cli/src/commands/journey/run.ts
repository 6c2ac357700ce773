import { journeyVerdict } from '@proofmark/domain';
import { journeyEstimateWords } from '@proofmark/report';
import type { Command } from 'commander';
import { printJson, printLine, printNotice } from '../../output.ts';
import { collectFlag } from '../../remote/collect-flag.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findEnvironmentIds, findJourneyId } from '../../remote/find-id.ts';
import { followJourneyRun, reportJourneyContinues } from '../../remote/follow-journey-run.ts';
import { scorecardText, scoredRunJson } from '../../remote/journey-scorecard.ts';
import { printUncapitalized } from '../../remote/notice.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { whileNotInterrupted } from '../../remote/while-not-interrupted.ts';

interface Flags extends ConnectionFlags {
  readonly environment?: readonly string[];
  readonly wave?: string;
  readonly wait?: true;
  readonly json?: true;
}

export function journeyRunCommand(): Command {
  return remoteCommand('run')
    .description('run a journey; with --wait, exit with 1 if a check did not hold')
    .argument('<journey>', 'the id or the name of the journey')
    .option(
      '--environment <id or name>',
      'play it in this environment instead of its targets; repeat for more',
      collectFlag,
    )
    .option('--wave <id>', 'runs with the same id are mined together')
    .option('--wait', 'wait for grades, judges and findings, and print the scorecard')
    .option(
      '--json',
      'print the started run as JSON; with --wait the run with its scorecard and judgements',
    )
    .action((wanted: string, flags: Flags) => remotely(() => startRun(wanted, flags)));
}

async function startRun(wanted: string, flags: Flags): Promise<number> {
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const journeyId = await findJourneyId(connection, wanted);
  const environmentIds =
    flags.environment && (await findEnvironmentIds(connection, flags.environment));
  const launch = {
    ...(environmentIds !== undefined && { environmentIds }),
    ...(flags.wave !== undefined && { waveId: flags.wave }),
  };
  await printEstimate(connection, journeyId, launch);
  const started = await client.launchJourneyRun({ projectId, journeyId, body: launch });
  const runId = started.id;
  if (!flags.wait) {
    if (flags.json) printJson(started);
    else {
      printLine(`Run ${runId} has started.`);
      printLine(`Read it: proofmark journey scorecard ${runId}`);
    }
    return exitCodes.passed;
  }
  printNotice(`run ${runId} has started.`);
  const ended = await whileNotInterrupted(followJourneyRun(connection, runId, printNotice), () =>
    reportJourneyContinues(runId, printNotice),
  );
  if (ended === undefined) return exitCodes.other;
  if (flags.json) printJson(scoredRunJson(ended));
  else process.stdout.write(scorecardText(connection, ended, terminalAbility()));
  return verdictExitCodes[journeyVerdict(ended.run, ended.card)];
}

/**
 * Exit codes by verdict, as for `eval run`. Only a measured failure returns 1; a missing result
 * returns 3.
 */
const verdictExitCodes = {
  passed: exitCodes.passed,
  failed: exitCodes.failed,
  inconclusive: exitCodes.other,
  notEstablished: exitCodes.other,
} as const;

/**
 * Prints nothing if the service returns no estimate. The launch that follows reports the reason.
 */
async function printEstimate(
  { client, projectId }: Connection,
  journeyId: string,
  body: { environmentIds?: string[]; waveId?: string },
): Promise<void> {
  const asked = client.estimateJourneyRun({ projectId, journeyId, body });
  const estimate = await asked.catch(() => undefined);
  if (estimate === undefined) return;
  for (const sentence of journeyEstimateWords(estimate)) printUncapitalized(sentence);
}
