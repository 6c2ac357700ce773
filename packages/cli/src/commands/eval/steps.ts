import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printColumns, printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { sayIn } from '../../remote/say-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function evalStepsCommand(): Command {
  const command = remoteCommand('steps')
    .description('tell what became of each step of a trial')
    .argument('<run>', 'the id of the run')
    .argument('<trial>', 'the id of the trial; `proofmark eval iterations` lists them')
    .option('--json', 'print the steps as JSON')
    .action((runId: string, iterationId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const { items } = await client.getEvalRunSteps({ projectId, runId, iterationId });
        const say = sayIn(terminalAbility());
        if (flags.json) printJson(items);
        else if (items.length === 0) {
          printLine('No steps: the trial was reported from outside.');
        } else {
          const rows = items.map(({ stepIndex, kind, status, stepId }) => [
            ...[String(stepIndex + 1), status, kind],
            say(stepId).join(' ').slice(0, 40),
          ]);
          printColumns(['STEP', 'STATUS', 'KIND', 'ID'], rows);
          for (const { stepIndex, reason, evidence } of items) {
            const told = reason ?? evidence.note;
            if (told === undefined || told === null) continue;
            for (const line of say(`Step ${stepIndex + 1}: ${told}`)) printLine(line);
          }
        }
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark eval steps run_1f3a itr_52d0');
}
