/** `proofmark report …`: writes a run's decision to a pull request. */
import { Command } from 'commander';
import { reportGithubCommand } from './report/github.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('write the decision of a run to a pull request')
    .addCommand(reportGithubCommand());
}
