import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../../examples.ts';
import { printJson, printLine } from '../../../output.ts';
import { collectFlag } from '../../../remote/collect-flag.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../../remote/exit-codes.ts';
import { findEnvironmentIds, findSuiteId } from '../../../remote/find-id.ts';
import { terminalAbility } from '../../../remote/terminal.ts';
import { readTrialsPerCase } from '../run.ts';

interface Flags extends ConnectionFlags {
  readonly environment?: readonly string[];
  readonly iterations?: number;
  readonly json?: true;
}

export function groupsStartCommand(): Command {
  const command = remoteCommand('start')
    .description('start one run for each environment; exits with 3 if one did not start')
    .argument('<suite>', 'the id or the name of the suite')
    .option(
      '--environment <id or name>',
      'an environment of the suite; repeat for more',
      collectFlag,
    )
    .option('--iterations <number>', 'repetitions of every case (1 to 100)', readTrialsPerCase)
    .option('--json', 'print the started runs as JSON')
    .action((wanted: string, flags: Flags) => remotely(() => start(wanted, flags)));
  return withExamples(
    command,
    'proofmark eval groups start Bookshop --environment Staging --environment Live',
  );
}

async function start(wanted: string, flags: Flags): Promise<number> {
  if (flags.environment === undefined) {
    throw new UsageProblem('Name the environments: --environment ID, once for each.');
  }
  const connection = await connectToService(flags);
  const { client, projectId } = connection;
  const suiteId = await findSuiteId(connection, wanted);
  const environmentIds = await findEnvironmentIds(connection, flags.environment);
  const started = await client.createEvalRunGroup({
    projectId,
    body: {
      suiteId,
      targets: environmentIds.map((environmentId) => ({ environmentId })),
      ...(flags.iterations !== undefined && { iterationOverride: flags.iterations }),
    },
  });
  const { ascii } = terminalAbility();
  if (flags.json) printJson(started);
  else {
    for (const { target, runId, error } of started.targets) {
      const name = cleanText(target.name ?? target.environmentId ?? '', ascii);
      printLine(`${name}: ${runId ?? `not started; ${cleanText(error?.message ?? '', ascii)}`}`);
    }
    printLine(`Read them: proofmark eval groups show ${started.runGroupId}`);
  }
  return started.outcome === 'started' ? exitCodes.passed : exitCodes.other;
}
