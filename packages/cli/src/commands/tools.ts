import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printNotice } from '../output.ts';
import { excludedToolLines } from '../remote/doctor-lines.ts';
import { listingLines, signatureOf } from '../remote/listing-lines.ts';
import {
  type AskedServerFlags,
  askServer,
  serverFirstCommand,
  serverNamed,
} from '../remote/server-command.ts';
import { terminalAbility } from '../remote/terminal.ts';

type ToolPage = OutputOf<'listTools'>;
type Tool = ToolPage['items'][number];

/** With `--json`, the excluded tools are printed beside the list, which stays a list of tools. */
function printTools(server: string | undefined, flags: AskedServerFlags) {
  const excluded: NonNullable<ToolPage['excludedTools']> = [];
  return askServer<Tool[]>(
    serverNamed(server, flags),
    async ({ client, projectId, serverId }, as) => {
      const tools = await readAllPages(async ({ cursor }) => {
        const body = { ...as, ...(cursor !== undefined && { cursor }) };
        const page = await client.listTools({ projectId, serverId, body });
        excluded.push(...(page.excludedTools ?? []));
        return page;
      });
      if (flags.json)
        for (const line of excludedToolLines(terminalAbility(), excluded)) printNotice(line);
      return tools;
    },
    (tools, ability) => [
      ...listingLines(
        tools.map(({ name, description, inputSchema }) => ({
          name: signatureOf(name, inputSchema),
          description,
        })),
        'The server lists no tools.',
        ability,
      ),
      ...(excluded.length === 0 ? [] : ['', ...excludedToolLines(ability, excluded)]),
    ],
  );
}

export function toolsCommand(): Command {
  return withExamples(
    serverFirstCommand('tools')
      .description('list the tools of a server')
      .action((server: string | undefined, flags: AskedServerFlags) => printTools(server, flags)),
    'proofmark tools',
    'proofmark tools Bookshop --json',
  );
}
