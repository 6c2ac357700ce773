import { ApiError } from '@proofmark/client';
import { maxConfiguredTrials, waiverOf } from '@proofmark/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { printJson, printLine, printNotice } from '../../output.ts';
import { collectFlag } from '../../remote/collect-flag.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { decisionText } from '../../remote/decision-text.ts';
import { exitCodes, runExitCode, UsageProblem } from '../../remote/exit-codes.ts';
import { fetchDecision } from '../../remote/fetch-decision.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { followRun, tellGoesOn } from '../../remote/follow-run.ts';
import { readModelKeys } from '../../remote/model-keys.ts';
import { tellEstimate, tellSpending } from '../../remote/tell-spending.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { warningText } from '../../remote/warning-text.ts';
import { whileNotInterrupted } from '../../remote/while-not-interrupted.ts';

interface Flags extends ConnectionFlags {
  readonly environment?: string;
  readonly iterations?: number;
  readonly modelKey?: readonly string[];
  readonly wait?: true;
  readonly json?: true;
}

export function evalRunCommand(): Command {
  return remoteCommand('run')
    .description('start a run of a suite; with --wait, end as `gate` does')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--environment <id>', 'run it in this environment of the suite')
    .option('--iterations <number>', 'repeat every case so often (1 to 100)', readTrialsPerCase)
    .option(
      '--model-key <provider=variable>',
      'run models of a provider on the key in this environment variable; may be given again',
      collectFlag,
    )
    .option('--wait', 'wait for the end and print the decision')
    .option('--json', 'print JSON: what was started, with --wait the decision summary')
    .action((wanted: string, flags: Flags) => remotely(() => startRun(wanted, flags)));
}

async function startRun(wanted: string, flags: Flags): Promise<number> {
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const suiteId = await findSuiteId(connection, wanted);
  await tellEstimate(connection, {
    ...{ suiteId, environmentId: flags.environment, iterations: flags.iterations },
    keyedProviders: Object.keys(modelApiKeys),
  });
  const launching = client.createEvalRun({
    projectId,
    body: {
      suiteId,
      ...(flags.modelKey !== undefined && { modelApiKeys }),
      ...(flags.environment !== undefined && { environmentId: flags.environment }),
      ...(flags.iterations !== undefined && { iterationOverride: flags.iterations }),
    },
  });
  const started = await launching.catch((error: unknown) => {
    if (lacksKey(error)) printNotice('give it a key: --model-key PROVIDER=VARIABLE');
    if (lacksServers(error)) throw new UsageProblem(savesNoServers);
    throw error;
  });
  const { runId } = started;
  for (const warning of started.warnings) printNotice(warningText(warning));
  if (!flags.wait) {
    if (flags.json) printJson(started);
    else {
      printLine(`Run ${runId} has started.`);
      printLine(`Read it: proofmark eval decision ${runId}`);
    }
    return exitCodes.passed;
  }
  printNotice(`run ${runId} has started.`);
  const ended = await whileNotInterrupted(followRun(connection, runId, printNotice), () =>
    tellGoesOn(runId, printNotice),
  );
  if (ended === undefined) return exitCodes.other;
  const decision = await fetchDecision(connection, runId, flags.json ? 'all' : 'first');
  if (flags.json) printJson(decision.summary);
  else {
    const text = { format: 'text', ...terminalAbility() } as const;
    process.stdout.write(decisionText(connection, decision, text));
  }
  const { run, summary } = decision;
  tellSpending(run.spending);
  return runExitCode(run.status, summary.verdict, waiverOf(run) !== undefined);
}

/** The service tells programs to send a key in the body; a person at a terminal does it with a flag. */
function lacksKey(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.details['reason'] === 'MODEL_NOT_AVAILABLE' &&
    error.message.includes('modelApiKeys')
  );
}

/** Which servers a suite runs against is said where it is saved; no flag says it. */
const savesNoServers =
  'The suite has no saved servers and no environment: choose some on its page in the console, or in its file, and import that.';

function lacksServers(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'NO_SAVED_SERVER_SELECTION';
}

export function readTrialsPerCase(text: string): number {
  const number = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxConfiguredTrials) return number;
  throw new InvalidArgumentError(`Give a number from 1 to ${maxConfiguredTrials}.`);
}
