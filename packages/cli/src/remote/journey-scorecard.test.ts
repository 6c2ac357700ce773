import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { readScoredRun } from './journey-scorecard.ts';

test('the card is read when the run is known, so that a run that ended has all its sessions in it', async () => {
  let graded = 0;
  const client = {
    // The last session is graded while this request is in progress.
    getJourneyRun: async () => {
      await Promise.resolve();
      graded = 1;
      return { id: 'jrn_1', status: 'completed', judgeModel: null };
    },
    getJourneyRunScorecard: async () => ({ sessionsGraded: graded }),
    listJourneyRunSessions: async () => ({ items: [] }),
  };
  const connection = { client, projectId: 'prj_1' } as unknown as Connection;
  expect((await readScoredRun(connection, 'jrn_1')).card).toEqual({ sessionsGraded: 1 });
});
