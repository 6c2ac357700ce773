/**
 * Runs turns of visitors and of people in the playground in this process. When the process stops,
 * it stops these turns and stores what they have so far.
 */

import { beatChatTurns, readChatDecisions, runChatTurn } from '../../playground/index.ts';
import { TurnBeats, type TurnDependencies } from '../../turns/index.ts';
import { readDecisions } from '../store/visitor-approvals.ts';
import { beatTurns } from '../store/visitor-turns.ts';
import type { TurnRunner } from '../visit/turn-runner.ts';
import { runVisitorTurn } from './run-visitor-turn.ts';

export function createTurnRunner(dependencies: TurnDependencies): TurnRunner {
  const { database } = dependencies;
  const visits = new TurnBeats(database, { beat: beatTurns, decisions: readDecisions });
  const chats = new TurnBeats(database, { beat: beatChatTurns, decisions: readChatDecisions });
  const running = new Set<Promise<void>>();
  const keep = (work: Promise<void>) => {
    running.add(work);
    const done = () => running.delete(work);
    work.then(done, done);
    return work;
  };
  return {
    run: (turn, send) => keep(runVisitorTurn(dependencies, visits, turn, send)),
    runChat: (turn, send) => keep(runChatTurn(dependencies, chats, turn, send)),
    async close() {
      visits.stopAll('restarting');
      chats.stopAll('restarting');
      await Promise.allSettled(running);
    },
  };
}
