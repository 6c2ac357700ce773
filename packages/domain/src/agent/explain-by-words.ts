/**
 * Answers questions about results: which run failed last and why, what changed since it passed, and
 * how the latest runs ended. A suite that the message names limits the answer to it. The sentences
 * about a run and a comparison come from the caller, so that they are those of every report.
 */
import { isRecord } from '../kernel/json.ts';
import { runStatusWords } from '../words/words.ts';
import type { AgentCall, AgentOperation } from './agent-operations.ts';
import type { LexicalAgentInput, LexicalAgentStep } from './lexical-step.ts';
import { hasMore, longList, mentionedIn, type NamedThing, thingsIn } from './named-things.ts';

export type ResultQuestion = 'whyFailed' | 'whatChanged' | 'latestRuns';

export function resultQuestion(message: string): ResultQuestion | undefined {
  if (/\b(?:what|which)\b[^.!?]*\b(?:changed|differs|different|new)\b/i.test(message)) {
    return /\b(?:since|run|pass(?:ed|ing)?|green|before|fail(?:ed|s|ing)?)\b/i.test(message)
      ? 'whatChanged'
      : undefined;
  }
  if (/\b(?:fail(?:ed|s|ing|ure|ures)?|red|broken?|breaks?|wrong)\b/i.test(message)) {
    return /\b(?:why|which|what|where|show|list|did|is|are|explain|tell)\b/i.test(message)
      ? 'whyFailed'
      : undefined;
  }
  const isAboutRuns = /\b(?:run|runs|ran|result|results|verdict|suite|suites)\b/i.test(message);
  return isAboutRuns &&
    /\b(?:last|latest|newest|pass(?:ed|es|ing)?|green|how (?:did|do|does|was|were|is))\b/i.test(
      message,
    )
    ? 'latestRuns'
    : undefined;
}

export function explainResults(
  input: LexicalAgentInput,
  question: ResultQuestion,
): LexicalAgentStep {
  const suites = outcomeOf(input, 'listEvalSuites', longList);
  if ('call' in suites || 'reply' in suites) return suites;
  const all = suitesIn(suites.result);
  if (all.length === 0) return { reply: 'There is no suite in this project yet, so nothing ran.' };
  const named = mentionedIn(input.message, all);
  const asked = named.length > 0 ? all.filter((one) => named.includes(one)) : all;
  if (question === 'latestRuns') return { reply: latestRuns(asked) };
  const failed = lastFailed(input, asked);
  if ('call' in failed || 'reply' in failed) return failed;
  return question === 'whyFailed' ? whyFailed(input, failed) : whatChanged(input, failed);
}

interface Suite extends NamedThing {
  readonly latest: Latest | undefined;
}

interface Latest {
  readonly id: string;
  readonly status: string;
  readonly verdict: string;
  readonly createdAt: number;
}

interface FailedRun {
  readonly suite: Suite;
  readonly runId: string;
  /** Claims only what was read: earlier runs of other suites may have failed later. */
  readonly sentence: string;
}

/** The most suites whose earlier runs are read when no latest run failed. */
const suitesLookedInto = 3;

/**
 * Returns the newest of the latest runs that failed, else the newest failed run of one of the few
 * suites whose earlier runs are read.
 */
function lastFailed(
  input: LexicalAgentInput,
  suites: readonly Suite[],
): FailedRun | LexicalAgentStep {
  const ran = suites
    .flatMap((suite) => (suite.latest === undefined ? [] : [{ suite, latest: suite.latest }]))
    .sort((one, other) => other.latest.createdAt - one.latest.createdAt);
  const now = ran.find(({ latest }) => latest.verdict === 'failed');
  if (now !== undefined) {
    const { suite, latest } = now;
    const which = suites.length === 1 ? lastOf(suite, latest.id) : newestOf(suite, latest.id);
    return { suite, runId: latest.id, sentence: which };
  }
  const lookedInto = ran.slice(0, suitesLookedInto);
  let readsAll = lookedInto.length === ran.length;
  for (const { suite } of lookedInto) {
    const runs = outcomeOf(input, 'listEvalSuiteRuns', { ...longList, suiteId: suite.id });
    if ('call' in runs || 'reply' in runs) return runs;
    const failed = runsIn(runs.result).find(({ verdict }) => verdict === 'failed');
    if (failed !== undefined) {
      return {
        suite,
        runId: failed.id,
        sentence: `${lastOf(suite, failed.id)} ${latestOf(suite)}`,
      };
    }
    readsAll &&= !hasMore(runs.result);
  }
  const none = readsAll
    ? 'No run failed.'
    : 'None of the runs that I read failed; I did not read all.';
  return { reply: `${none}\n${latestRuns(suites)}` };
}

function lastOf({ name }: Suite, runId: string): string {
  return `The last run of ${JSON.stringify(name)} that failed is ${runId}.`;
}

function newestOf({ name }: Suite, runId: string): string {
  return `Of the latest runs of all suites, the newest that failed is ${runId} of ${JSON.stringify(name)}.`;
}

function whyFailed(input: LexicalAgentInput, { runId, sentence }: FailedRun): LexicalAgentStep {
  const summary = outcomeOf(input, 'getEvalRunDecisionSummary', { runId });
  if ('call' in summary || 'reply' in summary) return summary;
  return { reply: [sentence, ...input.tellRun(summary.result)].join('\n') };
}

function whatChanged(input: LexicalAgentInput, { suite, runId }: FailedRun): LexicalAgentStep {
  const runs = outcomeOf(input, 'listEvalSuiteRuns', { ...longList, suiteId: suite.id });
  if ('call' in runs || 'reply' in runs) return runs;
  const all = runsIn(runs.result);
  const at = all.findIndex(({ id }) => id === runId);
  const passed = all.slice(at + 1).find(({ verdict }) => verdict === 'passed');
  const name = JSON.stringify(suite.name);
  if (passed === undefined) {
    const earlier = hasMore(runs.result)
      ? 'no earlier run that I read'
      : 'no earlier run of the suite';
    return { reply: `${runId} of ${name} failed, and ${earlier} passed.` };
  }
  const given = { runId, baseRunId: passed.id };
  const compared = outcomeOf(input, 'compareEvalRun', given);
  if ('call' in compared || 'reply' in compared) return compared;
  return {
    reply: [
      `${runId} of ${name} failed; the last run before it that passed is ${passed.id}.`,
      ...input.tellComparison(compared.result),
    ].join('\n'),
  };
}

function latestRuns(suites: readonly Suite[]): string {
  return suites.map((suite) => `- ${latestOf(suite)}`).join('\n');
}

function latestOf({ name, latest }: Suite): string {
  if (latest === undefined) return `${JSON.stringify(name)} never ran.`;
  const { status, verdict, id } = latest;
  const words: Readonly<Record<string, string>> = runStatusWords;
  const ended = verdict === 'notEstablished' ? (words[status] ?? status) : verdict;
  return `The latest run of ${JSON.stringify(name)} (${id}): ${ended}.`;
}

/** Returns the result of a call with these arguments, or the call if it was not made yet. */
function outcomeOf(
  { calls }: LexicalAgentInput,
  operation: AgentOperation,
  given: Readonly<Record<string, unknown>>,
): LexicalAgentStep | { readonly result: unknown } {
  const isIt = (call: AgentCall) =>
    call.operation === operation &&
    Object.entries(given).every(([name, value]) => call.arguments[name] === value);
  const made = calls.find(isIt);
  if (made === undefined) return { call: { operation, arguments: given } };
  return 'error' in made.outcome
    ? { reply: `I could not read this: ${made.outcome.error}` }
    : made.outcome;
}

function suitesIn(result: unknown): Suite[] {
  const items = isRecord(result) && Array.isArray(result['items']) ? result['items'] : [];
  const things = thingsIn(result);
  return items.filter(isRecord).flatMap((item, at) => {
    const thing = things[at];
    return thing === undefined ? [] : [{ ...thing, latest: latestIn(item['latestRun']) }];
  });
}

function latestIn(run: unknown): Latest | undefined {
  if (!isRecord(run) || typeof run['id'] !== 'string') return undefined;
  const { id, status, verdict, createdAt } = run;
  return {
    id,
    status: String(status),
    verdict: String(verdict),
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  };
}

function runsIn(result: unknown): { readonly id: string; readonly verdict: string }[] {
  const items = isRecord(result) && Array.isArray(result['items']) ? result['items'] : [];
  return items.filter(isRecord).map(({ id, result: end, verdictSummary }) => {
    const decided = isRecord(verdictSummary) ? verdictSummary['verdict'] : undefined;
    return { id: String(id), verdict: String(decided ?? end) };
  });
}
