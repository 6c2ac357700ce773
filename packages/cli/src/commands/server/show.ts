import type { ProjectServer } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { findServer } from '../../remote/find-server.ts';
import { showCommand } from '../../remote/show-command.ts';

export function serverShowCommand(): Command {
  const command = showCommand<ProjectServer>({
    what: 'server',
    description: 'show a saved server; values of headers and secrets are never shown',
    read: async (connection, wanted) => {
      const { id: serverId } = await findServer(connection, wanted);
      return connection.client.getProjectServer({ projectId: connection.projectId, serverId });
    },
    facts: (server) => [
      ['Server', server.name],
      ['Id', server.id],
      ['Address', server.url ?? '(a program of the operator)'],
      ['Enabled', server.enabled ? 'yes' : 'no'],
      ['Headers', server.headerNames.join(', ') || 'none'],
      ['Timeout', server.timeout === null ? 'the usual' : `${server.timeout} ms`],
      [
        'Largest message',
        server.maxMessageMiB === null ? 'the usual' : `${server.maxMessageMiB} MiB`,
      ],
      ['OAuth', server.useOAuth ? server.oauthScopes.join(' ') || 'yes' : 'no'],
    ],
  });
  return withExamples(command, 'proofmark server show Bookshop');
}
