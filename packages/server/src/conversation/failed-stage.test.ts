/**
 * Tests that a failed trial names the failed stage, and that its scores agree with its result. One
 * exception: the call stage does not apply to a case that expects no call. If a call gets no result
 * there, the trial fails but no stage does.
 */

import { type EvalCaseDefinition, gatingOutcome, type PlannedCase } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersOf,
} from '@proofmark/harness/engine-trial.ts';
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import { preparedCase } from './prepared-case.ts';
import type { TrialServers } from './run-servers.ts';

type FakeTrialServers = Pick<TrialServers, 'open' | 'callTool'>;

type Step = EvalCaseDefinition['steps'][number];

const servers = [{ id: 'srv_1', name: 'Weather' }];
const modes = ['fine', 'isError', 'rpcError', 'http500', 'timeout'] as const;
type Mode = (typeof modes)[number];

const answers: Readonly<Record<Mode, () => { result: Record<string, unknown> }>> = {
  fine: () => ({ result: { content: [{ type: 'text', text: 'sunny' }] } }),
  isError: () => ({ result: { isError: true, content: [] } }),
  rpcError: () => {
    throw new McpFailure('SERVER_UNREACHABLE', 'It said no.', { mcpErrorCode: -32602 });
  },
  http500: () => {
    throw new McpFailure('SERVER_UNREACHABLE', 'It answered 500.', { status: 500 });
  },
  timeout: () => {
    throw new McpFailure('TIMEOUT', 'It took too long.', {});
  },
};

const trialServersOf = (mode: Mode): FakeTrialServers => ({
  open: async () => ({
    servers: servers.map((server) => ({
      ...server,
      tools: ['weather', 'clock'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      connectMs: 1,
      listMs: 1,
    })),
    connect: { ok: true },
    toolsList: { ok: true },
    surface: { hash: 'hash', text: '{}' },
  }),
  callTool: async () => ({ ...answers[mode](), durationMs: 1 }),
});

const ask = { kind: 'prompt', prompt: 'What is the weather?' };
const pin = {
  kind: 'toolCall',
  toolName: 'weather',
  serverName: 'Weather',
  arguments: { city: 'Rome' },
};
const assertions = [
  ...['partial', 'exact', 'ignore'].flatMap((argumentMatching) =>
    ['Rome', 'Oslo'].map((city) => ({
      type: 'toolCalledWith',
      toolName: 'weather',
      args: { args: { city }, argumentMatching },
    })),
  ),
  { type: 'toolCalledWith', toolName: 'gone', args: { args: {} }, minCount: 2 },
  { type: 'toolCalledAtLeastOnce', toolName: 'clock' },
  { type: 'toolNeverCalled', toolName: 'weather' },
  { type: 'firstToolWas', toolName: 'clock' },
  { type: 'onlyToolsCalled', toolNames: [] },
  { type: 'responseContains', needle: 'sunny' },
  { type: 'noToolErrors' },
  { type: 'tokenBudgetUnder', tokens: 1 },
  { type: 'turnCountUnder', turns: 1 },
];
const scripts: ModelLine[][] = [
  [{ text: 'sunny' }, { text: 'sunny' }, { text: 'sunny' }],
  [
    { calls: [{ tool: 'weather', input: { city: 'Rome' } }] },
    { text: 'sunny' },
    { text: 'rain' },
    { text: 'rain' },
  ],
  [
    {
      calls: [
        { tool: 'weather', input: { city: 'Rome', day: 1 } },
        { tool: 'clock', input: {} },
      ],
    },
    { text: 'rain' },
    { text: 'sunny' },
    { text: 'sunny' },
  ],
  [{ calls: [{ tool: 'gone', input: {} }] }, { text: 'sunny' }, { text: '' }, { text: '' }],
  ['fails'],
];

test('a failed trial has failed scores and a failed stage, but for a call without a result that nobody expected', async () => {
  const assertion = fc.constantFrom(...assertions);
  const step = fc.oneof(
    fc.constantFrom<object>(ask, pin),
    assertion.map((one) => ({ kind: 'assert', assertion: one })),
  );
  const scene = fc.record({
    mode: fc.constantFrom(...modes),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    list: fc.array(assertion, { maxLength: 2 }),
    lines: fc.constantFrom(...scripts),
    isNegative: fc.boolean(),
    failOnToolError: fc.boolean(),
    matchOptions: fc.constantFrom<NonNullable<EvalCaseDefinition['matchOptions']>>(
      {},
      { extraToolCalls: 0 },
      { arguments: 'exact' },
      { arguments: 'ignore', toolCallOrder: 'exact', extraToolCalls: 0 },
    ),
  });
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ mode, lines, list, ...stated }) => {
      const prompts = stated.steps.filter((one) => one === ask).length;
      fc.pre(prompts <= 2);
      const steps = stated.steps.map((one, index) => ({ id: `s${index}`, ...one })) as Step[];
      const checks = { mode: 'replace', list } as NonNullable<EvalCaseDefinition['checks']>;
      const plan = planFor({ ...stated, steps, checks }, servers);
      const { status, result, scores, chain, evidence } = await firstTrial(
        dependenciesFor(runServersOf(trialServersOf(mode)), modelOfLines(lines)),
        plan,
      );
      expect(scores !== null).toBe(status === 'completed');
      const isGood =
        scores !== null && gatingOutcome(definitionsOf(plan.cases[0]), scores) === 'passed';
      expect(isGood).toBe(result === 'passed');
      if (result === 'passed' && stated.failOnToolError)
        expect(chain.firstFailedStage).toBeUndefined();
      if (result !== 'failed') return;
      failures += 1;
      const { expectsToolCall, isNegativeTest, hasPrompt } = evidence.authored;
      const isLiteralException =
        hasPrompt &&
        !expectsToolCall &&
        !isNegativeTest &&
        evidence.toolErrors.some(({ kind }) => kind === 'protocol-error');
      if (!isLiteralException) expect(chain.firstFailedStage).toBeDefined();
    }),
    runsOf(1_500),
  );
  expect(failures).toBeGreaterThan(100);
}, 60_000);

function definitionsOf(planned: PlannedCase | undefined) {
  if (planned === undefined) throw new Error('The plan has no case.');
  const { verdict, match, ofCase, ofSteps } = preparedCase(planned).scorers;
  return [verdict, match, ...ofCase, ...ofSteps].map(({ definition, definitionHash }) => ({
    ...definition,
    definitionHash,
  }));
}
