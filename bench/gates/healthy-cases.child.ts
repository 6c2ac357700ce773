/**
 * A model for trial plans, in a separate process: it asks for one tool and then answers. Of each
 * case, the share of right answers is the healthy rate, drawn from a random sequence of that case,
 * so that the results of a run depend on the seed alone.
 */
import { startOpenAiServer } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { toolCall } from '../measure-calls.ts';
import { caseOfPrompt, resultsOfCase } from './healthy-cases.ts';

const seed = Number(process.argv[2]);
const sequences = new Map<number, () => boolean>();

const { baseUrl } = await startOpenAiServer({
  bench: ({ messages }) => {
    if (messages.at(-1)?.role !== 'tool') {
      return { toolCalls: [{ name: toolCall.toolName, arguments: toolCall.parameters }] };
    }
    const asked = caseOfPrompt(JSON.stringify(messages));
    const next = sequences.get(asked) ?? resultsOfCase(seed, asked);
    sequences.set(asked, next);
    return { text: next() ? 'It is 21 degrees in Brno.' : 'I cannot say.' };
  },
});
console.log(JSON.stringify({ url: baseUrl }));
process.on('SIGTERM', () => process.exit(0));
