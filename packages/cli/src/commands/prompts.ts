import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { offerLines } from '../remote/offer-lines.ts';
import { askServer, type ServerFlags, serverCommand } from '../remote/server-command.ts';

type Prompt = OutputOf<'listPrompts'>['items'][number];

export function promptsCommand(): Command {
  return withExamples(
    serverCommand('prompts')
      .description('list the prompts of a server')
      .action((flags: ServerFlags) =>
        askServer<Prompt[]>(
          flags,
          ({ client, projectId, serverId }, as) =>
            readAllPages(({ cursor }) =>
              client.listPrompts({
                ...{ projectId, serverId },
                body: { ...as, ...(cursor !== undefined && { cursor }) },
              }),
            ),
          (prompts, ability) =>
            offerLines(
              prompts.map((prompt) => ({ ...prompt, name: signature(prompt) })),
              'The server lists no prompts.',
              ability,
            ),
        ),
      ),
    'proofmark prompts --server Bookshop',
  );
}

function signature({ name, arguments: parameters = [] }: Prompt): string {
  const names = parameters.map((one) => (one.required ? one.name : `${one.name}?`));
  return `${name}(${names.join(', ')})`;
}
