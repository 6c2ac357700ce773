/** `proofmark eval …`: runs of a service, asked over its API. */
import { Command } from 'commander';
import { evalCancelCommand } from './eval/cancel.ts';
import { evalDecisionCommand } from './eval/decision.ts';
import { evalGateCommand } from './eval/gate.ts';
import { evalRunCommand } from './eval/run.ts';

export function evalCommand(): Command {
  const group = new Command('eval').description(
    'start runs, read their decisions and gate on them',
  );
  for (const command of [
    evalRunCommand(),
    evalDecisionCommand(),
    evalGateCommand(),
    evalCancelCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
