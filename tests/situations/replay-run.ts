/**
 * Plays a row once more from what was recorded of it, when its servers have stopped and its models say nothing any more.
 * What comes of it must be the same, but for ids and times.
 */
import { readRun } from './play-run.ts';
import type { Answer, RunSituation, SeenRun, SituationFixture } from './situation.ts';

/** What differs, a sentence each. */
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
  const again = await readRun(fixture, launched.body.runId, row.judge !== undefined);
  const { diverged, notRecorded, mostFrequent } = again.run.replay;
  const told = [mostFrequent?.message, notRecorded > 0 ? 'Some of it was not recorded.' : ''];
  if (row.replayed !== undefined) {
    const isTold = told.some((words) => row.replayed?.test(words));
    return isTold ? [] : [`Its replay does not say ${row.replayed}: ${told}`];
  }
  if (diverged + notRecorded > 0) return told.filter(Boolean).map((words) => `Replayed: ${words}`);
  const spent = again.trials.filter(({ spending }) => (spending?.credits ?? 0) > 0);
  return [
    ...differences('trial', seen.trials, again.trials),
    ...differences('trace', await tracesOf(seen), await tracesOf(again)),
    ...differences('decision', decisionOf(seen), decisionOf(again)),
    ...(spent.length > 0 && row.judge === undefined ? ['Its replay was paid for.'] : []),
  ];
}

function decisionOf({ run, summary }: SeenRun): Answer {
  const { verdict, decision, diagnostics } = summary;
  return { verdict, decision, diagnostics, result: run.result, status: run.status };
}

function tracesOf({ trials, trace }: SeenRun): Promise<Answer[]> {
  return Promise.all(trials.map(trace));
}

/**
 * Where the two may differ: ids of what every run makes anew, and when it was. Beyond that a replay is itself not
 * recorded and costs nothing, and what servers say unasked is no answer, so it is not kept.
 */
const ofEachRun: Readonly<Record<What, RegExp>> = {
  trial: /^\/\d+\/(id|runId|startedAt|createdAt|completedAt|recording|spending)$/,
  trace:
    /^\/\d+\/((iterationId|runId|events|eventsDropped)|(sessionsReopened|listChanges)\/\d+\/atMs|spans\/\d+\/(startMs|endMs|responseId))$/,
  decision: /^\/diagnostics\/items\/\d+\/(iterationId|evidence\/(runId|iterationId|tracePath))$/,
};
type What = 'trial' | 'trace' | 'decision';

function differences(
  what: What,
  before: Answer,
  after: Answer,
  path = '',
  callIds = new Map<Answer, Answer>(),
): string[] {
  if (JSON.stringify(before) === JSON.stringify(after) || ofEachRun[what].test(path)) return [];
  // Providers make up the ids of calls; what belongs together still does.
  const trial = path.split('/')[1];
  if (path.endsWith('/toolCallId')) {
    const known = callIds.get(`${trial} ${before}`) ?? after;
    callIds.set(`${trial} ${before}`, known);
    if (known === after && typeof before === typeof after) return [];
  }
  const isBoth = [before, after].every((one) => typeof one === 'object' && one !== null);
  if (!isBoth) {
    const [was, is] = [before, after].map((one) => (JSON.stringify(one) ?? '-').slice(0, 200));
    return [`Its replay has another ${what} at ${path}: ${is}, not ${was}.`];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differences(what, before[key], after[key], `${path}/${key}`, callIds),
  );
}
