import { setTimeout as after } from 'node:timers/promises';
import {
  type AttemptEndCause,
  type JourneySnapshot,
  type JourneyTarget,
  messageOfEnd,
  modelUnpriced,
  outOfCredits,
} from '@proofmark/domain';
import { dependenciesFor, planFor, runServersFor } from '@proofmark/harness/engine-trial.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import {
  type AskingTool,
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { afterAll, expect, test } from 'vitest';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';
import { playSession } from './play-session.ts';
import type { RunServers, TrialServers } from './run-servers.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const turnTimeoutMs = 1000;
const limits = { sessionTimeoutMs: 20_000, turnTimeoutMs, userTimeoutMs: 1000, maxModelSteps: 5 };
const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  maxTokens: 50,
};
const samples: AskingTool = async (ask) =>
  answerAsResult(await ask('sampling/createMessage', sampling));
const callTool: ScriptedReply = {
  toolCalls: [{ toolCallId: 'one', toolName: 'tool', input: {} }],
};

async function play(models: ModelGateway, tool = samples) {
  return playAgainst(await startAskingServer({ tool }), models);
}

let played = 0;

/**
 * Plays one turn against the server. Each play needs a separate server: plays run concurrently, and
 * a server's request to wait applies to all its calls.
 */
async function playAgainst(
  server: { readonly url: string; stop(): Promise<void> },
  models: ModelGateway,
  change = (own: TrialServers) => own,
) {
  played += 1;
  const servers = [{ id: `srv_asking_${played}`, name: 'Asking', url: server.url }];
  const runServers = runServersFor(mcp, servers);
  try {
    return await playSession(
      dependenciesFor(
        Object.assign(Object.create(runServers), {
          forTrial: async (...asked: Parameters<RunServers['forTrial']>) =>
            change(await runServers.forTrial(...asked)),
        }),
        models,
      ),
      {
        snapshot: { maxTurns: 1, limits } as JourneySnapshot,
        target: { modelId: 'scripted/one' } as JourneyTarget,
        plan: planFor({ steps: [] }, servers),
        user: {
          next: async () => ({ message: 'Greet me.', endSession: false }),
          intents: () => null,
        },
        onTurn: async () => undefined,
      },
      new AbortController().signal,
    );
  } finally {
    await runServers.close();
    await server.stop();
  }
}

test.concurrent('the wait for a place is no time of a turn, also where a server asks the model', async () => {
  const answering = createScriptedModel([callTool, { text: 'Hello.' }, { text: 'Done.' }]);
  const crowded: ModelGateway = {
    ...answering,
    async generate(model, request, options) {
      if (request.maxOutputTokens === 50) await after(turnTimeoutMs + 300);
      return answering.generate(model, request, options);
    },
  };
  const played = await play(crowded);
  expect(answering.requests).toHaveLength(3);
  expect(played).toMatchObject({ errorCode: null, toolCallCount: 1, toolErrorCount: 0 });
});

test.concurrent('a tool that fails because nobody answered its question was not measured', async () => {
  const asks =
    (isError: boolean): AskingTool =>
    async (ask) => ({ ...answerAsResult(await ask('elicitation/create', question)), isError });
  const models = () => createScriptedModel([callTool, { text: 'Done.' }]);
  const failed = await play(models(), asks(true));
  expect(failed).toMatchObject({ errorCode: 'runner_failed', toolErrorCount: 0 });
  expect(failed.evidence.end).toMatchObject({ kind: 'notPlayed', cause: 'clientLacks' });
  expect(await play(models(), asks(false))).toMatchObject({ errorCode: null, toolCallCount: 1 });
});

test.concurrent.each([
  [modelUnpriced('local/one'), 'modelUnpriced', /no price/],
  [outOfCredits(5, 5), undefined, /credits of the organization were used up/],
])('who cannot pay for a session says why: %s', async (refused, cause, sentence) => {
  const unpaid: ModelGateway = {
    ...createScriptedModel([]),
    generate: () => Promise.reject(refused),
  };
  const { errorCode, evidence } = await play(unpaid);
  expect(errorCode).toBe('spend_cap_exceeded');
  expect(evidence.end).toEqual({
    kind: 'notPlayed',
    errorCode: 'spend_cap_exceeded',
    ...(cause && { cause }),
  });
  expect(messageOfEnd('spend_cap_exceeded', cause as AttemptEndCause | undefined)).toMatch(
    sentence,
  );
});

const question = {
  message: 'Which day?',
  requestedSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};

test.concurrent('a server that asks to wait for longer than a turn ends the session, not the clock', async () => {
  const server = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'tool', inputSchema: { type: 'object' } }] },
    'tools/call': (response) => response.writeHead(429, { 'retry-after': '5' }).end(),
  });
  const played = await playAgainst(server, createScriptedModel([callTool, { text: 'Done.' }]));
  expect(played.errorCode).toBe('server_unreachable');
  expect(played.evidence.end).toMatchObject({ cause: 'askedToWait' });
});

test.concurrent('a provider that holds a call back until it is given up has limited us, whatever time that took', async () => {
  const limited: ModelGateway = {
    ...createScriptedModel([]),
    async generate(_model, _request, { onSent }) {
      onSent?.(true);
      onSent?.(false);
      await after(turnTimeoutMs + 300);
      throw new ModelFailure('RATE_LIMITED', 'Too many requests.', 3);
    },
  };
  expect(await play(limited)).toMatchObject({ errorCode: 'rate_limited' });
});

test.concurrent.each([
  ['while a server has us wait for a place', 'waits', 'server_unreachable'],
  ['while a server works', undefined, 'session_timeout'],
])('the time of a turn that goes by %s is told as what it was', async (_, heldBack, errorCode) => {
  const server = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'tool', inputSchema: { type: 'object' } }] },
    'tools/call': () => undefined,
  });
  const models = createScriptedModel([callTool, { text: 'Done.' }]);
  const waits: Partial<TrialServers> = {
    heldBack: () => heldBack,
    callTool: (_server, _tool, _input, signal, onWaiting) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        onWaiting?.(true);
      }),
  };
  const played = await playAgainst(server, models, (own) =>
    heldBack === undefined ? own : Object.assign(own, waits),
  );
  expect(played.errorCode).toBe(errorCode);
});
