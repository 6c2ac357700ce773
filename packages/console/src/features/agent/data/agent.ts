import type { AgentMessage } from '@proofmark/domain';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { useServerCall } from '../../servers/data/server-calls.ts';

/** One turn at a time. What it made shows up in the lists, also where it failed afterwards. */
export function useAgentTurn(projectId: string, onAnswer: (answer: Answer) => void) {
  const cache = useQueryClient();
  return useServerCall(async (messages: AgentMessage[], signal) => {
    try {
      const answer = await client.runAgentTurn({ projectId, body: { messages } }, { signal });
      onAnswer(answer);
      return answer;
    } finally {
      await cache.invalidateQueries({ queryKey: ['eval-suites', projectId] });
    }
  });
}

type Answer = Awaited<ReturnType<typeof client.runAgentTurn>>;
