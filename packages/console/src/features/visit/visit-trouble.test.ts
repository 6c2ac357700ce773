import { ApiError, ConnectionError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { answered, visitTo } from './fake-visit.ts';
import type { VisitLine } from './turn-view.ts';
import { ConversationGone } from './visit-calls.ts';
import { stateName } from './visit-state.ts';

const earlierSession = {
  sessionId: 'cht_1',
  status: 'active',
  turns: [],
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
    return earlierSession;
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

test('nothing can be said before the conversation of before is read: it would begin another', async () => {
  let read = () => {};
  const reading = new Promise<void>((resolve) => (read = resolve));
  const getVisitorSession = async () => {
    await reading;
    return earlierSession;
  };
  const { visit, store, sessions, count } = visitTo({ getVisitorSession });
  sessions.open('scn_1', 'cht_1');
  const names = new Set<string>();
  store.watch(() => names.add(stateName(store.state())));
  const opening = visit.open();
  await expect.poll(() => count('getVisitorSession')).toBe(1);
  expect([...names]).toEqual(['resolving']);
  read();
  await opening;
  expect(stateName(store.state())).toBe('chatting');
  expect(store.state()).toMatchObject({ sessionId: 'cht_1', turns: [{ text: 'Hi' }] });
});

test('an answer of before a reload can be rated', async () => {
  const { visit, store, asked, sessions } = visitTo({
    getVisitorSession: () => earlierSession,
    giveFeedback: () => ({}),
  });
  sessions.open('scn_1', 'cht_1');
  await visit.open();
  const [turn] = store.state().turns;
  await visit.rate(turn, 4);
  expect(asked.at(-1)).toEqual(['giveFeedback', { turnId: 'trn_1', rating: 4 }]);
});

test('after a reload each message says what became of it', async () => {
  const statuses = ['failed', 'stopped', 'interrupted', 'completed'] as const;
  const error = { code: 'INTERNAL_ERROR', message: 'It broke.' };
  const turns = statuses.map((status) => ({
    status,
    turnId: `trn_${status}`,
    clientTurnId: `client-${status}`,
    ...(status === 'failed' && { error }),
  }));
  const messages = turns.map(({ turnId }) => ({ role: 'user', text: 'Hi', createdAt: 1, turnId }));
  const { visit, store, sessions } = visitTo({
    getVisitorSession: () => ({ sessionId: 'cht_1', status: 'active', messages, turns }),
  });
  sessions.open('scn_1', 'cht_1');
  await visit.open();
  const shown = store.state().turns;
  expect(shown.map(({ status }) => status)).toEqual(statuses);
  expect(shown.map(({ clientTurnId }) => clientTurnId)).toEqual(
    turns.map(({ clientTurnId }) => clientTurnId),
  );
  expect(shown[0]?.problem).toBe('It broke.');
});

test('why a conversation ended is said only where it is known', async () => {
  for (const [endedBy, ended] of [
    ['idle', 'silent'],
    [undefined, 'ended'],
  ]) {
    const { visit, store } = visitTo({}, () => {
      const details = { reason: 'SESSION_ENDED', endedBy };
      throw new ApiError(409, { code: 'CONFLICT', message: 'No.', details }, 1);
    });
    await visit.open();
    await visit.send('Hi');
    expect(store.state().ended).toBe(ended);
  }
});

test('only what was deleted is said to be; what is not found can be tried again', async () => {
  let isFound = false;
  const { visit, store, sessions } = visitTo({
    eraseVisitorSession: ({ sessionId }) => {
      if (isFound || sessionId === 'cht_0') return {};
      throw new ConversationGone(404, {}, undefined);
    },
  });
  sessions.open('scn_1', 'cht_0');
  await visit.open();
  await visit.send('Hi');
  await visit.erase();
  expect(store.state()).toMatchObject({ ended: 'gone', earlier: ['cht_0', 'cht_1'] });
  expect(store.state().turns).toHaveLength(1);
  await visit.eraseEarlier();
  expect(store.state()).toMatchObject({
    earlier: ['cht_1'],
    problem: expect.stringContaining('Not all could be deleted'),
  });
  expect(sessions.all('scn_1')).toEqual(['cht_1']);
  isFound = true;
  await visit.eraseEarlier();
  expect([store.state().earlier, sessions.all('scn_1')]).toEqual([[], []]);
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
      type: 'tool_call',
      callId: 'call_1',
      toolName: 'pay',
      serverName: 'Till',
      arguments: {},
    },
    {
      type: 'approval_required',
      approvalId: 'apv_1',
      callId: 'call_1',
      argumentsHash: 'h',
      expiresAt: 9,
    },
  ];
  const fail = () => {
    throw lost;
  };
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'awaitingApproval' };
  let currentTurn: object = turn;
  const { visit, store } = visitTo(
    {
      answerApproval: fail,
      stopVisitorTurn: fail,
      getVisitorSession: () => ({ ...earlierSession, turn: currentTurn }),
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
  currentTurn = { ...turn, status: 'stopped' };
  await playing;
});

test('a turn that has said nothing yet can be stopped', async () => {
  const stopped: unknown[] = [];
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'running' };
  let end = () => {};
  const { visit, store } = visitTo(
    {
      getVisitorSession: () => ({ ...earlierSession, turn }),
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
    const getVisitorSession = () => ({ ...earlierSession, status });
    const { visit, store, sessions } = visitTo({ getVisitorSession }, undefined, path);
    sessions.open('scn_1', 'cht_1');
    await visit.open();
    expect([stateName(store.state()), store.state().turns.length]).toEqual(shown);
  },
);
