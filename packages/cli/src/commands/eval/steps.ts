import type { OutputOf } from '@proofmark/contract';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { columnLines } from '../../output.ts';
import { doCommand, ofTrial } from '../../remote/do-command.ts';
import { sentenceWrapper } from '../../remote/indented-lines.ts';
import type { TerminalAbility } from '../../remote/terminal.ts';

type Steps = OutputOf<'getEvalRunSteps'>['items'];

export function evalStepsCommand(): Command {
  const command = doCommand<Steps>({
    name: 'steps',
    arguments: ofTrial,
    json: 'the steps',
    description: 'show the result of each step of a trial',
    async act({ client, projectId }, [runId = '', iterationId = '']) {
      return (await client.getEvalRunSteps({ projectId, runId, iterationId })).items;
    },
    lines: stepLines,
  });
  return withExamples(command, 'proofmark eval steps run_1f3a itr_52d0');
}

function stepLines(steps: Steps, ability: TerminalAbility): string[] {
  const wrap = sentenceWrapper(ability);
  if (steps.length === 0) return wrap('No steps: the trial was reported from outside.');
  const rows = steps.map(({ stepIndex, kind, status, stepId }) => [
    ...[String(stepIndex + 1), status, kind],
    wrap(stepId).join(' ').slice(0, 40),
  ]);
  const reasons = steps.flatMap(({ stepIndex, reason, evidence }) => {
    const explanation = reason ?? evidence.note;
    return explanation === undefined || explanation === null
      ? []
      : wrap(`Step ${stepIndex + 1}: ${explanation}`);
  });
  return [...columnLines(['STEP', 'STATUS', 'KIND', 'ID'], rows, ability.width), ...reasons];
}
