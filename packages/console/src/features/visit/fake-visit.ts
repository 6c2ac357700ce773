import { ApiError } from '@proofmark/client';
import { ownSessions } from './own-sessions.ts';
import { readShareAddress } from './share-address.ts';
import type { VisitLine } from './turn-view.ts';
import { Visit } from './visit.ts';
import type { VisitCalls } from './visit-calls.ts';
import { VisitStore } from './visit-store.ts';

type Answer = (input: Record<string, unknown>) => unknown;
type Answers = Readonly<Record<string, Answer>>;
type TurnInput = Parameters<VisitCalls['turn']>[0];

export const link = {
  scenarioId: 'scn_1',
  accessVersion: 1,
  role: 'chat',
  mode: 'anyone_with_link',
  title: 'Shop',
  description: null,
  notice: { version: '1', text: 'Read.' },
  consented: true,
  requireToolApproval: false,
  servers: [],
  clientStyle: null,
  feedback: 'stars',
  welcome: null,
  modelLabel: 'proofmark/lexical-1',
};
const usual: Answers = {
  getVisitSession: () => ({ visitor: { signedIn: false }, csrfToken: 'c' }),
  redeemShareLink: () => link,
  createVisitorSession: () => ({ sessionId: 'cht_1' }),
};
export const answered: VisitLine[] = [
  { type: 'turn_start', turnId: 'trn_1' },
  { type: 'text', text: 'Hello.' },
  { type: 'turn_finish', messageCount: 2 },
];

export function refused(status: number, reason: string): ApiError {
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

export function visitTo(
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
    calls,
    sessions,
    now: () => 0,
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
