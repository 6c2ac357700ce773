import { createHash } from 'node:crypto';
import { draftCases, draftJourneys, nextWords, promptStyles, voiceNames } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';
import { labelledSet } from './labelled-set.ts';

const model = createLexicalModel();
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

function callFor(server: keyof typeof labelledServers, content: string) {
  const [call] = model({
    messages: [{ role: 'user', content }],
    tools: labelledServers[server],
  }).toolCalls;
  return call && { toolName: call.toolName, input: call.input };
}

const roles = {
  plain: 'visitor',
  terse: 'busy person',
  novice: 'beginner',
  thorough: 'careful reader',
  expert: 'engineer',
} as const;

test.each(voiceNames)('%s: 63 of 63 labelled requests lead to the same call', (voice) => {
  const persona = { name: 'Ada', role: roles[voice], notes: null };
  let unchanged = 0;
  for (const { server, request } of labelledSet) {
    const openers = new Set<string>();
    const isSame = [0, 1, 2].map((sessionIndex) => {
      const user = { persona, goal: request, sessionIndex, state: null, lastAnswer: null };
      const { message, state } = nextWords(user, sha256Hex);
      const [intent] = state.intents;
      openers.add(message.slice(0, message.length - (intent?.text.length ?? 0)).trim());
      const bare = intent?.text ?? '';
      return JSON.stringify(callFor(server, message)) === JSON.stringify(callFor(server, bare));
    });
    expect(openers, request).toEqual(new Set(promptStyles[voice].openers));
    if (isSame.every(Boolean)) unchanged += 1;
  }
  expect([unchanged, labelledSet.length]).toEqual([63, 63]);
});

test('24 of 24 drafted journeys lead a scripted user to exactly their tool and its arguments', () => {
  const persona = { name: 'Ada', role: 'visitor', notes: null };
  let met = 0;
  for (const server of Object.keys(labelledServers) as (keyof typeof labelledServers)[]) {
    // Tools that may write are not drafted, so all tools here are marked as read-only.
    const annotations = { readOnlyHint: true };
    const tools = labelledServers[server].map((tool) => ({
      ...tool,
      annotations,
      serverName: server,
    }));
    const expected = draftCases(tools, {
      mix: { simple: tools.length, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 },
      includesWriting: true,
    });
    for (const [index, { goal, suggestedChecks }] of draftJourneys(tools, tools.length).entries()) {
      const user = { persona, goal, sessionIndex: 0, state: null, lastAnswer: null };
      const { message, state } = nextWords(user, sha256Hex);
      expect(state.intents, goal).toHaveLength(1);
      const call = expected[index]?.turns[0]?.expected[0];
      expect(suggestedChecks.map(({ toolName }) => toolName)).toEqual([call?.toolName]);
      expect(callFor(server, message), message).toEqual({
        toolName: call?.toolName,
        input: call?.arguments,
      });
      met += 1;
    }
  }
  expect(met).toBe(24);
});
