import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { type NamedFacts, showCommand } from '../../remote/show-command.ts';

export function suiteShowCommand(): Command {
  const command = showCommand<OutputOf<'getEvalSuite'>>({
    what: 'suite',
    description: 'show the settings of a suite; `suite export` writes all of it',
    read: async (connection, wanted) => {
      const suiteId = await findSuiteId(connection, wanted);
      return connection.client.getEvalSuite({ projectId: connection.projectId, suiteId });
    },
    facts: ({ id, name, description, environment, executionConfig }): NamedFacts => [
      ['Name', name],
      ['Id', id],
      ...(description === null ? [] : [['Description', description] as const]),
      ['Servers', environment.servers.join(', ') || 'none saved'],
      ['Model', executionConfig?.model ?? 'stated by its cases'],
      ['Next', `proofmark eval run ${id} --wait`],
    ],
  });
  return withExamples(command, 'proofmark suite show Bookshop');
}
