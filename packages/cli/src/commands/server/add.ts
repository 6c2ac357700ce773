import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand } from '../../remote/do-command.ts';
import { type ServerFields, serverFields, withServerFields } from '../../remote/server-fields.ts';

export function serverAddCommand(): Command {
  const command = doCommand<{ id: string; name: string }, ServerFields>({
    name: 'add',
    description: 'save an MCP server by its address',
    arguments: [
      ['name', 'its name'],
      ['address', 'its URL'],
    ],
    act: ({ client, projectId }, [name = '', url = ''], flags) =>
      client.createProjectServer({
        projectId,
        body: {
          name,
          url,
          enabled: flags.disabled === undefined,
          transportType: 'http' as const,
          ...serverFields(flags, process.env),
        },
      }),
    sentences: ({ id, name }) => [`Saved ${name} (${id}).`, `Next: proofmark doctor ${id}`],
  });
  return withExamples(
    withServerFields(command).option('--disabled', 'save it disabled'),
    'proofmark server add Bookshop https://bookshop.example/mcp',
    'proofmark server add Notes https://notes.example/mcp --header X-Key=NOTES_KEY',
  );
}
