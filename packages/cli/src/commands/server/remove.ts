import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand } from '../../remote/do-command.ts';
import { findServer } from '../../remote/find-server.ts';

export function serverRemoveCommand(): Command {
  const command = doCommand<{ id: string; name: string }>({
    name: 'remove',
    description: 'delete a saved server; runs that used it stay',
    arguments: [['server', 'id or name']],
    async act(connection, [wanted]) {
      const found = await findServer(connection, wanted);
      const { client, projectId } = connection;
      await client.deleteProjectServer({ projectId, serverId: found.id });
      return { id: found.id, name: found.name };
    },
    sentences: ({ name }) => [`Deleted ${name}.`],
  });
  return withExamples(command, 'proofmark server remove Bookshop');
}
