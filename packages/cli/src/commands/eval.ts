/** `proofmark eval …`: runs of a service, asked over its API. */
import { Command } from 'commander';
import { evalCancel } from './eval/cancel.ts';
import { evalDecision } from './eval/decision.ts';
import { evalGate } from './eval/gate.ts';
import { evalRun } from './eval/run.ts';

export function evalGroup(): Command {
  const group = new Command('eval').description(
    'start runs, read their decisions and gate on them',
  );
  for (const command of [evalRun(), evalDecision(), evalGate(), evalCancel()]) {
    group.addCommand(command);
  }
  return group;
}
