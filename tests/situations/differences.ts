import type { Answer } from './situation.ts';

/**
 * The allowed differences: ids and times, which are new in every run. A replay is also not
 * recorded, costs nothing, and lacks unrequested messages of servers, which are not stored.
 */
const ofEachRun: Readonly<Record<What, RegExp>> = {
  trial: /^\/\d+\/(id|runId|startedAt|createdAt|completedAt|recording|spending)$/,
  trace:
    /^\/\d+\/((iterationId|runId|events|eventsDropped)|(sessionsReopened|listChanges)\/\d+\/atMs|spans\/\d+\/(startMs|endMs|responseId))$/,
  /** A replay in memory has no insights, and does not store the text of its overlay. */
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
  // Providers invent the ids of calls. Two ids that were equal before must still be equal.
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
