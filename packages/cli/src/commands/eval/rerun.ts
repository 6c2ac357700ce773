import { type RerunScope, rerunScopes } from '@proofmark/domain';
import { type Command, Option } from 'commander';
import { withExamples } from '../../examples.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { errorWithKeyFlag, modelKeyFlag, readModelKeys } from '../../remote/model-keys.ts';
import { settleRun } from '../../remote/settle-run.ts';

interface Flags extends ConnectionFlags {
  readonly scope: RerunScope;
  readonly failed?: true;
  readonly modelKey?: readonly string[];
  readonly wait?: true;
  readonly json?: true;
}

export function evalRerunCommand(): Command {
  const command = remoteCommand('rerun')
    .description('rerun the failed case variants of a run; with --wait, exit like `gate`')
    .argument('<run>', 'the id of the run')
    .addOption(
      new Option('--scope <scope>', 'the case variants to rerun: those with such a trial')
        .choices([...rerunScopes])
        .default('failed')
        .conflicts('failed'),
    )
    .option('--failed', 'the same as --scope failed')
    .option(...modelKeyFlag)
    .option('--wait', 'wait for the end and print the decision')
    .option('--json', 'print the started run as JSON; with --wait the decision summary')
    .action((runId: string, flags: Flags) =>
      remotely(async () => {
        const modelApiKeys = readModelKeys(flags.modelKey ?? [], process.env);
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        const { scope } = flags;
        const body = { scope, ...(flags.modelKey !== undefined && { modelApiKeys }) };
        const launching = client.rerunEvalRun({ projectId, runId, body });
        const started = await launching.catch((error: unknown) => {
          throw errorWithKeyFlag(error);
        });
        return settleRun(connection, started, flags);
      }),
    );
  return withExamples(
    command,
    'proofmark eval rerun run_1f3a --failed --wait',
    'proofmark eval rerun run_1f3a --scope notGraded',
  );
}
