import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { listingLines } from '../remote/listing-lines.ts';
import {
  type AskedServerFlags,
  askServer,
  serverFirstCommand,
  serverNamed,
} from '../remote/server-command.ts';

type Prompt = OutputOf<'listPrompts'>['items'][number];

export function promptsCommand(): Command {
  return withExamples(
    serverFirstCommand('prompts')
      .description('list the prompts of a server')
      .action((server: string | undefined, flags: AskedServerFlags) =>
        askServer<Prompt[]>(
          serverNamed(server, flags),
          ({ client, projectId, serverId }, as) =>
            readAllPages(({ cursor }) =>
              client.listPrompts({
                projectId,
                serverId,
                body: { ...as, ...(cursor !== undefined && { cursor }) },
              }),
            ),
          (prompts, ability) =>
            listingLines(
              prompts.map((prompt) => ({ ...prompt, name: signature(prompt) })),
              'The server lists no prompts.',
              ability,
            ),
        ),
      ),
    'proofmark prompts Bookshop',
  );
}

function signature({ name, arguments: parameters = [] }: Prompt): string {
  const names = parameters.map((one) => (one.required ? one.name : `${one.name}?`));
  return `${name}(${names.join(', ')})`;
}
