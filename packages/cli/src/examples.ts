/** Examples below the help of a command: a line to type, and what it does where that needs a word. */
import type { Command } from 'commander';

export function withExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}
