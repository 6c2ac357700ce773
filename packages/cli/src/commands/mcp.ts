/** `proofmark mcp` offers a service's API as MCP tools over stdio. */
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printNotice } from '../output.ts';
import { type ConnectionFlags, reachService, remotely } from '../remote/connection.ts';
import { exitCodes } from '../remote/exit-codes.ts';

export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description('serve the API as MCP tools over stdio, for an agent')
    .option('--url <url>', 'address of the service (default: PROOFMARK_URL, or this folder)')
    .action((flags: Pick<ConnectionFlags, 'url'>) =>
      remotely(async () => {
        const { url, client } = reachService(flags);
        // A dynamic import, so that other commands do not load the MCP library.
        const { serveTools } = await import('../remote/serve-tools.ts');
        // Notices go to standard error, because standard output carries the MCP protocol.
        printNotice(`serving the tools of ${url} on standard input and output.`);
        await serveTools(client);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark mcp                             the service of this folder',
    'PROOFMARK_API_KEY=sk_… proofmark mcp --url https://proofmark.example',
    '',
    'The guide on agents has the configuration for each client.',
  );
}
