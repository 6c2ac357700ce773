import { Command } from 'commander';
import { reportCiCommand } from './report/ci.ts';
import { reportGithubCommand } from './report/github.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('write what a run or a CI job found to a pull request')
    .addCommand(reportCiCommand())
    .addCommand(reportGithubCommand());
}
