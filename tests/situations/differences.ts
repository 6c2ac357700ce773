/** How two runs of one row differ, a sentence each. */
import type { Answer } from './situation.ts';

/**
 * Where the two may differ: ids of what every run makes anew, and when it was. Beyond that a replay is itself not
 * recorded and costs nothing, and what servers say unasked is no answer, so it is not kept.
 */
const ofEachRun: Readonly<Record<What, RegExp>> = {
  trial: /^\/\d+\/(id|runId|startedAt|createdAt|completedAt|recording|spending)$/,
  trace:
    /^\/\d+\/((iterationId|runId|events|eventsDropped)|(sessionsReopened|listChanges)\/\d+\/atMs|spans\/\d+\/(startMs|endMs|responseId))$/,
  /** What explains a run is asked of a service, and a replay in memory says no text of its overlay. */
  run: /^\/(id|runNumber|createdAt|completedAt|insights|spending|overlay\/stated)$/,
  decision: /^\/diagnostics\/items\/\d+\/(iterationId|evidence\/(runId|iterationId|tracePath))$/,
};
type What = 'trial' | 'trace' | 'decision' | 'run';

export function differences(
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
