/** The turns of visitors that run in this process. When it stops, they are stopped and kept as far as they went. */
import type { TurnRunner } from '../actions/visit/turn-runner.ts';
import { runTurn } from './run-turn.ts';
import { TurnBeats } from './turn-beats.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

export function createTurnRunner(dependencies: TurnDependencies): TurnRunner {
  const beats = new TurnBeats(dependencies.database);
  const running = new Set<Promise<void>>();
  return {
    run(turn, send) {
      const work = runTurn(dependencies, beats, turn, send);
      running.add(work);
      const done = () => running.delete(work);
      work.then(done, done);
      return work;
    },
    async close() {
      beats.stopAll('restarting');
      await Promise.allSettled(running);
    },
  };
}
