import type { AgentMessage } from '@proofmark/domain';
import { useQueryClient } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { readAgain } from '../../../kit/data/operations.ts';
import { useServerCall } from '../../../kit/data/server-call.ts';

/** One turn at a time. What it made shows up in the lists, also where it failed afterwards. */
export function useAgentTurn(projectId: string, onAnswer: (answer: Answer) => void) {
  const cache = useQueryClient();
  return useServerCall(async (messages: AgentMessage[], signal) => {
    try {
      const answer = await client.runAgentTurn({ projectId, body: { messages } }, { signal });
      onAnswer(answer);
      return answer;
    } finally {
      await readAgain(cache, [allBelow('listEvalSuites', { projectId })]);
    }
  });
}

type Answer = Awaited<ReturnType<typeof client.runAgentTurn>>;
