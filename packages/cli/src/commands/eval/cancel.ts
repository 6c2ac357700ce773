import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand, ofRun } from '../../remote/do-command.ts';

export function evalCancelCommand(): Command {
  const command = doCommand<OutputOf<'cancelEvalRun'>>({
    name: 'cancel',
    arguments: ofRun,
    json: 'the run',
    description: 'stop a run; what was measured so far is kept',
    act: ({ client, projectId }, [runId = '']) => client.cancelEvalRun({ projectId, runId }),
    sentences: ({ id, status }) => [`Run ${id} is ${status.replace('_', ' ')}.`],
  });
  return withExamples(command, 'proofmark eval cancel run_1f3a');
}
