import { ApiError } from '@proofmark/client';
import { maxConfiguredTrials, readTypedCredits } from '@proofmark/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { errorWithKeyFlag, modelKeyFlag, readModelKeys } from '../../remote/model-keys.ts';
import { printEstimate } from '../../remote/print-spending.ts';
import { settleRun } from '../../remote/settle-run.ts';
import {
  readTrialPlan,
  type TrialPlanFlags,
  withTrialPlanFlags,
} from '../../remote/trial-plan-flags.ts';

interface Flags extends ConnectionFlags, TrialPlanFlags {
  readonly environment?: string;
  readonly iterations?: number;
  readonly maxCredits?: number;
  readonly modelKey?: readonly string[];
  readonly wait?: true;
  readonly json?: true;
}

export function evalRunCommand(): Command {
  const command = withTrialPlanFlags(remoteCommand('run'))
    .description('start a run of a suite; with --wait, exit like `gate`')
    .argument('<suite>', 'the id or the name of the suite')
    .option('--environment <id>', 'an environment of the suite')
    .option('--iterations <number>', 'repetitions of every case (1 to 100)', readTrialsPerCase)
    .option('--max-credits <number>', 'most credits the run may use', readCredits)
    .option(...modelKeyFlag)
    .option('--wait', 'wait for the end and print the decision')
    .option('--json', 'print the started run as JSON; with --wait the decision summary')
    .action((wanted: string, flags: Flags) => remotely(() => startRun(wanted, flags)));
  return withExamples(
    command,
    'proofmark eval run Bookshop --wait',
    'proofmark eval run Bookshop --iterations 5 --max-credits 50',
    'proofmark eval run Bookshop --healthy-rate 0.9 --drop 0.2 --wait',
  );
}

async function startRun(wanted: string, flags: Flags): Promise<number> {
  const trials = readTrialPlan(flags, [['--iterations', flags.iterations]]);
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const suiteId = await findSuiteId(connection, wanted);
  await printEstimate(connection, {
    suiteId,
    environmentId: flags.environment,
    iterations: flags.iterations,
    maxCredits: flags.maxCredits,
    keyedProviders: Object.keys(modelApiKeys),
  });
  const launching = client.createEvalRun({
    projectId,
    body: {
      suiteId,
      ...(flags.modelKey !== undefined && { modelApiKeys }),
      ...(flags.environment !== undefined && { environmentId: flags.environment }),
      ...(flags.iterations !== undefined && { iterationOverride: flags.iterations }),
      ...(trials && { trials }),
      ...(flags.maxCredits !== undefined && { maxCredits: flags.maxCredits }),
    },
  });
  const started = await launching.catch((error: unknown) => {
    if (lacksServers(error)) throw new UsageProblem(savesNoServers);
    throw errorWithKeyFlag(error);
  });
  return settleRun(connection, started, flags);
}

/**
 * The hint for a suite without saved servers. No flag of this command can choose servers; only the
 * suite's page or file can.
 */
const savesNoServers =
  'The suite has no saved servers and no environment: choose servers on its page in the console, or name them in its file and import it.';

function lacksServers(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'NO_SAVED_SERVER_SELECTION';
}

export function readCredits(text: string): number {
  const credits = readTypedCredits(text);
  if (credits !== undefined) return credits;
  throw new InvalidArgumentError('Give a number of credits, for example 50 or 2.5.');
}

export function readTrialsPerCase(text: string): number {
  const number = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxConfiguredTrials) return number;
  throw new InvalidArgumentError(`Give a number from 1 to ${maxConfiguredTrials}.`);
}
