import { version } from '@proofmark/contract';
import { Command } from 'commander';
import { commandExamples } from './command-examples.ts';
import { withExamples } from './examples.ts';

export function makeProgram(commands: readonly Command[]): Command {
  const program = new Command('proofmark')
    .description('Test, evaluate and gate MCP servers.')
    .version(version)
    // The overview shows only the commands' names, because their arguments would not fit a
    // terminal.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  for (const command of commands) program.addCommand(command);
  settle(program, []);
  return program;
}

function settle(command: Command, path: readonly string[]): void {
  const typed = path.join(' ');
  command.showHelpAfterError(`See: ${['proofmark', ...path].join(' ')} --help`);
  const examples = Object.hasOwn(commandExamples, typed) ? commandExamples[typed] : undefined;
  if (examples !== undefined) withExamples(command, ...examples);
  for (const inner of command.commands) {
    settle(inner.copyInheritedSettings(command), [...path, inner.name()]);
  }
}
