import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { type Settling, settleJourneyRun } from './settle-journey-run.ts';

const run = { id: 'jrn_1', waveId: 'monday', judgeModel: 'local/small' };
const pending = { status: 'pending' };
const judged = { status: 'completed', score: 1, passed: true };

/** Returns a service that responds with these states in turn, then repeats the last one. */
function answering(states: readonly { scores: readonly object[]; wave: Settling['wave'] }[]) {
  let at = 0;
  const client = {
    listJourneyRunSessions: async () => ({
      items: states[Math.min(at, states.length - 1)]?.scores.map((goalScore, sessionIndex) => ({
        id: `cht_${sessionIndex}`,
        targetId: 't',
        sessionIndex,
        goalScore,
      })),
    }),
    getWave: async () => {
      at += 1;
      return states[Math.min(at - 1, states.length - 1)]?.wave;
    },
  };
  return { client, projectId: 'prj_1' } as unknown as Connection;
}

async function sentencesOf(states: Parameters<typeof answering>[0], stillMs?: number) {
  const sentences: string[] = [];
  const patience = stillMs === undefined ? {} : { stillMs };
  await settleJourneyRun(answering(states), run, (one) => sentences.push(one), patience);
  return sentences;
}

test('judges and the search for findings are waited for, with progress', async () => {
  const open = { terminal: true, mining: 'pending' } as const;
  const done = { terminal: true, mining: 'completed' } as const;
  expect(
    await sentencesOf([
      { scores: [pending, pending], wave: done },
      { scores: [judged, pending], wave: done },
      { scores: [judged, judged], wave: open },
      { scores: [judged, judged], wave: done },
    ]),
  ).toEqual([
    'waiting for the judge: 2 sessions of 2 left.',
    'waiting for the judge: 1 session of 2 left.',
    'waiting for findings.',
  ]);
});

test('what does not come is not waited for for ever, and that is said', async () => {
  const open = { terminal: true, mining: 'pending' } as const;
  expect(await sentencesOf([{ scores: [judged, pending], wave: open }], 0)).toEqual([
    '1 session not judged yet; read them later: proofmark journey scorecard jrn_1',
    'findings are not ready yet; read them later: proofmark findings',
  ]);
});

test('other runs of the wave are not waited for, and a search that failed is ours', async () => {
  const others = { terminal: false, mining: 'pending' } as const;
  expect(await sentencesOf([{ scores: [judged], wave: others }])).toEqual([
    'other runs of wave monday are open; findings come when the last one has ended.',
  ]);
  const failed = { terminal: true, mining: 'failed' } as const;
  expect(await sentencesOf([{ scores: [judged], wave: failed }])).toEqual([
    'Proofmark failed to look for findings in this wave.',
  ]);
});
