/** `proofmark report …`: shows the decision of a run beside the code change. */
import { Command } from 'commander';
import { reportGithubCommand } from './report/github.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('write the decision of a run to a pull request')
    .addCommand(reportGithubCommand());
}
