import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { listingLines, signatureOf } from '../remote/listing-lines.ts';
import {
  type AskedServerFlags,
  askServer,
  serverFirstCommand,
  serverNamed,
} from '../remote/server-command.ts';

type Tool = OutputOf<'listTools'>['items'][number];

export function toolsCommand(): Command {
  return withExamples(
    serverFirstCommand('tools')
      .description('list the tools of a server')
      .action((server: string | undefined, flags: AskedServerFlags) =>
        askServer<Tool[]>(
          serverNamed(server, flags),
          ({ client, projectId, serverId }, as) =>
            readAllPages(({ cursor }) =>
              client.listTools({
                projectId,
                serverId,
                body: { ...as, ...(cursor !== undefined && { cursor }) },
              }),
            ),
          (tools, ability) =>
            listingLines(
              tools.map(({ name, description, inputSchema }) => ({
                name: signatureOf(name, inputSchema),
                description,
              })),
              'The server lists no tools.',
              ability,
            ),
        ),
      ),
    'proofmark tools',
    'proofmark tools Bookshop --json',
  );
}
