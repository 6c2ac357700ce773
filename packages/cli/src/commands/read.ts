import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { contentLines } from '../remote/content-lines.ts';
import { askServer, type ServerFlags, serverCommand } from '../remote/server-command.ts';

export function readCommand(): Command {
  return withExamples(
    serverCommand('read')
      .description('read a resource of a server')
      .argument('<uri>', 'its address')
      .action((uri: string, flags: ServerFlags) =>
        askServer<OutputOf<'readResource'>>(
          flags,
          ({ client, projectId, serverId }, as) =>
            client.readResource({ projectId, serverId, body: { ...as, uri } }),
          ({ contents }) => contentLines(contents),
        ),
      ),
    'proofmark read notes://first --server Notes',
  );
}
