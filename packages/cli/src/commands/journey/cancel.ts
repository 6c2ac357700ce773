import type { OutputOf } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import type { Command } from 'commander';
import { doCommand, ofRun } from '../../remote/do-command.ts';

export function journeyCancelCommand(): Command {
  return doCommand<OutputOf<'cancelJourneyRun'>>({
    name: 'cancel',
    arguments: ofRun,
    json: 'the result',
    description: 'stop a run; sessions that have ended are kept',
    act: ({ client, projectId }, [runId = '']) => client.cancelJourneyRun({ projectId, runId }),
    sentences: ({ id, finalized }) => [
      `Run ${id} is canceled; ${count(finalized, 'session')} stopped.`,
    ],
  });
}
