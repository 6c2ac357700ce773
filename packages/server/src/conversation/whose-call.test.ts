/**
 * Tests that stage, reason, category, span and sentence name the same cause of a failed tool call.
 */
import type { ServerResponse } from 'node:http';
import { trialAdvice } from '@proofmark/domain';
import {
  type FakeAnswer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  ask,
  callWeather,
  type Definition,
  messagesOf,
  type Step,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { Span } from './span.ts';
import type { TrialRecord } from './trial-record.ts';

const player = trialPlayer();
afterAll(() => player.close());

type Answer = (response: ServerResponse, request: FakeRequest) => unknown;
const error =
  (code: number, status = 200): Answer =>
  (response, request) =>
    sendJson(response, rpcError(request, code, 'It said no.'), status);
/**
 * Responds with this HTTP status. With 429 it requests a wait of 3600 seconds, longer than a trial
 * may take.
 */
const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code, code === 429 ? { 'retry-after': '3600' } : {}).end();
const result =
  (value: object): Answer =>
  (response, request) =>
    sendJson(response, rpcResult(request, value));
const content = [{ type: 'text', text: 'sunny' }];
const isError = result({ isError: true, content: [{ type: 'text', text: 'No city.' }] });
const well = result({ content });
const html: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
const otherId: Answer = (response) =>
  sendJson(response, { jsonrpc: '2.0', id: 999, result: { content } });
const cut: Answer = (response) => response.socket?.destroy();
const silence: Answer = () => undefined;

const wantsWeather: Step = {
  id: 'wants',
  kind: 'assert',
  assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
};
const chosen: Definition = { steps: [ask, wantsWeather] };
const pin = (toolName: string, given: object): Definition => ({
  steps: [
    {
      id: 'pin',
      kind: 'toolCall',
      serverName: 'Weather',
      toolName,
      arguments: { ...given },
    },
  ],
});
const wrong: ModelLine = { calls: [{ tool: 'weather', input: { town: 'Rome' } }] };
const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const outputSchema = {
  type: 'object',
  properties: { degrees: { type: 'number' } },
  required: ['degrees'],
};

interface Scene {
  readonly answer: Answer;
  readonly definition?: Definition;
  readonly call?: ModelLine;
  readonly tool?: object;
  readonly trialTimeoutMs?: number;
  readonly serverId?: string;
}

async function play({ answer, definition = chosen, call = callWeather, ...scene }: Scene) {
  const weather = { name: 'weather', inputSchema, ...scene.tool };
  const clock = { name: 'clock', inputSchema: { type: 'object' } };
  const { record } = await player.play(definition, [call, sunny], {
    answers: { 'tools/list': { tools: [weather, clock] }, 'tools/call': answer as FakeAnswer },
    plan: { limits: { maxModelSteps: 5, trialTimeoutMs: scene.trialTimeoutMs ?? 20_000 } },
    ...(scene.serverId !== undefined && { serverId: scene.serverId }),
  });
  return { record, ...summarize(record) };
}

function summarize({ chain, trace, result: graded }: TrialRecord) {
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  const spans = trace['spans'] as readonly Span[];
  const call = spans.find(({ category }) => category === 'tool');
  const blame = [graded, failed?.stage, failed?.reason, chain.failureCategory];
  return { failed, call, blame, reasons: chain.stageResults.map(({ reason }) => reason) };
}

const ofServer = ['failed', 'call', 'protocolError', 'serverData'];
const ofSetup = ['failed', 'call', 'protocolError', 'setup'];
const ofArguments = ['failed', 'call', 'argumentMismatch', 'arguments'];
const ofResult = ['failed', 'response', 'toolError', 'serverData'];
const theirs = (code: number) => ({ mcpErrorCode: code, mcpErrorOrigin: 'theirs' });
const ours = (code: number) => ({ mcpErrorCode: code, mcpErrorOrigin: 'ours' });

describe('a call without a result', () => {
  test.each<[string, Answer, string[], object]>([
    [
      'the code of a closed connection, sent by the server',
      error(-32000),
      ofServer,
      theirs(-32000),
    ],
    ['the code of a timeout, sent by the server', error(-32001), ofServer, theirs(-32001)],
    ['a code of its own', error(-32050), ofServer, theirs(-32050)],
    ['parameters refused that its schema allows', error(-32602), ofServer, theirs(-32602)],
    ['HTTP 500', status(500), ofServer, {}],
    ['HTML', html, ofServer, {}],
    ['an answer to another call', otherId, ofServer, {}],
    ['a connection that is cut', cut, ofSetup, ours(-32000)],
  ])('%s', async (_, answer, blame, code) => {
    const { failed, call, ...rest } = await play({ answer });
    expect(rest.blame).toEqual(blame);
    expect(failed?.evidence).toEqual({ spanIds: [call?.id], promptIndexes: [0] });
    const { mcpErrorCode, mcpErrorOrigin } = call ?? {};
    const shown = mcpErrorCode === undefined ? {} : { mcpErrorCode, mcpErrorOrigin };
    expect(shown).toEqual(code);
  });
});

describe('credentials or calls that are refused in mid-run', () => {
  test.each([401, 403, 407, 429])(
    'HTTP %i: the trial is not graded, and keeps what it saw',
    async (code) => {
      const serverId = `srv_refusing_${code}`;
      const { record, reasons, call, blame } = await play({ answer: status(code), serverId });
      expect(record).toMatchObject({ status: 'setup_failed', result: null, scores: null });
      expect(blame).toEqual([null, undefined, undefined, 'setup']);
      expect(reasons.slice(0, 2)).toEqual(['observed', 'observed']);
      expect(new Set(reasons.slice(2))).toEqual(new Set(['setupAborted']));
      expect(record.error).toMatch(/^The call of "weather" was refused: /);
      expect(call).toMatchObject({ status: 'error', toolName: 'weather' });
      expect(messagesOf(record).map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
    },
  );

  test('of a call that the case makes itself, too', async () => {
    const definition = pin('weather', { city: 'Rome' });
    const { record } = await play({ answer: status(403), definition });
    expect(record).toMatchObject({ status: 'setup_failed', result: null });
  });
});

describe('arguments that break the schema of the tool', () => {
  const problem =
    'The arguments of "weather" break its input schema: The value must have the member city.';

  test.each([
    ['an error of the tool', isError],
    ['an error of JSON-RPC', error(-32602)],
    ['any error of JSON-RPC', error(-32000)],
  ])('answered with %s are not the fault of the server', async (_, answer) => {
    for (const definition of [chosen, { steps: [ask] }, pin('weather', { town: 'Rome' })]) {
      const { record, blame, failed, call } = await play({ answer, definition, call: wrong });
      expect(blame).toEqual(ofArguments);
      expect(failed?.evidence).toEqual({
        spanIds: [call?.id],
        promptIndexes: [0],
        predicateReasons: [problem],
      });
      expect(record.error).toContain(problem);
      expect(record.error).not.toMatch(/model/i);
      expect(call?.argumentProblem).toBe(problem);
    }
  });

  test('answered well are noted, and nothing more', async () => {
    const { blame, call } = await play({ answer: well, call: wrong });
    expect(blame).toEqual(['passed', undefined, undefined, undefined]);
    expect(call).toMatchObject({ status: 'ok', argumentProblem: problem });
  });

  test('answered with a result that breaks its schema are not the fault of the server', async () => {
    for (const definition of [chosen, pin('weather', { town: 'Rome' })]) {
      const { record, blame, failed, call } = await play({
        answer: well,
        definition,
        call: wrong,
        tool: { outputSchema },
      });
      expect(blame).toEqual(ofArguments);
      expect(failed?.evidence?.predicateReasons).toEqual([problem]);
      expect(record.error).toMatch(/break its input schema.*breaks its output schema/);
      expect(call).toMatchObject({ argumentProblem: problem, status: 'error' });
    }
  });

  test.each([
    ['HTTP 500', status(500), ofServer],
    ['a connection that is cut', cut, ofSetup],
  ])('do not explain %s', async (_, answer, blame) => {
    expect((await play({ answer, call: wrong })).blame).toEqual(blame);
  });

  test.each<[string, unknown]>([
    ['no schema', undefined],
    ['no valid schema', { type: 'object', required: 'city' }],
    ['a dialect nobody knows', { $schema: 'https://example.org/schema', required: ['city'] }],
    ['a reference we do not follow', { $ref: 'https://example.org/schema' }],
    ['a schema that is too large', { required: ['city'], description: 'x'.repeat(300 * 1024) }],
  ])('are not known by %s', async (_, schema) => {
    const tool = { inputSchema: schema };
    const { blame, call } = await play({ answer: isError, call: wrong, tool });
    expect(blame).toEqual(ofResult);
    expect(call).not.toHaveProperty('argumentProblem');
  });
});

describe('a result and the schema that the tool states for it', () => {
  const good = result({ content, structuredContent: { degrees: 30 } });
  const bad = result({ content, structuredContent: { degrees: 'warm' } });
  const breaks = 'The result of "weather" breaks its output schema: ';

  test.each([
    ['breaks it', bad, `${breaks}The value at /degrees must be number.`],
    ['lacks it', well, `${breaks}The tool has an output schema but sent no structured content.`],
  ])('%s: an error of the tool, with the place', async (_, answer, problem) => {
    for (const definition of [chosen, pin('weather', { city: 'Rome' })]) {
      const { record, blame, failed, call } = await play({
        answer,
        definition,
        tool: { outputSchema },
      });
      expect(blame).toEqual(ofResult);
      expect(failed?.evidence).toEqual({
        spanIds: [call?.id],
        promptIndexes: [0],
        predicateReasons: [problem],
      });
      expect(record.error).toBe(problem);
      expect(call).toMatchObject({ status: 'error', resultProblem: problem });
      expect(call).not.toHaveProperty('mcpErrorCode');
    }
  });

  test('counts only where failing tools count', async () => {
    const definition = { ...chosen, failOnToolError: false };
    const { record } = await play({ answer: bad, definition, tool: { outputSchema } });
    expect(record.result).toBe('passed');
  });

  test.each([
    ['holds', good, outputSchema, ['passed', undefined, undefined, undefined]],
    ['cannot be checked', bad, { $ref: '#/gone' }, ['passed', undefined, undefined, undefined]],
    ['is owed by no error', isError, outputSchema, ofResult],
  ])('%s', async (_, answer, schema, blame) => {
    const played = await play({ answer, tool: { outputSchema: schema } });
    expect(played.blame).toEqual(blame);
    expect(played.call).not.toHaveProperty('resultProblem');
  });
});

describe('a server that answers in time', () => {
  test('is not slow because this process stood still', async () => {
    const definition = {
      ...pin('weather', { city: 'Rome' }),
      checks: { mode: 'replace' as const, list: [{ type: 'toolLatencyUnder' as const, ms: 250 }] },
    };
    const answer: Answer = (response, request) => {
      well(response, request);
      const until = performance.now() + 400;
      setImmediate(() => {
        while (performance.now() < until);
      });
    };
    const { record } = await play({ answer, definition });
    expect(record.result).not.toBe('failed');
    expect(record.error).toMatch(/Proofmark itself was paused for \d+ ms/);
  });
});

describe('an error that the case states', () => {
  const states = (more: object): Step => ({
    id: 'states',
    kind: 'assert',
    assertion: { type: 'toolCallFails', toolName: 'weather', ...more },
  });
  const pinned = (id: string): Step => ({
    id,
    kind: 'toolCall',
    serverName: 'Weather',
    toolName: 'weather',
    arguments: { city: id },
  });

  test('is none where a result breaks its own schema, for the verdict and for the chain', async () => {
    const answer = result({ content, structuredContent: { degrees: 'warm' } });
    const definition: Definition = { steps: [pinned('Rome'), states({})] };
    const { record, blame } = await play({ answer, definition, tool: { outputSchema } });
    expect(blame).toEqual(ofResult);
    expect(JSON.stringify(record.scores)).toContain('The last succeeded.');
  });

  test('counts for nothing, and excuses nothing, where what it said was not kept', async () => {
    let calls = 0;
    const text = 'x'.repeat(3 * 1024 * 1024);
    const answer: Answer = (response, request) => {
      calls += 1;
      const isCut = calls === 3;
      const content = [{ type: 'text', text: calls === 4 ? 'No coffee.' : text }];
      result({ isError: isCut || calls === 4, content: content })(response, request);
    };
    const steps = ['one', 'two', 'three', 'four'].map(pinned);
    const checks: Definition['checks'] = {
      mode: 'replace',
      list: [{ type: 'toolCallFails', toolName: 'weather', messageContains: 'coffee' }],
    };
    const { record, blame } = await play({ answer, definition: { steps, checks } });
    expect(blame).toEqual([null, undefined, undefined, 'evaluator']);
    expect(record).toMatchObject({ evaluatorError: true, status: 'completed' });
    expect(record.error).toContain('was not captured');
    expect(record.chain.stageResults[4]).toMatchObject({
      state: 'notMeasured',
      reason: 'evaluatorError',
    });
  });
});

describe('a tool that the server does not list', () => {
  test.each([
    ['an error of JSON-RPC', error(-32602), ofServer],
    ['an error of the tool', isError, ofResult],
  ])('called by the case and answered with %s is told as such', async (_, answer, blame) => {
    const { record, ...rest } = await play({ answer, definition: pin('gone', { city: 'Rome' }) });
    expect(rest.blame).toEqual(blame);
    expect(record.error).toMatch(
      /^The server does not list the tool "gone": correct the case, or the server if the tool was renamed\. /,
    );
    const { failureCategory, stageResults } = record.chain;
    expect(trialAdvice(failureCategory, stageResults, { failure: String(record.error) })).toMatch(
      /^Correct the name of the tool in the case, or the server/,
    );
  });

  test('called by the model reaches no server and blames none', async () => {
    const call: ModelLine = { calls: [{ tool: 'gone', input: {} }] };
    const { blame, record } = await play({ answer: status(500), call });
    expect(blame).toEqual(['failed', 'selection', 'missingToolCall', 'selection']);
    expect(record.error).toBeNull();
  });
});

describe('what a case asks of the choice', () => {
  const only = (toolNames: string[]): Definition => ({
    steps: [ask, { id: 'only', kind: 'assert', assertion: { type: 'onlyToolsCalled', toolNames } }],
  });
  const first = (toolName: string): Definition => ({
    steps: [ask, { id: 'first', kind: 'assert', assertion: { type: 'firstToolWas', toolName } }],
  });
  const never: Definition = {
    steps: [
      ask,
      { id: 'never', kind: 'assert', assertion: { type: 'toolNeverCalled', toolName: 'weather' } },
    ],
  };

  test.each([
    ['only other tools', only(['clock'])],
    ['another tool first', first('clock')],
    ['this tool never', never],
  ])('%s: the choice failed, by that call', async (_, definition) => {
    const { blame, failed, call } = await play({ answer: well, definition });
    expect(blame).toEqual(['failed', 'selection', 'unexpectedToolCall', 'selection']);
    expect(failed?.evidence?.spanIds).toEqual([call?.id]);
  });

  test.each([
    ['this tool first', first('weather'), ['observed', 'observed']],
    ['this tool', chosen, ['observed', 'observed']],
    ['only this tool', only(['weather']), ['notAuthored', 'notAuthored']],
  ])('%s: whether the call and its response apply', async (_, definition, applied) => {
    const { reasons, blame } = await play({ answer: well, definition });
    expect(blame[0]).toBe('passed');
    expect(reasons.slice(3, 5)).toEqual(applied);
  });
});

test('a call that outlasts its trial leaves its span, and no stage is blamed', async () => {
  const { record, call, blame, reasons } = await play({ answer: silence, trialTimeoutMs: 1500 });
  expect(record.status).toBe('timed_out');
  expect(blame).toEqual([null, undefined, undefined, 'setup']);
  expect(new Set(reasons.slice(0, 4))).toEqual(new Set(['lifecycleStopped']));
  expect(call).toMatchObject({ status: 'error', toolName: 'weather', ...ours(-32001) });
});
