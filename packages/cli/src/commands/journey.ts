import { Command } from 'commander';
import { journeyCancelCommand } from './journey/cancel.ts';
import { journeyCompareCommand } from './journey/compare.ts';
import { journeyCreateCommand } from './journey/create.ts';
import { journeyDraftCommand } from './journey/draft.ts';
import { journeyListCommand } from './journey/list.ts';
import { journeyMakeCaseCommand } from './journey/make-case.ts';
import { journeyRunCommand } from './journey/run.ts';
import { journeyScorecardCommand } from './journey/scorecard.ts';
import { journeyShowCommand } from './journey/show.ts';

export function journeyCommand(): Command {
  const group = new Command('journey').description(
    'list, show, draft, create, run and compare journeys, the goals of personas',
  );
  for (const command of [
    journeyListCommand(),
    journeyShowCommand(),
    journeyDraftCommand(),
    journeyCreateCommand(),
    journeyRunCommand(),
    journeyScorecardCommand(),
    journeyCompareCommand(),
    journeyMakeCaseCommand(),
    journeyCancelCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
