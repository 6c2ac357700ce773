/** One button that makes a case of a conversation: asked for is only into which suite. */
import { useState } from 'react';
import { client } from '../../kit/data/client.ts';
import { Field } from '../../kit/field.tsx';
import { MakeCase } from '../evals/index.ts';
import type { ChatAnswer } from './chat-messages.ts';
import type { ChatIds } from './data/chats.ts';

export function ChatCase({ ids, lanes }: { ids: ChatIds; lanes: readonly ChatAnswer[] }) {
  const [chosen, setChosen] = useState<0 | 1>();
  const lane = chosen ?? lanes[0]?.lane ?? 0;
  return (
    <MakeCase
      projectId={ids.projectId}
      title="Make a case"
      isDisabled={lanes.length === 0}
      source={{
        makeIn: (suiteId) => client.createEvalCaseFromChat({ ...ids, body: { suiteId, lane } }),
      }}
      intro="What you said becomes its prompts. Each call that worked is expected again, with the same arguments, so the case passes as this conversation went."
    >
      {lanes.length > 1 && (
        <Field label="As it was answered by">
          {(control) => (
            <select
              {...control}
              value={lane}
              onChange={(event) => setChosen(event.target.value === '1' ? 1 : 0)}
            >
              {lanes.map((one) => (
                <option key={one.lane} value={one.lane}>
                  {one.lane === 0 ? 'the left' : 'the right'}, {one.modelId}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </MakeCase>
  );
}
