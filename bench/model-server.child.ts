/**
 * The scripted model of the trial benchmark: it requests one tool, then answers. An argument such
 * as 250 adds a model `bench-250`, which waits 250 ms before each answer.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  type ModelScript,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { toolCall } from './measure-calls.ts';

const bench: ModelScript = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'It is 21 degrees in Brno.' }
    : { toolCalls: [{ name: toolCall.toolName, arguments: toolCall.parameters }] };
const slow = process.argv.slice(2).map((ms): [string, ModelScript] => [
  `bench-${ms}`,
  async (...asked) => {
    await after(Number(ms));
    return bench(...asked);
  },
]);

const { baseUrl } = await startOpenAiServer({ bench, ...Object.fromEntries(slow) });
console.log(JSON.stringify({ url: baseUrl }));
process.on('SIGTERM', () => process.exit(0));
