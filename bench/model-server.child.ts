/** The model that both sides of the figure of a trial ask: it wants one tool, then answers. In a process of its own. */
import { startOpenAiServer } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { toolCall } from './measure-calls.ts';

const { baseUrl } = await startOpenAiServer({
  bench: ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'It is 21 degrees in Brno.' }
      : { toolCalls: [{ name: toolCall.toolName, arguments: toolCall.parameters }] },
});
console.log(JSON.stringify({ url: baseUrl }));
process.on('SIGTERM', () => process.exit(0));
