import { Command } from 'commander';
import { groupsShowCommand } from './groups/show.ts';
import { groupsStartCommand } from './groups/start.ts';

export function evalGroupsCommand(): Command {
  return new Command('groups')
    .description('run a suite in several environments at once, and show the results')
    .addCommand(groupsStartCommand())
    .addCommand(groupsShowCommand());
}
