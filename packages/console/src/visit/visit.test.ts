/** A visit against a service that answers as each test says: what is shown, and what is sent. */
import { ApiError, ConnectionError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { ownSessions } from './own-sessions.ts';
import { readShareAddress } from './share-address.ts';
import { openCall, type VisitLine } from './turn-view.ts';
import { Visit } from './visit.ts';
import { ConversationGone, type VisitCalls } from './visit-calls.ts';
import { stateName } from './visit-state.ts';
import { VisitStore } from './visit-store.ts';

type Answer = (input: Record<string, unknown>) => unknown;
type Answers = Readonly<Record<string, Answer>>;
type TurnInput = Parameters<VisitCalls['turn']>[0];

const link = {
  ...{ scenarioId: 'scn_1', accessVersion: 1, role: 'chat', mode: 'anyone_with_link' },
  ...{ title: 'Shop', description: null, notice: { version: '1', text: 'Read.' }, consented: true },
  ...{ requireToolApproval: false, servers: [], clientStyle: null, feedback: 'stars' },
  ...{ welcome: null, modelLabel: 'proofmark/lexical-1' },
};
const usual: Answers = {
  getVisitSession: () => ({ visitor: { signedIn: false }, csrfToken: 'c' }),
  redeemShareLink: () => link,
  createVisitorSession: () => ({ sessionId: 'cht_1' }),
};
const answered: VisitLine[] = [
  { type: 'turn_start', turnId: 'trn_1' },
  { type: 'text', text: 'Hello.' },
  { type: 'turn_finish', messageCount: 2 },
];

function refused(status: number, reason: string): ApiError {
  return new ApiError(status, { code: 'CONFLICT', message: 'No.', details: { reason } }, 1);
}

function fakeStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

function visitTo(
  answers: Answers,
  takeTurn: (input: TurnInput, nth: number) => VisitLine[] = () => answered,
  path = '/user-testing/shop/token',
) {
  const asked: [string, unknown][] = [];
  const addresses: string[] = [];
  const sessions = ownSessions(fakeStorage(), fakeStorage());
  let turns = 0;
  const calls = {
    call: async (id: string, input: Record<string, unknown>) => {
      asked.push([id, input['body']]);
      const answer = { ...usual, ...answers }[id];
      if (answer === undefined) throw new Error(`${id} was not expected.`);
      return answer(input);
    },
    turn: async (input: TurnInput, onLine: (line: VisitLine) => void) => {
      asked.push(['takeVisitorTurn', input.body]);
      turns += 1;
      for (const line of takeTurn(input, turns)) onLine(line);
    },
  } as unknown as VisitCalls;
  let ids = 0;
  const store = new VisitStore({
    ...{ calls, sessions, now: () => 0 },
    address: readShareAddress({ pathname: path, search: '', hash: '' }),
    opened: (scenarioId) => void addresses.push(scenarioId),
    newId: () => {
      ids += 1;
      return `client-${ids}`;
    },
    later: (work) => void setTimeout(work),
  });
  const count = (id: string) => asked.filter(([name]) => name === id).length;
  return { visit: new Visit(store), store, asked, addresses, sessions, count };
}

test('a link is opened once, and nothing is begun before something is said', async () => {
  const { visit, store, asked, addresses, count } = visitTo({});
  expect(stateName(store.state())).toBe('resolving');
  await visit.open();
  expect(stateName(store.state())).toBe('chatting');
  expect(asked[1]).toEqual(['redeemShareLink', { token: 'token' }]);
  expect(addresses).toEqual(['scn_1']);
  expect(count('createVisitorSession')).toBe(0);
  await visit.send('Hi');
  await visit.send('Again');
  expect(count('createVisitorSession')).toBe(1);
  expect(store.state().turns).toMatchObject([
    { text: 'Hi', status: 'completed', turnId: 'trn_1', parts: [{ text: 'Hello.' }] },
    { text: 'Again', status: 'completed' },
  ]);
});

test('a version that is behind is renewed by the grant, and the same turn sent once more', async () => {
  const { visit, store, asked } = visitTo(
    {
      redeemShareLink: ({ body }) =>
        'token' in Object(body) ? link : { ...link, accessVersion: 2 },
    },
    ({ body }) => {
      if (body?.accessVersion === 1) throw refused(409, 'SCENARIO_ACCESS_STALE');
      return answered;
    },
  );
  await visit.open();
  await visit.send('Hi');
  expect(asked.slice(-3)).toEqual([
    ['takeVisitorTurn', { text: 'Hi', clientTurnId: 'client-1', accessVersion: 1 }],
    ['redeemShareLink', { scenarioId: 'scn_1' }],
    ['takeVisitorTurn', { text: 'Hi', clientTurnId: 'client-1', accessVersion: 2 }],
  ]);
  expect(store.state().turns).toMatchObject([{ status: 'completed' }]);
});

test('one renewal is all: a version that stays behind gives the words back', async () => {
  const { visit, store, count } = visitTo({}, () => {
    throw refused(409, 'SCENARIO_ACCESS_STALE');
  });
  await visit.open();
  await visit.send('Hi');
  expect(count('takeVisitorTurn')).toBe(2);
  expect(store.state()).toMatchObject({ unsent: 'Hi', turns: [] });
});

test.each([
  [403, 'SCENARIO_ACCESS_DENIED', 'closed'],
  [409, 'CONSENT_REQUIRED', 'notice'],
  [409, 'SESSION_ENDED', 'ended'],
  [429, 'DAILY_LIMIT', 'limit'],
])(
  '%s %s leaves what was said, gives the words back and shows %s',
  async (status, reason, name) => {
    const { visit, store } = visitTo({}, (_, nth) => {
      if (nth === 2) throw refused(status, reason);
      return answered;
    });
    await visit.open();
    await visit.send('Hi');
    await visit.send('More');
    expect(stateName(store.state())).toBe(name);
    expect(store.state()).toMatchObject({ unsent: 'More', turns: [{ text: 'Hi' }] });
  },
);

test('an approval waits for its visitor, and the decision names the hash it was shown', async () => {
  const held: VisitLine[] = [
    { type: 'turn_start', turnId: 'trn_1' },
    {
      type: 'tool_call',
      callId: 'call_1',
      toolName: 'pay',
      serverName: 'Till',
      arguments: { sum: 3 },
    },
    {
      type: 'approval_required',
      approvalId: 'apv_1',
      callId: 'call_1',
      argumentsHash: 'h',
      expiresAt: 9,
    },
  ];
  let read = {
    sessionId: 'cht_1',
    status: 'active',
    messages: [] as object[],
    turn: {} as unknown,
  };
  const { visit, store, asked } = visitTo(
    {
      answerApproval: () => ({}),
      getVisitorSession: () => read,
    },
    (_, nth) => (nth === 1 ? held : answered),
  );
  await visit.open();
  read = { ...read, turn: { turnId: 'trn_1', clientTurnId: 'client-1', status: 'running' } };
  const playing = visit.send('Pay');
  await expect.poll(() => stateName(store.state())).toBe('approval');
  const [turn] = store.state().turns;
  if (turn === undefined) throw new Error('No turn.');
  expect(openCall(turn)).toMatchObject({ toolName: 'pay', arguments: { sum: 3 } });
  await visit.decide(turn, 'approve');
  expect(asked).toContainEqual([
    'answerApproval',
    { approvalId: 'apv_1', decision: 'approve', argumentsHash: 'h' },
  ]);
  expect(stateName(store.state())).toBe('chatting');
  const messages = [{ role: 'user', text: 'Pay', createdAt: 1 }];
  read = { ...read, messages, turn: undefined };
  await playing;
  expect(store.state().turns).toMatchObject([{ status: 'completed', parts: [{ text: 'Hello.' }] }]);
});

test('a turn that failed while nobody was connected is shown, and not sent again by itself', async () => {
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'failed' };
  const error = { code: 'INTERNAL_ERROR', message: 'It broke.' };
  const messages = [{ role: 'user', text: 'Hi', createdAt: 1 }];
  const session = { sessionId: 'cht_1', status: 'active', messages, turn: { ...turn, error } };
  const { visit, store, count } = visitTo({ getVisitorSession: () => session }, () => {
    throw new ConnectionError('http://a.example', new Error('gone'));
  });
  await visit.open();
  await visit.send('Hi');
  expect(count('takeVisitorTurn')).toBe(1);
  expect(store.state().turns).toMatchObject([{ status: 'failed', problem: 'It broke.' }]);
});

test('words that never arrived are not mistaken for those that did', async () => {
  const messages = [{ role: 'user', text: 'Hi', createdAt: 1 }];
  const session = { sessionId: 'cht_1', status: 'active', messages };
  const { visit, store } = visitTo({ getVisitorSession: () => session }, (_, nth) => {
    if (nth === 2) throw new ConnectionError('http://a.example', new Error('gone'));
    return answered;
  });
  await visit.open();
  await visit.send('Hi');
  await visit.send('Lost');
  expect(store.state().turns).toMatchObject([
    { text: 'Hi', status: 'completed' },
    { text: 'Lost', status: 'interrupted' },
  ]);
});

test('after a reload the conversation is there, also behind a link that was closed, and can be deleted', async () => {
  const messages = [
    { role: 'user', text: 'Hi', createdAt: 1 },
    { role: 'tool', text: '', toolName: 'find', createdAt: 2 },
    { role: 'assistant', text: 'Found.', createdAt: 3 },
  ];
  const erased: unknown[] = [];
  const { visit, store, sessions } = visitTo(
    {
      redeemShareLink: () => {
        throw new ApiError(404, {}, undefined);
      },
      getVisitorSession: () => ({ sessionId: 'cht_1', status: 'active', messages }),
      eraseVisitorSession: ({ sessionId }) => erased.push(sessionId),
    },
    undefined,
    '/user-testing/shop/scn_1',
  );
  sessions.open('scn_1', 'cht_0');
  sessions.open('scn_1', 'cht_1');
  await visit.open();
  expect(stateName(store.state())).toBe('closed');
  expect(store.state()).toMatchObject({
    earlier: ['cht_0'],
    turns: [{ text: 'Hi', parts: [{ kind: 'tool', toolName: 'find' }, { text: 'Found.' }] }],
  });
  await visit.erase();
  await visit.eraseEarlier();
  expect(erased).toEqual(['cht_1', 'cht_0']);
  expect(store.state()).toMatchObject({ ended: 'erased', turns: [], earlier: [] });
  expect(sessions.all('scn_1')).toEqual([]);
});

test('a message that could not be answered is sent again as the same turn', async () => {
  const { visit, store, asked } = visitTo({}, (_, nth) => {
    if (nth > 1) return answered;
    const [start = { type: 'note', text: '' }] = answered;
    return [start, { type: 'error', code: 'PROVIDER', message: 'It could not answer.' }];
  });
  await visit.open();
  await visit.send('Hi');
  const [turn] = store.state().turns;
  expect(turn).toMatchObject({ status: 'failed', problem: 'It could not answer.' });
  if (turn) await visit.sendAgain(turn);
  expect(asked.at(-1)?.[1]).toMatchObject({ clientTurnId: 'client-1', text: 'Hi' });
  expect(store.state().turns).toMatchObject([{ status: 'completed' }]);
});

const saidBefore = {
  ...{ sessionId: 'cht_1', status: 'active' },
  messages: [
    { role: 'user', text: 'Hi', createdAt: 1, turnId: 'trn_1' },
    { role: 'assistant', text: 'Found.', createdAt: 2, turnId: 'trn_1' },
  ],
};

test.each([
  ['a connection that fails', new ConnectionError('http://a.example', new Error('gone'))],
  ['a fault of the service', new ApiError(503, {}, undefined)],
])('%s gives no conversation up: it can be read again', async (_, fault) => {
  let isBack = false;
  const getVisitorSession = () => {
    if (!isBack) throw fault;
    return saidBefore;
  };
  const { visit, store, sessions } = visitTo({ getVisitorSession });
  sessions.open('scn_1', 'cht_1');
  await visit.open();
  expect(stateName(store.state())).toBe('resolving');
  expect(store.state().problem).toContain('could not be read');
  isBack = true;
  await visit.open();
  expect(stateName(store.state())).toBe('chatting');
  expect(store.state()).toMatchObject({ problem: undefined, turns: [{ text: 'Hi' }] });
  await visit.send('More');
  expect(store.state().sessionId).toBe('cht_1');
});

test('an answer of before a reload can be rated', async () => {
  const { visit, store, asked, sessions } = visitTo({
    getVisitorSession: () => saidBefore,
    giveFeedback: () => ({}),
  });
  sessions.open('scn_1', 'cht_1');
  await visit.open();
  const [turn] = store.state().turns;
  await visit.rate(turn, 4);
  expect(asked.at(-1)).toEqual(['giveFeedback', { turnId: 'trn_1', rating: 4 }]);
});

test('a conversation that is not there any more closes no link', async () => {
  const { visit, store } = visitTo({}, (_, nth) => {
    if (nth === 2) throw new ConversationGone(404, {}, undefined);
    return answered;
  });
  await visit.open();
  await visit.send('Hi');
  await visit.send('More');
  expect(stateName(store.state())).toBe('ended');
  expect(store.state()).toMatchObject({ ended: 'gone', turns: [{ text: 'Hi' }] });
  visit.beginAnew();
  expect(stateName(store.state())).toBe('chatting');
});

test('a decision or a stop that did not arrive is asked for again', async () => {
  const lost = new ConnectionError('http://a.example', new Error('gone'));
  const held: VisitLine[] = [
    { type: 'turn_start', turnId: 'trn_1' },
    {
      ...{ type: 'tool_call', callId: 'call_1', toolName: 'pay' },
      serverName: 'Till',
      arguments: {},
    },
    {
      ...{ type: 'approval_required', approvalId: 'apv_1' },
      callId: 'call_1',
      argumentsHash: 'h',
      expiresAt: 9,
    },
  ];
  const fail = () => {
    throw lost;
  };
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'awaitingApproval' };
  let told: object = turn;
  const { visit, store } = visitTo(
    {
      ...{ answerApproval: fail, stopVisitorTurn: fail },
      getVisitorSession: () => ({ ...saidBefore, turn: told }),
    },
    () => held,
  );
  await visit.open();
  const playing = visit.send('Pay');
  const first = () => store.state().turns[0] ?? expect.fail('No turn.');
  await expect.poll(() => stateName(store.state())).toBe('approval');
  await visit.decide(first(), 'approve');
  expect(stateName(store.state())).toBe('approval');
  await visit.stop(first());
  expect(first().isStopping).toBe(false);
  told = { ...turn, status: 'stopped' };
  await playing;
});

test('a turn that has said nothing yet can be stopped', async () => {
  const stopped: unknown[] = [];
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'running' };
  let end = () => {};
  const { visit, store } = visitTo(
    {
      getVisitorSession: () => ({ ...saidBefore, turn }),
      stopVisitorTurn: ({ turnId }) => {
        stopped.push(turnId);
        end();
      },
    },
    () => answered,
  );
  const { calls } = store.parts;
  Object.assign(calls, { turn: () => new Promise<void>((resolve) => (end = resolve)) });
  await visit.open();
  const playing = visit.send('Hi');
  await expect.poll(() => store.state().turns[0]?.mayStop).toBe(true);
  turn.status = 'stopped';
  await visit.stop(store.state().turns[0] ?? expect.fail('No turn.'));
  await playing;
  expect(stopped).toEqual(['trn_1']);
});

test.each([
  ['/user-testing/shop/token', 'active', ['chatting', 1]],
  ['/user-testing/shop/token', 'ended', ['chatting', 0]],
  ['/user-testing/shop/scn_1', 'ended', ['ended', 1]],
])(
  'opened at %s, a conversation of before that is %s is shown as %j',
  async (path, status, shown) => {
    const getVisitorSession = () => ({ ...saidBefore, status });
    const { visit, store, sessions } = visitTo({ getVisitorSession }, undefined, path);
    sessions.open('scn_1', 'cht_1');
    await visit.open();
    expect([stateName(store.state()), store.state().turns.length]).toEqual(shown);
  },
);
