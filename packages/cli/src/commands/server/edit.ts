import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand } from '../../remote/do-command.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { findServer } from '../../remote/find-server.ts';
import { type ServerFields, serverFields, withServerFields } from '../../remote/server-fields.ts';

interface Flags extends ServerFields {
  readonly name?: string;
  readonly enabled?: 'on' | 'off';
}

export function serverEditCommand(): Command {
  const command = doCommand<{ name: string }, Flags>({
    name: 'edit',
    description: 'change a saved server; given headers replace all others',
    arguments: [['server', 'id or name']],
    async act(connection, [wanted], flags) {
      const body = {
        ...(flags.name !== undefined && { name: flags.name }),
        ...(flags.enabled !== undefined && { enabled: switched(flags.enabled) }),
        ...serverFields(flags, process.env),
      };
      if (Object.keys(body).length === 0) {
        throw new UsageProblem(
          'Give at least one change, for example --at URL; --help lists the flags.',
        );
      }
      const { id: serverId } = await findServer(connection, wanted);
      return connection.client.updateProjectServer({
        projectId: connection.projectId,
        serverId,
        body,
      });
    },
    sentences: ({ name }) => [`Saved ${name}.`],
  });
  return withExamples(
    withServerFields(command)
      .option('--name <name>', 'its new name')
      .option('--at <url>', 'its new address; another host removes its headers and secrets')
      .option('--enabled <on or off>', 'use it or not'),
    'proofmark server edit Bookshop --at https://bookshop.example/v2/mcp',
    'proofmark server edit Bookshop --enabled off',
  );
}

function switched(word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on';
  throw new UsageProblem('--enabled takes on or off.');
}
