/**
 * Tests values that were redacted in a recording and are therefore unknown. They never turn a
 * passed trial into a failed one: the replay has the same result or none.
 */
import type { Assertion } from '@proofmark/domain';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { type CaseToReplay, recordTrial, replayTrial } from '@proofmark/harness/replayed-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, expect, test } from 'vitest';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const secrets = ['known-secret-1', '70071'];
const inputSchema = {
  type: 'object',
  properties: {
    token: { type: 'string', minLength: 12, pattern: '^tok-' },
    user: { type: 'string' },
  },
};
const structured = { n: 5, list: ['a'], token: 'tok-1234567890', password: 70 };
const gitHub = `${'gh'}p_${'a1B2c3D4e5F6'.repeat(3)}`;
/** Secrets used as object keys: one with a recognisable format, and one that is known. */
const byKey = { [gitHub]: { n: 7 }, 'known-secret-1': 1 };
const more = { credentials: { scope: ['read'] }, port: 70071, byKey };
const structuredContent = { ...structured, ...more };

const callTool: FakeAnswer = (response, request) => {
  const { name } = request.message['params'] as { readonly name: string };
  const text = name === 'read' ? JSON.stringify(structured) : 'Hello known-secret-1, all is well.';
  const content = [{ type: 'text', text }];
  const more = { ...(name === 'login' && { structuredContent }), isError: name === 'fail' };
  sendJson(response, rpcResult(request, { content, ...more }));
};
const answers = {
  'tools/list': {
    tools: ['login', 'read', 'greet', 'fail'].map((name) => ({
      name,
      description: `Does ${name} well.`,
      inputSchema,
    })),
  },
  'tools/call': callTool,
};
const [one, other] = ['tok-1234567890', 'tok-0987654321'];
const lines: readonly ModelLine[] = [
  {
    calls: [
      { tool: 'login', input: { user: 'me', token: one, password: 'pass-5678', sent: byKey } },
      { tool: 'login', input: { user: 'me', token: other, password: 'pass-5678', sent: byKey } },
      { tool: 'read', input: { user: 'me' } },
      { tool: 'greet', input: { user: 'known-secret-1' } },
    ],
  },
  { text: 'You are known-secret-1, welcome.' },
];

const prompt = { id: 'ask', kind: 'prompt', prompt: 'Log me in.' } as const;

async function playTwice(definition: CaseToReplay, own = lines) {
  const recorded = await recordTrial(mcp, { definition, lines: own, answers, secrets });
  expect(recorded.record).toMatchObject({ result: 'passed', evaluatorError: false });
  const { again, played } = await replayTrial(mcp, recorded, { definition, secrets });
  expect(played.divergence).toBeUndefined();
  return { record: recorded.record, again };
}

const path = (pointer: string, question: object, toolName = 'login') =>
  ({ type: 'toolResultPath', toolName, pointer, ...question }) as Assertion;
const withArgs = (args: object, more: object = {}) =>
  ({ type: 'toolCalledWith', toolName: 'login', args: { args }, ...more }) as Assertion;

const rows: readonly (readonly [name: string, assertion: Assertion, asks: boolean])[] = [
  ['an argument', withArgs({ token: one }), true],
  ['two arguments at once', withArgs({ token: one, password: 'pass-5678' }), true],
  ['an argument beside it', withArgs({ user: 'me' }), false],
  ['two calls with it', withArgs({ user: 'me' }, { minCount: 2 }), false],
  [
    'a part of an argument',
    { ...withArgs({ user: 'known-secret-1' }), toolName: 'greet' } as Assertion,
    true,
  ],
  ['a value', path('/token', { equals: one }), true],
  ['the number of a value', path('/password', { min: 60 }), true],
  ['the most of a value', path('/password', { max: 80 }), true],
  ['a number that was known', path('/port', { equals: 70071 }), true],
  ['what stands below it', path('/credentials/scope', { exists: true }), true],
  ['an item below it', path('/credentials/scope', { contains: 'read' }), true],
  ['a key', path('/byKey/known-secret-1', { exists: true }), true],
  ['a value under a key', path(`/byKey/${gitHub}/n`, { equals: 7 }), true],
  ['a key of an argument', withArgs({ sent: byKey }), true],
  ['that it is there', path('/token', { exists: true }), false],
  ['a value beside it', path('/n', { equals: 5 }), false],
  ['a value beside it in JSON of a text', path('/n', { equals: 5 }, 'read'), false],
  ['an item beside it in JSON of a text', path('/list', { contains: 'a' }, 'read'), false],
  ['a value in JSON of a text', path('/token', { equals: one }, 'read'), true],
  ['a number in JSON of a text', path('/password', { min: 60 }, 'read'), true],
  ['a text', { type: 'toolResultContains', toolName: 'greet', needle: 'known-secret' }, true],
  ['words beside it', { type: 'toolResultContains', toolName: 'greet', needle: 'is well' }, false],
  ['a pattern', { type: 'toolResultMatches', toolName: 'greet', pattern: 'known-[a-z]+-1' }, true],
  [
    'a pattern beside it',
    { type: 'toolResultMatches', toolName: 'greet', pattern: 'all is w' },
    false,
  ],
  [
    'a pattern of arguments',
    { type: 'toolInputMatches', toolName: 'login', pattern: 'tok-12' },
    true,
  ],
  ['the listed schema', { type: 'argumentsMatchToolSchema', toolName: 'login' }, true],
  ['the listed schema of others', { type: 'argumentsMatchToolSchema', toolName: 'read' }, false],
  [
    'a schema',
    {
      type: 'toolResultMatchesSchema',
      toolName: 'login',
      schema: { properties: { token: { pattern: '^tok-' } } },
    },
    true,
  ],
  [
    'a schema of what stands beside it',
    {
      type: 'toolResultMatchesSchema',
      toolName: 'read',
      schema: { type: 'object', properties: { n: { const: 5 } }, required: ['n', 'token'] },
    },
    false,
  ],
  ['a size', { type: 'toolResultSizeUnder', maxBytes: 10_000, toolName: 'login' }, true],
  ['repeated calls', { type: 'noRepeatedIdenticalCall', toolName: 'login' }, true],
  ['repeated calls of others', { type: 'noRepeatedIdenticalCall', toolName: 'read' }, false],
  ['the answer', { type: 'responseContains', needle: 'known-secret-1' }, true],
  ['the answer beside it', { type: 'responseContains', needle: 'welcome' }, false],
  ['a pattern of the answer', { type: 'responseMatches', pattern: 'You are known' }, true],
  [
    'closeness of the answer',
    { type: 'responseCloseTo', reference: 'You are known-secret-1, welcome.', threshold: 0.9 },
    true,
  ],
  ['that something was said', { type: 'finalAssistantMessageNonEmpty' }, false],
  ['the first tool', { type: 'firstToolWas', toolName: 'login' }, false],
  ['that no tool failed', { type: 'noToolErrors' }, false],
];

test.each(rows)('%s', async (_, assertion, asks) => {
  const step = { id: 'asserted', kind: 'assert', assertion } as const;
  for (const definition of [
    { steps: [prompt, step] },
    { steps: [prompt], checks: { list: [assertion] } },
  ] as CaseToReplay[]) {
    const { record, again } = await playTwice(definition);
    const { status, result, evaluatorError, chain } = again;
    const graded = { status, result, evaluatorError, category: chain.failureCategory };
    if (asks) {
      const unknown = { result: null, evaluatorError: true, category: 'evaluator' };
      expect(graded, again.error ?? '').toEqual({ status: 'completed', ...unknown });
      expect(chain.stageResults.filter(({ state }) => state === 'failed')).toEqual([]);
    } else {
      expect(graded, again.error ?? '').toMatchObject({ result: 'passed', evaluatorError: false });
      expect(chain).toEqual(record.chain);
    }
  }
});

const failing = [
  { calls: [{ tool: 'fail', input: { user: 'me', token: one } }] },
  { text: 'It did not work.' },
];

test('whose doing an error is does not change by what was taken out of the arguments', async () => {
  const definition = { steps: [prompt], failOnToolError: true } as CaseToReplay;
  const recorded = await recordTrial(mcp, { definition, lines: failing, answers, secrets });
  const { again } = await replayTrial(mcp, recorded, { definition, secrets });
  expect(recorded.record.chain.failureCategory).toBe('serverData');
  expect(again.chain).toEqual(recorded.record.chain);
});

test('an error that the case states by what was taken out is nobody can tell', async () => {
  const stated = { type: 'toolCallFails', toolName: 'fail', messageContains: 'known-secret' };
  const definition = { steps: [prompt], checks: { list: [stated] } } as CaseToReplay;
  const { again } = await playTwice(definition, failing);
  expect(again).toMatchObject({ status: 'completed', result: null, evaluatorError: true });
  expect(again.chain.failureCategory).toBe('evaluator');
});
