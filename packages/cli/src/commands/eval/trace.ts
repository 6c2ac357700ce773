import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand, ofTrial } from '../../remote/do-command.ts';
import { traceLines } from '../../remote/trace-lines.ts';

export function evalTraceCommand(): Command {
  const command = doCommand<OutputOf<'getEvalIterationTrace'>>({
    name: 'trace',
    arguments: ofTrial,
    json: 'the whole trace',
    description: 'print the conversation of a trial with its calls',
    act: ({ client, projectId }, [runId = '', iterationId = '']) =>
      client.getEvalIterationTrace({ projectId, runId, iterationId }).catch((error: unknown) => {
        const isNone =
          error instanceof ApiError && error.details['reason'] === 'TRACE_NOT_AVAILABLE';
        if (!isNone) throw error;
        throw new Error(
          `This trial has no trace. See its steps: proofmark eval steps ${runId} ${iterationId}`,
        );
      }),
    lines: traceLines,
  });
  return withExamples(
    command,
    'proofmark eval trace run_1f3a itr_52d0',
    'proofmark eval trace run_1f3a itr_52d0 --json',
  );
}
