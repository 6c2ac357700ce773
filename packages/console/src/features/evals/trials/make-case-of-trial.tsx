/** Creates a case from a trial, so that its conversation is tested from now on. */
import { cleanText } from '@proofmark/domain';
import { useState } from 'react';
import { Checkbox } from '../../../kit/field.tsx';
import { type EvalTrial, type RunIds, useEvalRun } from '../data/eval-runs.ts';
import { MakeCase } from '../make-case.tsx';
import { caseOfTrial } from './case-of-trial.ts';
import type { ConversationTurn } from './read-conversation.ts';

const title = 'Make a case of this';

export function MakeCaseOfTrial(props: {
  ids: RunIds;
  trial: EvalTrial;
  turns: readonly ConversationTurn[];
}) {
  const { ids, trial, turns } = props;
  const run = useEvalRun(ids);
  const [expectCalls, setExpectCalls] = useState(trial.result === 'passed');
  if (caseOfTrial(turns, { title, expectCalls: false }) === undefined) return null;
  const called = cleanText(trial.title ?? 'Trial', false).slice(0, 150);
  return (
    <MakeCase
      projectId={ids.projectId}
      title={title}
      source={{ body: (name) => caseOfTrial(turns, { title: name, expectCalls }) }}
      intro="What the user said becomes its prompts; calls that no model chose are made again."
      name={{ start: `${called}, as in trial ${trial.iterationNumber}` }}
      isDisabled={run.data === undefined}
      {...(run.data !== undefined && { ofSuite: run.data.suiteId })}
    >
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had. Leave it out where they were wrong."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </MakeCase>
  );
}
