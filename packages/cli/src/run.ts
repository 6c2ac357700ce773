/** All commands. Each is a file of its own; the server is loaded only by those that need it. */

import { version } from '@proofmark/contract';
import { Command, CommanderError } from 'commander';
import { adminCommand } from './commands/admin.ts';
import { backupCommand } from './commands/backup.ts';
import { configCommand } from './commands/config.ts';
import { evalCommand } from './commands/eval.ts';
import { findingsCommand } from './commands/findings.ts';
import { journeyCommand } from './commands/journey.ts';
import { migrateCommand } from './commands/migrate.ts';
import { personaCommand } from './commands/persona.ts';
import { restoreCommand } from './commands/restore.ts';
import { scenarioCommand } from './commands/scenario.ts';
import { serveCommand } from './commands/serve.ts';
import { suiteCommand } from './commands/suite.ts';
import { swarmCommand } from './commands/swarm.ts';
import { workCommand } from './commands/work.ts';
import { printNotice } from './output.ts';
import { exitCodes } from './remote/exit-codes.ts';

export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('proofmark')
    .description('Test, evaluate and gate MCP servers.')
    .version(version)
    .showHelpAfterError('Run with --help to see what there is.')
    // With all their arguments the commands would not fit a terminal; each has its own --help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  const commands = [
    serveCommand(),
    workCommand(),
    migrateCommand(),
    adminCommand(),
    backupCommand(),
    restoreCommand(),
    configCommand(),
    evalCommand(),
    suiteCommand(),
    personaCommand(),
    journeyCommand(),
    swarmCommand(),
    findingsCommand(),
    scenarioCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  inheritSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      return;
    }
    const { failureSentence } = await import('@proofmark/server');
    printNotice(failureSentence(error));
    process.exitCode = 1;
  }
}

function inheritSettings(command: Command): void {
  for (const inner of command.commands) inheritSettings(inner.copyInheritedSettings(command));
}
