/** `proofmark eval …`: runs of a service, asked over its API. */
import { Command } from 'commander';
import { evalCancelCommand } from './eval/cancel.ts';
import { evalCompareCommand } from './eval/compare.ts';
import { evalDecisionCommand } from './eval/decision.ts';
import { evalGateCommand } from './eval/gate.ts';
import { evalRerunCommand } from './eval/rerun.ts';
import { evalRunCommand } from './eval/run.ts';
import { evalStatisticsCommand } from './eval/statistics.ts';

export function evalCommand(): Command {
  const group = new Command('eval').description(
    'start runs, read and compare what came of them, and gate on it',
  );
  for (const command of [
    evalRunCommand(),
    evalRerunCommand(),
    evalDecisionCommand(),
    evalCompareCommand(),
    evalStatisticsCommand(),
    evalGateCommand(),
    evalCancelCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
