import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type { ChatRequest } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
const asked: ChatRequest[] = [];

beforeAll(async () => {
  fixture = await startEvalFixture({
    one(request) {
      asked.push(request);
      return { text: 'Fine.' };
    },
    linked(request) {
      asked.push(request);
      const toolMessages = request.messages.filter(({ role }) => role === 'tool').length;
      if (toolMessages === 0)
        return { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };
      const input = { uri: 'crm://people/Ada' };
      if (toolMessages === 1)
        return { toolCalls: [{ name: 'readResourceLink', arguments: input }] };
      return { text: 'Fine.' };
    },
  });
});
afterAll(() => fixture.stop());

const known = ['Ada', 'Bob'];

async function people() {
  const text = (content: string) => ({ type: 'text', text: content });
  return fixture.mcpServer({
    'prompts/get': (response, request: FakeRequest) => {
      const { arguments: given } = request.message['params'] as { arguments: { who: string } };
      const messages = [{ role: 'user', content: text(`Greet ${given.who}.`) }];
      sendJson(response, rpcResult(request, { messages }));
    },
    'resources/read': (response, request: FakeRequest) => {
      const { uri } = request.message['params'] as { uri: string };
      const name = known.find((one) => uri.endsWith(`/${one}`));
      const contents = [{ uri, text: `About ${name}.` }];
      const answer = name ? rpcResult(request, { contents }) : rpcError(request, -32002, 'Nobody');
      sendJson(response, answer);
    },
    'tools/call': {
      content: [
        text('See there.'),
        { type: 'resource_link', uri: 'crm://people/Ada', name: 'Ada' },
      ],
    },
  });
}

function caseOf(serverName: string) {
  return {
    title: 'Greets',
    steps: [
      { id: 'read', kind: 'readResource', serverName, uri: 'crm://people/{{name}}' },
      {
        id: 'greet',
        kind: 'getPrompt',
        serverName,
        promptName: 'greeting',
        arguments: { who: '{{name}}' },
      },
      { id: 'fine', kind: 'assert', assertion: { type: 'responseContains', needle: 'Fine' } },
    ],
    before: [
      {
        id: 'put',
        kind: 'toolCall',
        serverName,
        toolName: 'weather',
        arguments: { city: '{{name}}' },
      },
    ],
    data: { key: 'name', rows: known.map((name) => ({ name })) },
  };
}

test('prompts and resources of servers are played for every row, and as the file of the suite says', async () => {
  const server = await people();
  const suiteId = await fixture.suite({ serverIds: [server.id], cases: [caseOf(server.name)] });
  const path = `eval-suites/${suiteId}`;
  const { items } = await fixture.get(200, 'GET', `${path}/cases`);
  expect(items[0].steps).toMatchObject(caseOf(server.name).steps);
  const exported = await fixture.get(200, 'GET', `${path}/export?format=json`);
  const file = JSON.parse(exported.content);
  const content = JSON.stringify({ ...file, suite: { ...file.suite, id: unique('file') } });
  const imported = await fixture.get(201, 'POST', 'eval-suites/import', { content });
  expect(imported.suiteId).not.toBe(suiteId);
  const played = async (id: string) => {
    asked.length = 0;
    server.requests.length = 0;
    const { trials, runId } = await fixture.run(id);
    expect(trials.map(({ result, error }) => [result, error])).toEqual([
      ['passed', null],
      ['passed', null],
    ]);
    const userTexts = asked.map(({ messages }) =>
      messages.filter(({ role }) => role === 'user').map(({ content }) => content),
    );
    expect(userTexts.sort()).toEqual(known.map((name) => [`About ${name}.`, `Greet ${name}.`]));
    const put = server.requests.filter(({ message }) => message['method'] === 'tools/call');
    const cities = put.map(({ message }) => message['params'] as { arguments: { city: string } });
    expect(cities.map((one) => one.arguments.city).sort()).toEqual(known);
    const trace = await fixture.get(
      ...([200, 'GET', `eval-runs/${runId}/iterations/${trials[0].id}/trace`] as const),
    );
    expect(trace.steps).toMatchObject([{ stepId: 'read' }, { stepId: 'greet' }, {}]);
  };
  await played(suiteId);
  await played(imported.suiteId);
});

test('what a server does not give fails the trial, and a bad step is refused with its place', async () => {
  const server = await people();
  const read = { id: 'read', kind: 'readResource', serverName: server.name, uri: 'crm://x' };
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    cases: [{ title: 'Reads', steps: [read] }],
  });
  const { trials } = await fixture.run(suiteId);
  expect(trials).toMatchObject([
    { status: 'completed', result: 'failed', error: expect.stringContaining('could not be read') },
  ]);
  const refused = await fixture.ask('POST', `eval-suites/${suiteId}/cases`, {
    title: 'Bad',
    steps: [{ ...read, uri: '' }],
  });
  expect([refused.status, refused.body.details.path]).toEqual([400, 'body.steps[0].uri']);
});

test.each(['read', 'ignore'])(
  'a client says whether links are for the model: %s',
  async (resourceLinks) => {
    const server = await people();
    const ask = { id: 'ask', kind: 'prompt', prompt: 'Who?' };
    const suiteId = await fixture.suite({
      serverIds: [server.id],
      cases: [{ title: 'Links', steps: [ask] }],
    });
    const mcpProfile = { profileVersion: 1, resourceLinks };
    const clientId = await fixture.client({ modelId: 'local/linked', mcpProfile });
    expect((await fixture.get(200, 'GET', `clients/${clientId}`)).config.mcpProfile).toEqual(
      mcpProfile,
    );
    asked.length = 0;
    const { trials, runId } = await fixture.run(suiteId, { namedHostId: clientId });
    const isRead = resourceLinks === 'read';
    expect(trials[0].actualToolCalls).toHaveLength(isRead ? 1 : 2);
    const toolMessage = asked.at(-1)?.messages.findLast(({ role }) => role === 'tool');
    expect(JSON.stringify(toolMessage).includes('About Ada.')).toBe(isRead);
    const path = `eval-runs/${runId}/iterations/${trials[0].id}/trace`;
    const { spans } = await fixture.get(200, 'GET', path);
    const reads = spans.filter(({ name }: { name: string }) => name.startsWith('resources/read'));
    expect(reads).toHaveLength(isRead ? 1 : 0);
  },
);
