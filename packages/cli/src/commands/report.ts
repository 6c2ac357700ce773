/** `proofmark report …`: the decision of a run where people look at their changes. */
import { Command } from 'commander';
import { reportGithubCommand } from './report/github.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('tell the decision of a run on a pull request')
    .addCommand(reportGithubCommand());
}
