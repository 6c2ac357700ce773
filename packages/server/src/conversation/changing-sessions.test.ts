import type { JourneySnapshot, JourneyTarget, Json } from '@proofmark/domain';
import { dependenciesFor, planFor, runServersFor } from '@proofmark/harness/engine-trial.ts';
import { changingTools, listsOf } from '@proofmark/harness/mcp-servers/changing-tools.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../outside/model/scripted-model.ts';
import { playSession } from './play-session.ts';
import { playTurn } from './play-turn.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const turnTimeoutMs = 10_000;
const calls = (toolName: string): ScriptedReply => ({
  toolCalls: [{ toolCallId: `call-${toolName}`, toolName, input: {} }],
});
const done = { text: 'Done.' };

interface Options {
  readonly changes?: Parameters<typeof changingTools>[0];
  readonly turnMs?: number;
  readonly mayOffer?: (tool: Json) => boolean;
}

async function journey(
  replies: ScriptedReply[],
  { changes, turnMs = turnTimeoutMs }: Options = {},
) {
  return against(changes, async (servers, named) => {
    const models = createScriptedModel(replies);
    const limits = {
      sessionTimeoutMs: 30_000,
      turnTimeoutMs: turnMs,
      userTimeoutMs: 1000,
      maxModelSteps: 5,
    };
    const record = await playSession(
      dependenciesFor(servers, models),
      {
        snapshot: { maxTurns: 2, limits } as JourneySnapshot,
        target: { modelId: 'scripted/one' } as JourneyTarget,
        plan: planFor({ steps: [] }, named),
        user: {
          next: async () => ({ message: 'Go on.', endSession: false }),
          intents: () => null,
        },
        onTurn: async () => undefined,
      },
      new AbortController().signal,
    );
    return { record, models };
  });
}

/** Plays one turn of a person, as in the playground and behind a share link. */
async function turn(
  replies: ScriptedReply[],
  { changes, turnMs = turnTimeoutMs, mayOffer = () => true }: Options = {},
) {
  return against(changes, async (servers, named) => {
    const models = createScriptedModel(replies);
    const { end, record } = await playTurn(
      dependenciesFor(servers, models),
      {
        plan: planFor({ steps: [] }, named),
        modelId: 'scripted/one',
        text: 'Go on.',
        earlier: () => [],
        isOptional: () => false,
        mayOffer,
        leftOut: () => undefined,
        watcher: {
          answered: () => undefined,
          called: () => undefined,
          mayCall: async () => undefined,
        },
        turnMs,
        wholeTurnMs: 30_000,
      },
      new AbortController().signal,
    );
    return { end, record, models };
  });
}

let played = 0;

async function against<Played>(
  changes: Options['changes'],
  play: (
    servers: ReturnType<typeof runServersFor>,
    named: { id: string; name: string; url: string }[],
  ) => Promise<Played>,
) {
  played += 1;
  const server = await startFakeMcpServer(changingTools(changes));
  const named = [{ id: `srv_changing_${played}`, name: 'Lock', url: server.url }];
  const servers = runServersFor(mcp, named);
  try {
    return { ...(await play(servers, named)), lists: listsOf(server) };
  } finally {
    await servers.close();
    await server.stop();
  }
}

const offered = ({ requests }: ReturnType<typeof createScriptedModel>) =>
  requests.map(({ tools = [] }) => tools.map(({ name }) => name));
const unlocked = { serverName: 'Lock', added: ['open'], removed: ['unlock'], changed: ['look'] };

describe.each([
  ['a session of a journey', journey],
  ['a turn of a person', turn],
] as const)('%s', (_, play) => {
  test('offers the new list to the model, calls what is new, and keeps what changed', async () => {
    const { record, models, lists } = await play([calls('unlock'), calls('open'), done, done]);
    expect(record).toMatchObject({ errorCode: null, toolCallCount: 2, toolErrorCount: 0 });
    expect(offered(models).slice(0, 3)).toEqual([
      ['unlock', 'look'],
      ['open', 'look'],
      ['open', 'look'],
    ]);
    expect(record.trace['listChanges']).toMatchObject([unlocked]);
    expect(record.evidence.toolsOffered.map(({ toolName }) => toolName)).toEqual([
      'unlock',
      'look',
      'open',
    ]);
    expect(lists).toBe(2);
  });

  test('asks no server again that said nothing', async () => {
    const quiet = { changes: { says: 0 } };
    const { record, models, lists } = await play([calls('unlock'), done, done], quiet);
    expect(offered(models)[1]).toEqual(['unlock', 'look']);
    expect(record.trace).not.toHaveProperty('listChanges');
    expect(lists).toBe(1);
  });

  test('reads the list once, however often its change is told', async () => {
    const { lists } = await play([calls('unlock'), calls('open'), done, done], {
      changes: { says: 20 },
    });
    expect(lists).toBe(2);
  });

  test.each([
    ['fails', 'fails', 'The server answered with HTTP 500.'],
    ['never comes', 'hangs', 'within half of the remaining time of the turn'],
  ] as const)('goes on with the old list where the new one %s', async (_how, listsAgain, why) => {
    const options = { changes: { listsAgain }, turnMs: 4000 };
    const { record, models } = await play([calls('unlock'), calls('look'), done, done], options);
    expect(record).toMatchObject({ errorCode: null, toolCallCount: 2 });
    expect(offered(models)[1]).toEqual(['unlock', 'look']);
    expect(record.trace['listChanges']).toMatchObject([
      { added: [], removed: [], changed: [], failure: expect.stringContaining(why) },
    ]);
  });
});

test.each([
  ['a session of a journey', journey, 'hangs', 2],
  ['a turn of a person', turn, 'hangs', 1],
  ['a turn of a person', turn, 'fails', 1],
] as const)(
  '%s asks for a list that cannot be read once in a turn, however often its change is told',
  async (...row) => {
    const [, play, listsAgain, turns] = row;
    const changes = { listsAgain, keepsSaying: true };
    const replies = ['unlock', 'look', 'look', 'look'].map(calls);
    const { record, lists } = await play([...replies, done, done], { changes, turnMs: 3000 });
    expect(record).toMatchObject({ errorCode: null, toolCallCount: 4, toolErrorCount: 0 });
    // The change was announced after the failed listing. So the next turn lists the tools again.
    expect(record.trace['listChanges']).toHaveLength(turns);
    expect(lists).toBe(1 + turns);
  },
);

test('a tool that a person may not use is not offered when it is new either', async () => {
  const { record, models } = await turn([calls('unlock'), calls('open'), done], {
    mayOffer: ({ name }) => name !== 'open',
  });
  expect(offered(models)[1]).toEqual(['look']);
  expect(record.trace['listChanges']).toMatchObject([{ ...unlocked, added: [] }]);
});
