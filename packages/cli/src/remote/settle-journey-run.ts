/**
 * After the grading of a journey run, waits for the judge and for the findings of its wave (runs
 * launched together). Then reports what is unfinished, because silence would look like an empty
 * result.
 */
import type { OutputOf } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import type { Connection } from './connection.ts';
import { follow } from './follow.ts';
import { type JudgedGoal, readJudgedGoals, toBeJudged } from './goal-scores.ts';
import type { JourneyRun } from './journey-scorecard.ts';

export interface Settling {
  readonly goals: readonly JudgedGoal[];
  readonly wave: Pick<OutputOf<'getWave'>, 'terminal' | 'mining'>;
}

/** The wait ends if nothing changes for this long. */
const stillForMs = 120_000;

export async function settleJourneyRun(
  connection: Pick<Connection, 'client' | 'projectId'>,
  run: Pick<JourneyRun, 'id' | 'waveId' | 'judgeModel'>,
  print: (sentence: string) => void,
  { stillMs = stillForMs, missMs }: { readonly stillMs?: number; readonly missMs?: number } = {},
): Promise<void> {
  const { client, projectId } = connection;
  let lastSentence = '';
  let movedAtMs = performance.now();
  const settled = await follow<Settling>(
    {
      ask: async () => {
        const goals = await readJudgedGoals(connection, run);
        return { goals, wave: await client.getWave({ projectId, waveId: run.waveId }) };
      },
      isEnded: (state) => {
        const open = openSentence(state);
        if (open === undefined) return true;
        if (open !== lastSentence) movedAtMs = performance.now();
        return performance.now() - movedAtMs >= stillMs;
      },
      reportProgress: (state) => {
        const open = openSentence(state) ?? '';
        if (open !== lastSentence) print(open);
        lastSentence = open;
      },
      print,
      onLost: () => print('this command no longer waits for judges and findings.'),
    },
    missMs === undefined ? {} : { missMs },
  );
  if (settled === undefined) return;
  for (const sentence of leftSentences(settled, run)) print(sentence);
}

/**
 * Returns a sentence about judging or findings that are still pending, otherwise undefined. Other
 * runs of the wave are ignored.
 */
function openSentence({ goals, wave }: Settling): string | undefined {
  const waiting = toBeJudged(goals);
  if (waiting > 0)
    return `waiting for the judge: ${count(waiting, 'session')} of ${goals.length} left.`;
  return wave.terminal && wave.mining === 'pending' ? 'waiting for findings.' : undefined;
}

export function leftSentences(
  { goals, wave }: Settling,
  { id, waveId }: Pick<JourneyRun, 'id' | 'waveId'>,
): string[] {
  const waiting = toBeJudged(goals);
  return [
    ...(waiting > 0
      ? [
          `${count(waiting, 'session')} not judged yet; read them later: proofmark journey scorecard ${id}`,
        ]
      : []),
    ...(wave.terminal
      ? minedSentences[wave.mining]
      : [`other runs of wave ${waveId} are open; findings come when the last one has ended.`]),
  ];
}

const minedSentences: Readonly<Record<Settling['wave']['mining'], readonly string[]>> = {
  pending: ['findings are not ready yet; read them later: proofmark findings'],
  failed: ['Proofmark failed to look for findings in this wave.'],
  completed: [],
};
