import type { OutputOf } from '@proofmark/contract';
import { cleanText, runStatusWords, trialsPassed, verdictWords } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { listingCommand } from '../../remote/listing-command.ts';

type Suite = OutputOf<'listEvalSuites'>['items'][number];

export function suiteListCommand(): Command {
  const command = listingCommand<Suite>({
    description: 'list the suites of a project with their latest runs',
    readPage: ({ client, projectId }, page) => client.listEvalSuites({ projectId, ...page }),
    none: 'No suites yet. Add one: proofmark suite import FILE',
    header: ['ID', 'LATEST RUN', 'TRIALS PASSED', 'NAME'],
    row: ({ id, name, latestRun }, ascii) => [
      id,
      latestRunWord(latestRun),
      latestRun === null ? '' : trialsPassed(latestRun),
      cleanText(name, ascii),
    ],
  });
  return withExamples(command, 'proofmark suite list');
}

export function latestRunWord(
  run: Pick<NonNullable<Suite['latestRun']>, 'status' | 'verdict'> | null,
): string {
  if (run === null) return 'none yet';
  const isDecided = run.status === 'completed' || run.verdict !== 'notEstablished';
  return isDecided ? verdictWords[run.verdict] : runStatusWords[run.status];
}
