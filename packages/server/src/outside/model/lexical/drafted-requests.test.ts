import { draftCases, draftFirstSuites, promptStyles, smallTalk } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';
import { labelledSet } from './labelled-set.ts';
import { wordsOf } from './words.ts';

const lines = Object.values(promptStyles).flatMap(({ openers, followUps }) => [
  ...openers,
  ...followUps,
]);
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

test('all prompts made of names lead to their call', () => {
  for (const server of servers) {
    const tools = labelledServers[server].map((tool) => ({ ...tool, serverName: server }));
    for (const { prompt, call } of draftFirstSuites({ tools, answers: [] }).prompts) {
      expect(callFor(server, prompt), prompt).toEqual(call);
    }
  }
});

test('no small talk leads to a call', () => {
  expect(new Set(smallTalk).size).toBe(10);
  for (const server of servers) {
    for (const line of smallTalk) expect(callFor(server, line), line).toBeUndefined();
  }
});

/** Tools of published servers whose descriptions contain words of everyday talk. */
const everyday = [
  ['navigate_page', 'Go to a URL, or back, forward, or reload.', 'url'],
  ['resize_page', 'Resizes the window of the selected page.', 'width'],
  [
    'kubectl_create',
    'Create a resource with a good name, only once; go templates are allowed.',
    'name',
  ],
  ['trigger-long-running-operation', 'Runs long, to show progress to people.', 'duration'],
  ['read_graph', 'Read the entire knowledge graph.', 'kind'],
  ['submit_feedback', 'Feedback on a result: good, wrong or bad.', 'rating'],
  ['get_time', 'The current time of a place.', 'place'],
].map(([name = '', description = '', parameter = '']) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
}));

function calledOf(content: string): string | undefined {
  const messages = [{ role: 'user' as const, content }];
  return model({ messages, tools: everyday }).toolCalls[0]?.toolName;
}

test.each([
  ...smallTalk,
  'See you tomorrow.',
  'My name is Anna.',
  'I had a long day.',
  'That is a great idea.',
])('a common word alone speaks for no tool: %s', (line) => {
  expect(calledOf(line)).toBeUndefined();
});

test.each([
  ['What time is it?', 'get_time'],
  ['Go to https://example.com/', 'navigate_page'],
  ['Resize the window to 800.', 'resize_page'],
  ['Show me the whole graph.', 'read_graph'],
  ['Submit feedback: that was wrong.', 'submit_feedback'],
])('a word that tells a tool from others still does: %s', (line, tool) => {
  expect(calledOf(line)).toBe(tool);
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

test('a verb in the middle of another name stays an action of its own tool', () => {
  const ofIssue = {
    type: 'object',
    properties: { owner: { type: 'string' }, issue_number: { type: 'number' } },
  };
  const tools = [
    { name: 'get_issue', description: 'Get details of a specific issue.', inputSchema: ofIssue },
    { name: 'update_issue', description: 'Update an existing issue.', inputSchema: ofIssue },
    { name: 'create_or_update_file', description: 'Write a file.', inputSchema: ofIssue },
  ];
  const called = (content: string) =>
    model({ messages: [{ role: 'user', content }], tools }).toolCalls[0]?.toolName;
  expect(called('Get the issue with owner anna and issue number 3.')).toBe('get_issue');
  expect(called('Update issue 3.')).toBe('update_issue');
});

test('of two names that differ in a plural, the one that the request spells is called', () => {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
  const tools = [
    { name: 'monitor_check', description: 'Returns one check of a monitor.', inputSchema },
    { name: 'monitor_checks', description: 'Returns the checks of a monitor.', inputSchema },
  ];
  const called = (content: string) =>
    model({ messages: [{ role: 'user', content }], tools }).toolCalls[0]?.toolName;
  expect(called('The monitor check with the id "sample".')).toBe('monitor_check');
  expect(called('The monitor checks with the id "sample".')).toBe('monitor_checks');
});
