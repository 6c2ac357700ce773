/** A session becomes a case of a suite, so that what happened in it can be run again and decide. */
import { useState } from 'react';
import { client } from '../../kit/data/client.ts';
import { Checkbox } from '../../kit/field.tsx';
import type { RunIds } from '../evals/index.ts';
import { MakeCase } from '../evals/index.ts';

export function MakeCaseOfSession({ ids, sessionId }: { ids: RunIds; sessionId: string }) {
  const [expectCalls, setExpectCalls] = useState(false);
  return (
    <MakeCase
      projectId={ids.projectId}
      title="Make it an eval case"
      source={{
        makeIn: (suiteId) =>
          client.createEvalCaseFromSession({ ...ids, sessionId, body: { suiteId, expectCalls } }),
      }}
      intro="What the user said becomes its prompts, and every criterion one of its checks."
    >
      <Checkbox
        label="Expect the calls that succeeded"
        hint="With the arguments they had."
        checked={expectCalls}
        onChange={setExpectCalls}
      />
    </MakeCase>
  );
}
