/** `proofmark journey …`: goals that personas pursue, and their runs. */
import { Command } from 'commander';
import { journeyCancelCommand } from './journey/cancel.ts';
import { journeyCreateCommand } from './journey/create.ts';
import { journeyListCommand } from './journey/list.ts';
import { journeyRunCommand } from './journey/run.ts';
import { journeyScorecardCommand } from './journey/scorecard.ts';
import { journeyShowCommand } from './journey/show.ts';

export function journeyCommand(): Command {
  const group = new Command('journey').description(
    'list, show, create and run what personas try to get done',
  );
  for (const command of [
    journeyListCommand(),
    journeyShowCommand(),
    journeyCreateCommand(),
    journeyRunCommand(),
    journeyScorecardCommand(),
    journeyCancelCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
