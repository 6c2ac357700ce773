import { type Command, Option } from 'commander';
import { withExamples } from '../../examples.ts';
import { printNotice } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { errorWithKeyFlag, modelKeyFlag, readModelKeys } from '../../remote/model-keys.ts';
import { printEstimate } from '../../remote/print-spending.ts';
import { awaitRun } from '../../remote/settle-run.ts';
import { warningText } from '../../remote/warning-text.ts';
import { readTrialsPerCase } from './run.ts';

interface Flags extends ConnectionFlags {
  readonly model: string;
  readonly servers: 'recorded' | 'live';
  readonly onDivergence: 'stop' | 'live';
  readonly iterations?: number;
  readonly modelKey?: readonly string[];
  readonly json?: true;
}

export function evalReplayCommand(): Command {
  const command = remoteCommand('replay')
    .description(
      'replay a run from its recordings with the current cases; exits like `gate`, and with 3 if a trial diverged or was not recorded',
    )
    .argument('<run>', 'the id of the run')
    .option(
      '--model <model>',
      'recorded: without a model; live: the models of the cases; or the id of a model',
      'recorded',
    )
    .addOption(
      new Option('--servers <side>', 'recorded: without servers')
        .choices(['recorded', 'live'])
        .default('recorded'),
    )
    .addOption(
      new Option('--on-divergence <what>', 'the result of a trial that differs from its recording')
        .choices(['stop', 'live'])
        .default('stop'),
    )
    .option('--iterations <number>', 'most trials of each case (1 to 100)', readTrialsPerCase)
    .option(...modelKeyFlag)
    .option('--json', 'print the decision summary as JSON')
    .action((runId: string, flags: Flags) => remotely(() => replayRun(runId, flags)));
  return withExamples(
    command,
    'proofmark eval replay run_1f3a',
    'proofmark eval replay run_1f3a --servers live',
    'proofmark eval replay run_1f3a --model proofmark/lexical-1 --json',
  );
}

async function replayRun(runId: string, flags: Flags): Promise<number> {
  const { servers, onDivergence, iterations } = flags;
  const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const { suiteId } = await client.getEvalRun({ projectId, runId });
  const named = flags.model !== 'recorded' && flags.model !== 'live' ? flags.model : undefined;
  const model = flags.model === 'recorded' ? 'recorded' : 'live';
  const replay = { runId, model, servers, onDivergence } as const;
  await printEstimate(connection, {
    suiteId,
    iterations,
    replay,
    model: named,
    keyedProviders: Object.keys(modelApiKeys),
  });
  const launching = client.createEvalRun({
    projectId,
    body: {
      suiteId,
      replay,
      ...(named !== undefined && { model: named }),
      ...(iterations !== undefined && { iterationOverride: iterations }),
      ...(flags.modelKey !== undefined && { modelApiKeys }),
    },
  });
  const started = await launching.catch((error: unknown) => {
    throw errorWithKeyFlag(error);
  });
  for (const warning of started.warnings) printNotice(warningText(warning));
  printNotice(`run ${started.runId} has started.`);
  return awaitRun(connection, started.runId, flags);
}
