/**
 * A turn goes on when the connection to it is lost. So it is asked for until it is done, and then for its lines: a turn
 * that completed is answered again, and no turn runs twice unless its visitor says so.
 */
import {
  newTurn,
  openCall,
  type SessionRead,
  type TurnView,
  turnsOf,
  withLine,
} from './turn-view.ts';
import type { VisitStore } from './visit-store.ts';

const lookAgainMs = 1000;
type ToldTurn = NonNullable<SessionRead['turn']>;

export async function followTurn(store: VisitStore, clientTurnId: string): Promise<void> {
  const { sessionId } = store.state();
  if (sessionId === undefined) return;
  for (;;) {
    await new Promise<void>((resolve) => store.parts.later(resolve, lookAgainMs));
    const { sessionId: open, ended } = store.state();
    if (open !== sessionId || ended === 'erased') return;
    const read = await readSession(store, sessionId);
    if (read !== undefined && (await takeIn(store, clientTurnId, read))) return;
  }
}

/** Whether there is nothing more to wait for. */
async function takeIn(store: VisitStore, clientTurnId: string, read: SessionRead) {
  const { turn } = read;
  if (turn !== undefined && turn.clientTurnId === clientTurnId) {
    showTold(store, clientTurnId, read, turn);
    return turn.status !== 'running' && turn.status !== 'awaitingApproval';
  }
  if (!read.turns.some((one) => one.clientTurnId === clientTurnId)) {
    const change = { status: 'interrupted', problem: 'Your message did not arrive.' } as const;
    store.changeTurn(clientTurnId, (now) => ({ ...now, ...change }));
  } else await readLines(store, clientTurnId, read);
  return true;
}

async function readSession(store: VisitStore, sessionId: string) {
  const { scenarioId } = store.link();
  try {
    const read = await store.parts.calls.call('getVisitorSession', { scenarioId, sessionId });
    if (store.state().problem !== undefined) store.set({ problem: undefined });
    return read;
  } catch (error) {
    store.meet(error);
    return undefined;
  }
}

/** What is shown already says more than what is told, unless that asks for something new or is over. */
function showTold(
  store: VisitStore,
  clientTurnId: string,
  read: SessionRead,
  turn: ToldTurn,
): void {
  const told = turnsOf(read).at(-1);
  if (told === undefined) return;
  const asked = openCall(told)?.approval?.approvalId;
  store.changeTurn(clientTurnId, (now) => {
    const knowsAsked = now.parts.some(
      (part) => part.kind === 'tool' && part.approval?.approvalId === asked,
    );
    if (asked !== undefined && !knowsAsked) return told;
    const { status, problem } = told;
    const parts = now.parts.length === 0 ? told.parts : now.parts;
    return {
      ...now,
      turnId: turn.turnId,
      status,
      parts,
      ...(problem !== undefined && { problem }),
    };
  });
}

async function readLines(store: VisitStore, clientTurnId: string, read: SessionRead) {
  const told = turnsOf(read).find((turn) => turn.clientTurnId === clientTurnId);
  const shown = store.turn(clientTurnId);
  if (told === undefined || shown === undefined) return;
  store.changeTurn(clientTurnId, () => told);
  // Of all others asking would run them anew.
  if (told.status !== 'completed') return;
  const { scenarioId, accessVersion } = store.link();
  const { sessionId } = read;
  const body = { text: shown.text, clientTurnId, accessVersion };
  let again: TurnView = newTurn(clientTurnId, shown.text);
  await store.parts.calls
    .turn({ scenarioId, sessionId, body }, (line) => {
      again = withLine(again, line);
    })
    // Its words are known without its lines.
    .catch(() => undefined);
  if (again.status === 'completed') store.changeTurn(clientTurnId, () => again);
}
