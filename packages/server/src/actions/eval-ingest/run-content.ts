/**
 * Whether a reporter says the same of a run it names again. Everything that is kept of a run is compared; credentials
 * are not kept, and the description belongs to the suite. A run that is still open is taken up again by anybody who
 * does not state other terms for it, since many processes may report to one run. A whole report, and whoever comes
 * after the end, must say the same in everything: they would take an answer about another run for their own.
 */
import { canonicalJson, resolveTerms, storableText } from '@proofmark/domain';
import type { EvalRun } from '../../storage/eval-runs/eval-runs.ts';
import { refuse } from '../action.ts';
import { hasEnded } from '../eval-runs/present-run.ts';
import type { RunBody } from './open-run.ts';

export function refuseOtherTerms(run: EvalRun, body: RunBody): void {
  const statesTerms =
    body.verdictPolicy !== undefined || body.passCriteria?.minimumPassRate !== undefined;
  if (statesTerms && !isAlike(resolveTerms(body), termsOf(run))) refuseOtherContent(run);
  if (hasEnded(run)) refuseOtherRun(run, body);
}

export function refuseOtherRun(run: EvalRun, body: RunBody): void {
  const reported = {
    terms: resolveTerms(body),
    servers: reportedServers(body),
    hostConfigHash: body.hostConfigHash?.toLowerCase() ?? null,
    evaluationConfigHash: storable(body.evaluationConfigHash),
    expectedIterations: body.expectedIterations ?? null,
    notes: storable(body.notes),
    framework: storable(body.framework),
    ci: body.ci ?? null,
    tags: (body.tags ?? []).map(storableText),
  };
  const kept = {
    terms: termsOf(run),
    servers: run.snapshot.servers,
    hostConfigHash: run.snapshot.hostConfigHash ?? null,
    evaluationConfigHash: run.evaluationConfigHash,
    expectedIterations: run.expectedIterations,
    notes: run.notes,
    framework: run.framework,
    ci: run.ci,
    tags: run.tags,
  };
  if (!isAlike(reported, kept)) refuseOtherContent(run);
}

export function refuseOtherContent(run: EvalRun): never {
  return refuse({
    code: 'CONFLICT',
    message:
      'This externalRunId was reported before with other content; report another run under an id of its own.',
    details: { reason: 'RUN_ALREADY_REPORTED', runId: run.id, status: run.status },
  });
}

/** Of a replay configuration the rest is credentials and where to use them; none of it is kept. */
export function reportedServers(body: RunBody): { id?: string; name?: string }[] {
  return [
    ...(body.serverNames ?? []).map((name) => ({ name })),
    ...(body.serverReplayConfigs ?? []).map(({ serverId }) => ({ id: serverId })),
  ];
}

export function storable(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

function termsOf({ snapshot }: EvalRun) {
  return snapshot.terms === undefined ? null : (snapshot.reportedTerms ?? snapshot.terms);
}

function isAlike(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
