/** `proofmark journey …`: goals that personas pursue, and their runs. */
import { Command } from 'commander';
import { journeyCreateCommand } from './journey/create.ts';
import { journeyListCommand } from './journey/list.ts';
import { journeyShowCommand } from './journey/show.ts';

export function journeyCommand(): Command {
  const group = new Command('journey').description(
    'list, show, create and run what personas try to get done',
  );
  for (const command of [journeyListCommand(), journeyShowCommand(), journeyCreateCommand()])
    group.addCommand(command);
  return group;
}
