/**
 * Replays a row from its recording, after its servers have stopped and its models no longer answer.
 * The results must be equal, except for ids and times.
 */
import { differences } from './differences.ts';
import { readRun } from './play-run.ts';
import { inMemoryProblems } from './replay-in-memory.ts';
import type { Answer, RunSituation, SeenRun, SituationFixture } from './situation.ts';

export async function replayProblems(
  row: RunSituation,
  seen: SeenRun,
  fixture: SituationFixture,
): Promise<string[]> {
  const { suiteId } = seen.run;
  const replay = { runId: seen.runId, model: 'recorded', servers: 'recorded' };
  const api = await fixture.apiOf(row.limits ?? {});
  const launched = await api('POST', 'eval-runs', { suiteId, replay, ...row.launch });
  if (launched.status !== 202 && row.replayed?.test(launched.text)) return [];
  if (launched.status !== 202) return [`Its replay answered ${launched.status}: ${launched.text}`];
  const again = await readRun(fixture, launched.body.runId);
  const { diverged, notRecorded, mostFrequent } = again.run.replay;
  const messages = [mostFrequent?.message, notRecorded > 0 ? 'Some of it was not recorded.' : ''];
  const inMemory = await inMemoryProblems(row, seen, again, fixture);
  if (row.replayed !== undefined) {
    const isReported = messages.some((words) => row.replayed?.test(words));
    return isReported ? inMemory : [`Its replay does not say ${row.replayed}: ${messages}`];
  }
  if (diverged + notRecorded > 0)
    return messages.filter(Boolean).map((words) => `Replayed: ${words}`);
  const spent = again.trials.filter(({ spending }) => (spending?.credits ?? 0) > 0);
  const judged = row.judge === undefined ? again : await judgedToo(again, fixture);
  return [
    ...inMemory,
    ...differences('trial', seen.trials, judged.trials),
    ...differences('trace', await tracesOf(seen), await tracesOf(judged)),
    ...differences('decision', decisionOf(seen), decisionOf(judged)),
    ...(spent.length > 0 ? ['Its replay was paid for.'] : []),
  ];
}

/** Requests the judge of the whole run, since a replay is not judged without a request. */
async function judgedToo({ runId }: SeenRun, fixture: SituationFixture): Promise<SeenRun> {
  await fixture.get(202, 'POST', `eval-runs/${runId}/judge`, {});
  return readRun(fixture, runId, true);
}

function decisionOf({ run, summary }: SeenRun): Answer {
  const { verdict, decision, diagnostics } = summary;
  return { verdict, decision, diagnostics, result: run.result, status: run.status };
}

function tracesOf({ trials, trace }: SeenRun): Promise<Answer[]> {
  return Promise.all(trials.map(trace));
}
