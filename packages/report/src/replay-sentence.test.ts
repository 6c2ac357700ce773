import { type RunReplay, summaryOfRun } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { renderSummary } from './render-summary.ts';
import { replayAction, replaySentences } from './replay-sentence.ts';
import { renderJunit } from './write-junit.ts';
import { plainSentence } from './write-text.ts';

const terms = { runId: 'run_0', model: 'recorded', servers: 'recorded' } as const;
const replay: RunReplay = {
  ...terms,
  onDivergence: 'stop',
  trials: 4,
  diverged: 0,
  notRecorded: 0,
  mostFrequent: null,
};
const diverged: RunReplay = {
  ...replay,
  servers: 'live',
  diverged: 3,
  notRecorded: 1,
  mostFrequent: {
    side: 'server',
    kind: 'result',
    serverName: 'Weather',
    toolName: 'weather',
    turn: 0,
    path: '/content',
    before: 'Sunny.',
    after: 'Rainy.',
    trials: 2,
    message: 'The tool "weather" of "Weather" answered differently than recorded at /content.',
  },
};
const run = {
  id: 'run_1',
  projectId: 'prj_1',
  source: 'api',
  status: 'completed',
  result: 'passed',
  verdictPolicyVersion: null,
  verdictSummary: null,
  iterationCount: 4,
  summary: { total: 4, passed: 4 },
};
const sentencesOf = (one: RunReplay) => replaySentences(one).map((it) => plainSentence(it, false));

describe('what is said of a replay', () => {
  it('is what to do about it: to play it again would go the same way', () => {
    const next = (one: RunReplay) => plainSentence(replayAction(one), false);
    expect(next(diverged)).toMatch(/^Look at the differences .* record the run again\.$/);
    expect(next({ ...replay, notRecorded: 1 })).toBe(
      'Record the trials that have no recording, then replay them.',
    );
  });

  it.each(['text', 'markdown', 'html'] as const)('stands below the verdict in %s', (format) => {
    const lines = (one?: RunReplay) =>
      renderSummary(summaryOfRun({ ...run, ...(one && { replay: one }) }), { format, width: 200 });
    const words = /Replayed from run .*run_0.*, with its recorded model and servers\./;
    expect(lines(replay)).toMatch(words);
    const [before = ''] = lines(replay).split('Replayed from run');
    expect(before.split('<body>').at(-1)?.split('\n').length).toBeLessThanOrEqual(6);
    expect(lines()).not.toContain('eplayed');
  });

  it('is a property of the JUnit report', () => {
    const report = renderJunit(summaryOfRun({ ...run, replay: diverged }));
    expect(report).toMatch(/property name="replay" value="Replayed from run run_0/);
    expect(report).toMatch(/property name="replay" value="3 of 4 replayed trials diverged/);
  });

  it('names the sides, what diverged and what was not recorded', () => {
    expect(sentencesOf(diverged)).toEqual([
      'Replayed from run run_0, with its recorded model and the current servers.',
      '3 of 4 replayed trials diverged from the recording and ended there, which is no verdict. Most often: "The tool "weather" of "Weather" answered differently than recorded at /content."',
      '1 trial was not recorded, so there was nothing to replay for it.',
    ]);
    expect(sentencesOf({ ...replay, model: 'live' })).toEqual([
      'Replayed from run run_0, with a current model and its recorded servers.',
    ]);
  });
});
