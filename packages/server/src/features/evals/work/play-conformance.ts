/**
 * Plays the trial of a conformance scenario. The suite plays it as a child process; its requests go
 * to the server through a proxy, which adds the saved credentials under the egress rules.
 */
import {
  attributeFailure,
  deriveChain,
  type GradedScenario,
  gradeScenario,
  type NamedSuite,
  type PlannedConformance,
  type PlannedTrial,
  type PlayedScenario,
  Refused,
  type RunPlan,
  type ScenarioEnd,
  type SeenExchange,
  wasAnswered,
} from '@proofmark/domain';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import { findVersion } from '../../../outside/conformance/find-suites.ts';
import { playScenario } from '../../../outside/conformance/play-scenario.ts';
import type { SeenTraffic } from '../../../outside/conformance/server-proxy.ts';
import { factsOf, McpFailure } from '../../../outside/mcp/mcp-failure.ts';
import type { McpGateway } from '../../../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../../../outside/mcp/mcp-target.ts';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { noteSecrets } from './open-parts.ts';

export interface ConformanceOfRun {
  readonly folder: string | undefined;
  readonly mcp: Pick<McpGateway, 'forward'>;
  verifyEgress(): Promise<boolean>;
  target(serverId: string): Promise<McpTarget>;
}

export interface RunOfConformance {
  readonly plan: Pick<RunPlan, 'cases' | 'servers' | 'conformance'>;
  readonly secrets: TraceSecrets;
  readonly conformance: ConformanceOfRun;
}

export type PlayScenario = (
  trial: Pick<PlannedTrial, 'caseIndex'>,
  signal: AbortSignal,
) => Promise<TrialRecord>;

export async function playScenarioTrial(
  run: RunOfConformance,
  trial: Pick<PlannedTrial, 'caseIndex'>,
  signal: AbortSignal,
): Promise<TrialRecord> {
  const { conformance } = run.plan;
  const planned = run.plan.cases[trial.caseIndex]?.conformance;
  if (conformance === undefined || planned === undefined) {
    throw new Error('This trial belongs to no scenario of the conformance suite.');
  }
  const startedAtMs = Date.now();
  const begun = performance.now();
  const { end, seen } = planned.isLeftOut
    ? { end: undefined, seen: nothingSeen }
    : await play(run, conformance, planned.scenario, signal);
  const graded = gradeScenario(planned, end, seen, conformance.hasBaseline);
  const checks = end?.kind === 'checked' ? end.checks : [];
  const durationMs = Math.round(performance.now() - begun);
  const played = { scenario: planned.scenario, checks, ...outcomeOf(graded) };
  return recordOf(graded, { startedAtMs, durationMs }, { ...conformance, ...played });
}

function outcomeOf({
  outcome,
  reasons,
  unanswered,
}: GradedScenario): Pick<PlayedScenario, 'outcome' | 'reasons' | 'unanswered'> {
  return { outcome, reasons, ...(unanswered !== undefined && { unanswered }) };
}

const nothingSeen: SeenExchange = { statuses: [], askedToWait: false, unfinishedCalls: 0 };

interface Played {
  readonly end: ScenarioEnd;
  readonly seen: SeenExchange;
}

async function play(
  { plan, secrets, conformance: parts }: RunOfConformance,
  { suite: named, spec }: PlannedConformance,
  scenario: string,
  signal: AbortSignal,
): Promise<Played> {
  const suite = await findVersion(parts.folder, named);
  if (suite === undefined) return { end: notInstalled(named), seen: nothingSeen };
  const found = await targetOrRefusal(parts, plan.servers[0]?.id ?? '');
  if ('refused' in found) {
    const signal = { ok: false, attribution: 'ours', egressVerified: false } as const;
    const failure = { message: found.refused, signal };
    return { end: { kind: 'overtime' }, seen: { ...nothingSeen, failure } };
  }
  const target = noteSecrets(secrets, found.target);
  const { address } = target;
  if (address.kind !== 'http') throw new Error('The conformance suite needs an address.');
  const { end, seen } = await playScenario(suite, {
    scenario,
    spec,
    serverUrl: address.url,
    forward: (request) => parts.mcp.forward(target, request),
    signal,
  });
  return { end, seen: await attributed(seen, () => parts.verifyEgress()) };
}

/** A server that was deleted, or a grant that has ended, is a matter of the set-up. */
async function targetOrRefusal(
  parts: ConformanceOfRun,
  serverId: string,
): Promise<{ readonly target: McpTarget } | { readonly refused: string }> {
  try {
    return { target: await parts.target(serverId) };
  } catch (error) {
    if (error instanceof Refused || error instanceof McpFailure) return { refused: error.message };
    throw error;
  }
}

function notInstalled({ name, version }: NamedSuite): ScenarioEnd {
  return { kind: 'broken', message: `version ${version} of ${name} is not installed here.` };
}

async function attributed(
  { failure, ownError: _, ...seen }: SeenTraffic,
  verifyEgress: () => Promise<boolean>,
): Promise<SeenExchange> {
  if (failure === undefined) return seen;
  const facts = factsOf(failure);
  const attribution = attributeFailure(facts);
  const isAnswered = wasAnswered(facts);
  const egressVerified = isAnswered || (attribution === 'theirs' && (await verifyEgress()));
  const signal = { ok: false, attribution, egressVerified } as const;
  return { ...seen, failure: { message: failure.message, signal } };
}

function recordOf(
  { status, result, evaluatorError, error, evidence }: GradedScenario,
  times: Pick<TrialRecord, 'startedAtMs' | 'durationMs'>,
  conformance: object,
): TrialRecord {
  return {
    status,
    result,
    evaluatorError,
    ...times,
    usage: null,
    tokensUsed: null,
    expectedToolCalls: [],
    actualToolCalls: [],
    error,
    scores: null,
    chain: deriveChain(evidence),
    evidence,
    refusedCalls: [],
    warnings: [],
    trace: {
      traceVersion: 1,
      messages: [],
      spans: [],
      prompts: [],
      steps: [],
      toolSurface: null,
      conformance,
    },
    widgets: null,
    toolSurface: null,
  };
}
