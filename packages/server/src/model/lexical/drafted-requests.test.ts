/** The requests of the drafter and the voices they are spoken in, held against the model that decides by words alone. */
import { draftCases, smallTalk, voices } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';
import { labelledSet } from './labelled-set.ts';
import { wordsOf } from './words.ts';

const lines = Object.values(voices).flatMap(({ openers, followUps }) => [...openers, ...followUps]);
const model = createLexicalModel();

function callFor(server: keyof typeof labelledServers, content: string) {
  const [call] = model({
    messages: [{ role: 'user', content }],
    tools: labelledServers[server],
  }).toolCalls;
  return call && { toolName: call.toolName, arguments: call.input };
}

const servers = Object.keys(labelledServers) as (keyof typeof labelledServers)[];

function draftsFor(server: keyof typeof labelledServers, varyUserStyles: boolean) {
  const tools = labelledServers[server].map((tool) => ({ ...tool, serverName: server }));
  const mix = { simple: tools.length, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
  return draftCases(tools, { mix, varyUserStyles, includesWriting: true });
}

test.each([false, true])(
  '24 of 24 drafted requests lead to exactly their call (voices: %s)',
  (vary) => {
    const drafted = servers.flatMap((server) =>
      draftsFor(server, vary).map((draft) => ({ server, draft })),
    );
    expect(drafted).toHaveLength(24);
    for (const { server, draft } of drafted) {
      const [turn] = draft.turns;
      expect(callFor(server, turn?.prompt ?? ''), turn?.prompt).toEqual(turn?.expected[0]);
    }
  },
);

test('no small talk leads to a call', () => {
  expect(new Set(smallTalk).size).toBe(10);
  for (const server of servers) {
    for (const line of smallTalk) expect(callFor(server, line), line).toBeUndefined();
  }
});

test('a voice has three openers and two follow-ups of common words alone', () => {
  expect(new Set(lines).size).toBe(25);
  for (const line of lines) {
    expect(
      wordsOf(line).filter(({ isCommon }) => !isCommon),
      line,
    ).toEqual([]);
    expect(line).toMatch(/[.?!]$/);
  }
});

test.each(lines)('before any labelled request it changes nothing: %s', (line) => {
  for (const { server, request } of labelledSet) {
    expect(callFor(server, `${line} ${request}`), request).toEqual(callFor(server, request));
  }
});
