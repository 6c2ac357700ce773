import { Argument, Command } from 'commander';
import { completionScript, type Shell, shells } from '../completion.ts';
import { withExamples } from '../examples.ts';

export function completionCommand(): Command {
  return withExamples(
    new Command('completion')
      .description('print a script that completes commands and flags in a shell')
      .addArgument(new Argument('<shell>', 'the shell').choices(shells))
      .action((shell: Shell, _flags: object, command: Command) => {
        process.stdout.write(completionScript(shell, command.parent as Command));
      }),
    'proofmark completion bash >> ~/.bashrc',
    'proofmark completion fish > ~/.config/fish/completions/proofmark.fish',
  );
}
