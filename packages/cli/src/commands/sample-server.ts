import { Command } from 'commander';

/** Not for people at a terminal: the service starts it to speak MCP with it. */
export function sampleServer(): Command {
  return new Command('sample-server')
    .description('run the sample MCP server on standard input and output')
    .action(async () => {
      const { runSampleServer } = await import('@proofmark/server');
      await runSampleServer();
    });
}
