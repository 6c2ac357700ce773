import { ApiError } from '@proofmark/client';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { traceLines } from '../../remote/trace-lines.ts';

export function evalTraceCommand(): Command {
  const command = remoteCommand('trace')
    .description('read the conversation of a trial, with its calls where they happened')
    .argument('<run>', 'the id of the run')
    .argument('<trial>', 'the id of the trial; `proofmark eval iterations` lists them')
    .option('--json', 'print the whole trace as JSON')
    .action((runId: string, iterationId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const asked = client.getEvalIterationTrace({ projectId, runId, iterationId });
        const trace = await asked.catch((error: unknown) => {
          const isNone =
            error instanceof ApiError && error.details['reason'] === 'TRACE_NOT_AVAILABLE';
          if (!isNone) throw error;
          throw new Error(
            `No trace of this trial was recorded. What became of it: proofmark eval steps ${runId} ${iterationId}`,
          );
        });
        if (flags.json) printJson(trace);
        else for (const line of traceLines(trace, terminalAbility())) printLine(line);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval trace run_1f3a itr_52d0',
    'proofmark eval trace run_1f3a itr_52d0 --json',
  );
}
