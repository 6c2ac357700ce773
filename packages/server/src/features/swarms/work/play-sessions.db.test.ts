import { called } from '@proofmark/harness/play-trial.ts';
import { startStageServer } from '@proofmark/harness/stage-servers.ts';
import {
  callsOnce,
  type SwarmFixture,
  startSwarmFixture,
} from '@proofmark/harness/swarm-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';

let fixture: SwarmFixture;
let weather: { readonly id: string };

const says = (message: string) => JSON.stringify({ message, endSession: false });
const ends = JSON.stringify({ message: '', endSession: true });

beforeAll(async () => {
  fixture = await startSwarmFixture(
    {
      one: callsOnce('weather', { city: 'Oslo' }),
      writes: callsOnce('create_comment', {}),
      limited: () => ({ status: 429 }),
      broken: () => ({ status: 500 }),
      silent: () => 'hang',
      slowly: async () => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        return { text: 'It is sunny.' };
      },
      'user-talks': () => ({ text: says('And now?') }),
      'user-ends': ({ messages }, count) => {
        void messages;
        return { text: count % 2 === 1 ? says('Hello, what is the weather?') : ends };
      },
      'user-garbage': () => ({ text: 'I am a person.' }),
      'user-leaves': () => ({ text: ends }),
      'user-broken': () => ({ status: 500 }),
    },
    { turnTimeoutMs: 2000 },
  );
  weather = await fixture.mcpServer({
    'tools/call': { content: [{ type: 'text', text: 'sunny' }] },
  });
});

afterAll(() => fixture.stop());

async function play(options: {
  model?: string;
  config?: object;
  serverIds?: string[];
  journey?: object;
}) {
  const { model, config, serverIds = [weather.id], journey = {} } = options;
  const environmentId = await fixture.environment(serverIds, model, config);
  const journeyId = await fixture.journey({ environmentIds: [environmentId], ...journey });
  const { id } = await fixture.launch(journeyId);
  const run = await fixture.ended(id);
  const sessions = await fixture.sessions(id);
  return { run, sessions, attempt: run.attempts[0], session: sessions[0] };
}

function stagesOf(session: { chain: { stageResults: { state: string; reason?: string }[] } }) {
  return session.chain.stageResults.map(({ state, reason }) => `${state} ${reason}`);
}

const rubric = [{ predicate: { type: 'noToolErrors' } }];

describe('what ended a session', () => {
  test('the scripted user: played, and graded by nobody without a rubric', async () => {
    const { run, attempt, session } = await play({});
    expect(run).toMatchObject({
      status: 'completed',
      canceled: false,
      stale: false,
      personaModel: 'proofmark/scripted-user-1',
      summary: { total: 1, succeeded: 1, failed: 0, rateLimited: 0 },
    });
    expect(attempt).toMatchObject({
      status: 'succeeded',
      errorCode: null,
      errorMessage: null,
      begun: 1,
    });
    expect(attempt.chatSessionId).toMatch(new RegExp(`^synth_${run.id}_[0-9a-f]{8}_0$`));
    expect(session).toMatchObject({
      id: attempt.sessionId,
      outcome: 'succeeded',
      endReason: 'personaEnded',
      turnCount: 1,
      messageCount: 2,
      toolCallCount: 1,
      toolErrorCount: 0,
      result: null,
      grading: { status: null, gradedAt: null },
      readiness: { status: 'completed', verdict: 'ready', issueCount: 0 },
    });
    expect(session.preview).toContain('What is the weather in Oslo today?');
    expect(stagesOf(session).slice(0, 2)).toEqual(['passed observed', 'passed observed']);
    expect(session.tracePath).toBe(
      `/projects/${run.projectId}/journey-runs/${run.id}/sessions/${session.id}/trace`,
    );
    const trace = await fixture.get(200, 'GET', session.tracePath.split(`${run.projectId}/`)[1]);
    expect(trace.messages.map(({ role }: { role: string }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant'],
    ]);
    const [row] = await fixture.service.owner.sql<{ digest: string }[]>`
      select digest from swarm_sessions where id = ${session.id}`;
    expect(JSON.parse(row?.digest ?? '')).toMatchObject({
      outcome: 'completed',
      tools: [{ toolName: 'weather', calls: 1, errors: 0, durationsMs: [expect.any(Number)] }],
    });
  });

  test('a model that plays the user and ends, or speaks as long as it may', async () => {
    const played = await play({ journey: { personaModel: 'local/user-ends' } });
    expect(played.session).toMatchObject({ endReason: 'personaEnded', turnCount: 1 });
    const capped = await play({ journey: { personaModel: 'local/user-talks', maxTurns: 2 } });
    expect(capped.run.status).toBe('completed');
    expect(capped.session).toMatchObject({
      outcome: 'succeeded',
      endReason: 'turnCap',
      turnCount: 2,
      messageCount: 4,
      readiness: { verdict: 'needs_attention', issueCount: 1 },
    });
  });

  test('with a rubric it is stamped at its end, and the chain comes with the grade', async () => {
    const { session } = await play({ journey: { rubric } });
    expect(['pending', 'completed']).toContain(session.grading.status);
  });

  test.each([
    ['a server that refuses connections', { kind: 'refused' } as const, 0, 'failed connectFailed'],
    [
      'a server that does not list its tools',
      { kind: 'status', method: 'tools/list', status: 500 } as const,
      1,
      'failed toolsListFailed',
    ],
  ])('%s', async (_, script, stage, expected) => {
    const server = await startStageServer(script);
    const { id } = await fixture.save(server.url);
    const { run, attempt, session } = await play({ serverIds: [id], journey: { rubric } });
    expect(run).toMatchObject({ status: 'failed' });
    expect(attempt).toMatchObject({ status: 'failed', errorCode: 'server_unreachable' });
    expect(session.grading.status).toBe(null);
    expect(stagesOf(session)[stage]).toBe(expected);
    expect(session.chain.failureCategory).toBe('setup');
    await server.stop();
  });

  test('a server that asks for OAuth, without a grant', async () => {
    const server = await startStageServer({ kind: 'status', method: 'initialize', status: 401 });
    const { id } = await fixture.save(server.url);
    const { attempt, session } = await play({ serverIds: [id] });
    expect(attempt).toMatchObject({ status: 'failed', errorCode: 'oauth_required' });
    expect(session.chain.failureCategory).toBe('setup');
    await server.stop();
  });

  test.each([
    ['limits us', 'local/limited', 'rate_limited', 'rate_limited'],
    ['fails', 'local/broken', 'failed', 'provider_failed'],
  ])('a provider of the assistant that %s', async (_, model, status, errorCode) => {
    const { run, attempt, session } = await play({ model, journey: { rubric } });
    expect(run).toMatchObject({ status, summary: { succeeded: 0 } });
    expect(attempt).toMatchObject({ status, errorCode });
    expect(session).toMatchObject({ result: null, grading: { status: null }, readiness: null });
    expect(stagesOf(session)).toContain('notMeasured providerError');
    expect(session.chain.firstFailedStage).toBe(undefined);
  });

  test('a client that asks for approval, where nobody is', async () => {
    const config = { requireToolApproval: true };
    const { run, attempt, session } = await play({ config, journey: { rubric } });
    expect(attempt).toMatchObject({ status: 'failed', errorCode: 'blocked_by_policy' });
    expect(await fixture.get(200, 'GET', `journey-runs/${run.id}/scorecard`)).toMatchObject({
      sessionsGraded: 0,
      ungraded: { policy: 1 },
      criteria: [{ passCount: 0, failCount: 0, failRate: null, interval: null }],
    });
    expect(session.grading.status).toBe(null);
    expect(new Set(stagesOf(session).slice(0, 3))).toEqual(
      new Set(['notMeasured blockedByPolicy']),
    );
  });

  test('a tool held for writing that the journey does not allow is not called, and no server is blamed', async () => {
    const inputSchema = { type: 'object' };
    const server = await fixture.mcpServer({
      'tools/list': { tools: [{ name: 'create_comment', inputSchema }] },
      'tools/call': { content: [{ type: 'text', text: 'created' }] },
    });
    const calls = () => called(server).length;
    const options = { model: 'local/writes', serverIds: [server.id] };
    const { run, attempt, session } = await play({
      ...options,
      journey: { rubric, allowWrites: [] },
    });
    expect(calls()).toBe(0);
    expect(attempt).toMatchObject({ status: 'failed', errorCode: 'blocked_by_policy' });
    const refused = { serverName: server.name, toolName: 'create_comment', by: 'allowWrites' };
    expect(session).toMatchObject({ refusedCalls: [refused], result: null });
    expect(session.advice).toContain('allowWrites');
    expect(session.chain).not.toHaveProperty('failureCategory');
    expect(run).toMatchObject({
      verdict: 'notEstablished',
      refusedCalls: [{ ...refused, calls: 1, trials: 1 }],
    });
    const allowed = await play({ ...options, journey: { allowWrites: ['create_comment'] } });
    expect(calls()).toBe(1);
    expect(allowed.attempt).toMatchObject({ status: 'succeeded' });
    expect(allowed.run).not.toHaveProperty('refusedCalls');
    // Without a policy, the same call is accepted.
    expect((await play(options)).attempt).toMatchObject({ status: 'succeeded' });
    expect(calls()).toBe(2);
  });

  test.each(['user-garbage', 'user-leaves', 'user-broken'])(
    'a simulated user that cannot go on: %s',
    async (name) => {
      const { run, attempt, session } = await play({
        journey: { personaModel: `local/${name}`, rubric },
      });
      const card = await fixture.get(200, 'GET', `journey-runs/${run.id}/scorecard`);
      expect(card).toMatchObject({ simulatedUserFailedCount: 1, ungraded: { ours: 1 } });
      expect(attempt).toMatchObject({ status: 'failed', errorCode: 'persona_driver_failed' });
      expect(stagesOf(session)[0]).toBe('passed observed');
      expect(stagesOf(session)).toContain('notMeasured evaluatorError');
      expect(session.chain.failureCategory).toBe('evaluator');
    },
  );

  test('a turn that takes too long', async () => {
    const { attempt, session } = await play({ model: 'local/silent' });
    expect(attempt).toMatchObject({ status: 'failed', errorCode: 'session_timeout' });
    expect(stagesOf(session)[0]).toBe('notMeasured lifecycleStopped');
  });

  test('sessions that wait for each other at a provider lose no time by it', async () => {
    const narrow = createModelGateway({
      egress: { allowLoopback: true, allowedPrivateHosts: [] },
      providers: [
        {
          name: 'local',
          kind: 'openai-compatible',
          baseUrl: fixture.provider.baseUrl,
          requestsAtOnce: 1,
          models: [{ name: 'slowly' }],
        },
      ],
    });
    await fixture.restartWorker({ models: narrow });
    const { run } = await play({ model: 'local/slowly', journey: { sessionsPerTarget: 4 } });
    await fixture.restartWorker();
    await narrow.close();
    expect(run.summary).toMatchObject({ total: 4, succeeded: 4 });
  });

  test('a tool that fails ends nothing: the assistant is told and goes on', async () => {
    const failing = await fixture.mcpServer({
      'tools/call': { isError: true, content: [{ type: 'text', text: 'no such city' }] },
    });
    const { attempt, session } = await play({ serverIds: [failing.id] });
    expect(attempt.status).toBe('succeeded');
    expect(session).toMatchObject({ toolErrorCount: 1, readiness: { verdict: 'not_ready' } });
    expect(session.chain.firstFailedStage).toBe('response');
  });
});
