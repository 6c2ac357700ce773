import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printNotice } from '../output.ts';
import { callArguments, calledTool } from '../remote/call-arguments.ts';
import { contentLines, textLines } from '../remote/content-lines.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import {
  type AskedServer,
  type AskedServerFlags,
  askServer,
  serverCommand,
  serverNamed,
} from '../remote/server-command.ts';
import type { TerminalAbility } from '../remote/terminal.ts';

type Result = OutputOf<'callTool'>;

interface Flags extends AskedServerFlags {
  readonly args?: string;
}

export function callCommand(): Command {
  return withExamples(
    serverCommand('call')
      .description('call a tool; exits with 3 if the tool answers with an error')
      .usage('[options] [server] <tool> [key=value...]')
      .argument('<tool...>', 'the server (default: the only one), the tool, and its arguments')
      .option('--args <json>', 'the arguments as one JSON object')
      .action((given: string[], flags: Flags) => {
        const { server: named, toolName, words } = calledTool(given);
        return askServer<Result>(
          serverNamed(named, flags),
          async (server, as) => {
            const schema = words.length === 0 ? undefined : await schemaOf(server, toolName, as);
            const parameters = callArguments(words, flags.args, schema);
            const { client, projectId, serverId } = server;
            const body = { ...as, toolName, parameters };
            return client.callTool({ projectId, serverId, body });
          },
          resultLines,
          (result) => (isUsable(result) ? exitCodes.passed : exitCodes.other),
        );
      }),
    'proofmark call Bookshop get_book bookId=3',
    'proofmark call search --args \'{"words": ["sea"]}\' --json',
  );
}

function isUsable({ isError, outputCheck }: Result): boolean {
  return isError !== true && outputCheck?.state !== 'invalid';
}

/** Returns undefined for a tool that the server does not list. Such a tool can still be called. */
async function schemaOf(
  { client, projectId, serverId }: AskedServer,
  toolName: string,
  as: { clientId?: string },
): Promise<unknown> {
  const tools = await readAllPages(({ cursor }) =>
    client.listTools({
      projectId,
      serverId,
      body: { ...as, ...(cursor !== undefined && { cursor }) },
    }),
  );
  return tools.find(({ name }) => name === toolName)?.inputSchema;
}

function resultLines(result: Result, ability: TerminalAbility): string[] {
  if (result.isError) printNotice('The tool answered with an error:');
  if (result.outputCheck?.state === 'invalid') {
    const why = cleanText(result.outputCheck.message ?? '', ability.ascii);
    printNotice(`The result breaks the tool's own outputSchema: ${why}`);
  }
  const lines = contentLines(result.content, ability);
  if (lines.length > 0 || result.structuredContent === undefined) return lines;
  return textLines(JSON.stringify(result.structuredContent, null, 2), ability);
}
