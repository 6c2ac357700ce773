import {
  isRecord,
  type JudgeVotes,
  type LaunchedTrials,
  type LeftOut,
  leftOutOf,
  type RefusedCall,
  type RefusedTool,
  type RunPlan,
  type RunSpending,
  tallyRefusedCalls,
} from '@proofmark/domain';
import { readRecord } from '../../../platform/database/read-document.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import type { StoredTrial } from '../store/stored-trials.ts';

/** Counts the trials by the fields that the decision uses. Equal trials share one entry. */
export function countAlike(
  trials: readonly StoredTrial[],
  written: (ordinal: number) => TrialToWrite | undefined,
): LaunchedTrials[] {
  const counted = new Map<string, LaunchedTrials>();
  for (const { ordinal, caseId, model, provider, status, result } of trials) {
    const evaluatorError = written(ordinal)?.evaluatorError ?? false;
    const key = JSON.stringify([caseId, model, provider, status, result, evaluatorError]);
    const count = (counted.get(key)?.count ?? 0) + 1;
    const alike = { caseId: caseId ?? '', model, provider, status, result, evaluatorError, count };
    counted.set(key, alike as LaunchedTrials);
  }
  return [...counted.values()];
}

/** The maximum number of listed tools. The tools with the fewest rejected calls are omitted. */
const mostTools = 50;

export function tallyRefused(trials: readonly StoredTrial[]): RefusedTool[] {
  const calls = trials.map(({ refusedCalls }) => refusedCalls as unknown as RefusedCall[]);
  return tallyRefusedCalls(calls).slice(0, mostTools);
}

const mostWarned = 50;
const shownMessages = 5;

export function countWarned(
  trials: readonly StoredTrial[],
): { count: number; messages: string[] } | undefined {
  const isAfter = ({ code }: Readonly<Record<string, unknown>>) =>
    String(code).startsWith('AFTER_');
  const warned = trials.filter(({ warnings }) => warnings.some(isAfter));
  if (warned.length === 0) return undefined;
  const warningTexts = warned
    .slice(0, mostWarned)
    .flatMap(({ warnings }) => warnings.filter(isAfter).map(({ message }) => String(message)));
  return { count: warned.length, messages: [...new Set(warningTexts)].slice(0, shownMessages) };
}

/** Returns whether a passed run called no tool of a server and requested no prompt or resource. */
export function callsNothing(
  result: string | null,
  plan: RunPlan,
  trials: readonly StoredTrial[],
): boolean {
  if (result !== 'passed' || statesCall(plan)) return false;
  return !trials.some(({ actualToolCalls }) =>
    actualToolCalls.some(
      ({ notMade, serverName, serverId }) =>
        notMade == null && (serverName != null || serverId != null),
    ),
  );
}

const callKinds = ['toolCall', 'getPrompt', 'readResource'];

function statesCall(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(statesCall);
  if (!isRecord(value)) return false;
  return callKinds.includes(String(value['kind'])) || Object.values(value).some(statesCall);
}

export function leftOutOfRun(
  { switchedOff, allowWrites, servers }: RunPlan,
  firstSurface: string | undefined,
): LeftOut | undefined {
  const surface = allowWrites === undefined ? undefined : readRecord(firstSurface ?? null);
  const listed = servers.map(({ id, name }) => {
    const tools = surface?.[id];
    return { name, tools: Array.isArray(tools) ? tools : undefined };
  });
  return leftOutOf({ switchedOff, allowWrites, servers: listed });
}

/** Undefined if the run had no judge. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one count over the scores and their votes, all into the same sum.
export function judgeVotesOf(trials: readonly StoredTrial[]): JudgeVotes | undefined {
  const scores = trials.flatMap(({ scores }) =>
    (Array.isArray(scores) ? scores : []).filter(
      (score) => isRecord(score) && String(score['scorerId']).startsWith('predicate:goalCompleted'),
    ),
  ) as { passed?: boolean; status?: string; votes?: { passed?: boolean | null }[] }[];
  const sum = { held: 0, failed: 0, errors: 0, votes: 0, agreed: 0, failedVotes: 0 };
  for (const { passed, status, votes = [] } of scores) {
    if (passed === true) sum.held += 1;
    if (passed === false) sum.failed += 1;
    if (status === 'error') sum.errors += 1;
    for (const vote of votes) {
      if (vote.passed == null) sum.failedVotes += 1;
      else sum.votes += 1;
      if (vote.passed != null && vote.passed === passed) sum.agreed += 1;
    }
  }
  return sum.held + sum.failed + sum.errors > 0 ? sum : undefined;
}

type Spent = TrialToWrite['spent'][number];

/** Returns undefined if no model was called. */
export function sumSpending(spent: readonly Spent[]): RunSpending | undefined {
  const asked = spent.filter(({ cost }) => cost !== null);
  const judges = asked.filter(({ kind }) => kind === 'judge');
  if (asked.length === 0) return undefined;
  return { ...summed(asked), ...(judges.length > 0 && { judges: summed(judges) }) };
}

function summed(spent: readonly Spent[]) {
  const costs = spent.flatMap(({ cost }) => cost ?? []);
  const sum = (of: 'credits' | 'inputTokens' | 'outputTokens') =>
    costs.reduce((whole, cost) => whole + (cost[of] ?? 0), 0);
  return {
    credits: sum('credits'),
    priced: costs.every(({ priced }) => priced),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  };
}
