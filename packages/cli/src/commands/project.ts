import { Command } from 'commander';
import { projectListCommand } from './project/list.ts';
import { projectUseCommand } from './project/use.ts';

export function projectGroup(): Command {
  return new Command('project')
    .description('list projects, and choose the one that commands use')
    .addCommand(projectListCommand())
    .addCommand(projectUseCommand());
}
