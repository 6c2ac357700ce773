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

interface Offered {
  readonly resources: OutputOf<'listResources'>['items'];
  readonly templates: OutputOf<'listResourceTemplates'>['items'];
}

export function resourcesCommand(): Command {
  return withExamples(
    serverFirstCommand('resources')
      .description('list the resources and resource templates of a server')
      .action((server: string | undefined, flags: AskedServerFlags) =>
        askServer<Offered>(
          serverNamed(server, flags),
          async ({ client, projectId, serverId }, as) => {
            const asked = (cursor?: string) => ({
              projectId,
              serverId,
              body: { ...as, ...(cursor !== undefined && { cursor }) },
            });
            return {
              resources: await readAllPages(({ cursor }) => client.listResources(asked(cursor))),
              templates: await readAllPages(({ cursor }) =>
                client.listResourceTemplates(asked(cursor)),
              ),
            };
          },
          ({ resources, templates }, ability) =>
            listingLines(
              [
                ...resources.map((one) => ({ name: one.uri, description: described(one) })),
                ...templates.map((one) => ({ name: one.uriTemplate, description: described(one) })),
              ],
              'The server lists no resources.',
              ability,
            ),
        ),
      ),
    'proofmark resources Bookshop',
  );
}

function described(one: { name?: string | undefined; description?: string | undefined }): string {
  return [one.name, one.description].filter(Boolean).join(': ');
}
