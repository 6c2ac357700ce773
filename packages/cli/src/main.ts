/** The `proofmark` command. Each command is a file of its own; the server is loaded only by those that need it. */

import { version } from '@proofmark/contract';
import { Command, CommanderError } from 'commander';
import { admin } from './commands/admin.ts';
import { backup, restore } from './commands/backup.ts';
import { config } from './commands/config.ts';
import { migrate } from './commands/migrate.ts';
import { sampleServer } from './commands/sample-server.ts';
import { serve } from './commands/serve.ts';
import { work } from './commands/work.ts';

export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('proofmark')
    .description('Test, evaluate and gate MCP servers.')
    .version(version)
    .showHelpAfterError('Run with --help to see what there is.')
    // With all their arguments the commands would not fit a terminal; each has its own --help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  for (const command of [serve(), work(), migrate(), admin(), backup(), restore(), config()]) {
    program.addCommand(command);
  }
  program.addCommand(sampleServer(), { hidden: true });
  inheritSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    const { failureSentence } = await import('@proofmark/server');
    process.stderr.write(`proofmark: ${failureSentence(error)}\n`);
    process.exitCode = 1;
  }
}

function inheritSettings(command: Command): void {
  for (const inner of command.commands) inheritSettings(inner.copyInheritedSettings(command));
}

/** Whoever reads only the first lines (`| head`) has closed the pipe on purpose. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

await run(process.argv.slice(2));
