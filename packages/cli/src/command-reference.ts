import type { Command } from 'commander';
import { makeProgram } from './make-program.ts';

export interface EndCommand {
  readonly typed: string;
  readonly command: Command;
}

/** Returns only commands without subcommands. */
export function endCommands(command: Command, typed = command.name()): EndCommand[] {
  if (command.commands.length === 0) return [{ typed, command }];
  return command.commands.flatMap((inner) => endCommands(inner, `${typed} ${inner.name()}`));
}

export function helpText(command: Command): string {
  let text = '';
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 80, getOutHasColors: () => false });
  command.outputHelp();
  return text.trimEnd();
}

export function commandReference(commands: readonly Command[]): string {
  const documented = endCommands(makeProgram(commands));
  const sections = documented.map(
    ({ typed, command }) => `## ${typed}\n\n\`\`\`text\n${helpText(command)}\n\`\`\`\n`,
  );
  const opening = [
    '# Commands',
    '',
    'The `--help` of every command. `npm run generate` writes this file from the commands.',
    '',
    'Exit codes of all commands: 0 done or passed, 1 a failed verdict, 2 wrong use, 3 anything else (not reached, not found,',
    'inconclusive, not established). After Ctrl+C a command with nothing to stop ends with 130.',
    '',
  ];
  return `${opening.join('\n')}\n${sections.join('\n')}`;
}
