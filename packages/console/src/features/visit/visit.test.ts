import { ApiError, ConnectionError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { answered, link, refused, visitTo } from './fake-visit.ts';
import { openCall, type VisitLine } from './turn-view.ts';
import { stateName } from './visit-state.ts';

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
    turns: [] as object[],
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
  const messages = [{ role: 'user', text: 'Pay', createdAt: 1, turnId: 'trn_1' }];
  const turns = [{ turnId: 'trn_1', clientTurnId: 'client-1', status: 'completed' }];
  read = { ...read, messages, turns, turn: undefined };
  await playing;
  expect(store.state().turns).toMatchObject([{ status: 'completed', parts: [{ text: 'Hello.' }] }]);
});

test('a turn that failed while nobody was connected is shown, and not sent again by itself', async () => {
  const turn = { turnId: 'trn_1', clientTurnId: 'client-1', status: 'failed' };
  const error = { code: 'INTERNAL_ERROR', message: 'It broke.' };
  const messages = [{ role: 'user', text: 'Hi', createdAt: 1 }];
  const turnState = { turns: [], turn: { ...turn, error } };
  const session = { sessionId: 'cht_1', status: 'active', messages, ...turnState };
  const { visit, store, count } = visitTo({ getVisitorSession: () => session }, () => {
    throw new ConnectionError('http://a.example', new Error('gone'));
  });
  await visit.open();
  await visit.send('Hi');
  expect(count('takeVisitorTurn')).toBe(1);
  expect(store.state().turns).toMatchObject([{ status: 'failed', problem: 'It broke.' }]);
});

test('words that never arrived are not mistaken for those that did', async () => {
  // The number of messages equals the number sent from this tab, but the last one came from another
  // tab.
  const messages = ['Hi', 'Other'].map((text, at) => ({
    role: 'user',
    text,
    createdAt: 1,
    turnId: `trn_${at + 1}`,
  }));
  const turns = ['client-1', 'other-1'].map((clientTurnId, at) => ({
    clientTurnId,
    turnId: `trn_${at + 1}`,
    status: 'completed',
  }));
  const session = { sessionId: 'cht_1', status: 'active', messages, turns };
  const { visit, store, count } = visitTo({ getVisitorSession: () => session }, (_, nth) => {
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
  expect(count('takeVisitorTurn')).toBe(2);
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
      getVisitorSession: () => ({ sessionId: 'cht_1', status: 'active', messages, turns: [] }),
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
