/**
 * Compares a repeated report of a run with the recorded run. Many processes may report to an open
 * run, so only their stated terms must agree. A complete report, or a report after the end of the
 * run, must equal the recorded run in everything that is stored. Otherwise its sender would get the
 * result of a different run.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { storableText } from '../kernel/storable-text.ts';
import { type RunSnapshot, type RunTerms, resolveTerms, type StatedTerms } from './run-terms.ts';

export interface StatedRun extends StatedTerms {
  readonly serverNames?: readonly string[] | undefined;
  readonly serverReplayConfigs?: readonly { readonly serverId: string }[] | undefined;
  readonly hostConfigHash?: string | undefined;
  readonly evaluationConfigHash?: string | undefined;
  readonly expectedIterations?: number | undefined;
  readonly notes?: string | undefined;
  readonly framework?: string | undefined;
  readonly ci?: unknown;
  readonly tags?: readonly string[] | undefined;
}

export interface KeptRun {
  readonly id: string;
  readonly status: string;
  /** Unreadable parts are absent. */
  readonly snapshot: {
    readonly terms?: RunTerms | undefined;
    readonly reportedTerms?: RunTerms | undefined;
    readonly servers?: RunSnapshot['servers'] | undefined;
    readonly hostConfigHash?: string | undefined;
  };
  readonly evaluationConfigHash: string | null;
  readonly expectedIterations: number | null;
  readonly notes: string | null;
  readonly framework: string | null;
  readonly ci: unknown;
  readonly tags: readonly string[];
}

export function otherTermsRefusal(run: KeptRun, stated: StatedRun): Refusal | undefined {
  const statesTerms =
    stated.verdictPolicy !== undefined ||
    stated.passCriteria?.minimumPassRate !== undefined ||
    stated.skipped !== undefined;
  if (!statesTerms || isAlike(resolveTerms(stated), termsOf(run))) return undefined;
  return otherContentRefusal(run);
}

export function otherRunRefusal(run: KeptRun, stated: StatedRun): Refusal | undefined {
  const reported = {
    terms: resolveTerms(stated),
    servers: reportedServers(stated),
    hostConfigHash: stated.hostConfigHash?.toLowerCase() ?? null,
    evaluationConfigHash: storableOrNull(stated.evaluationConfigHash),
    expectedIterations: stated.expectedIterations ?? null,
    notes: storableOrNull(stated.notes),
    framework: storableOrNull(stated.framework),
    ci: stated.ci ?? null,
    tags: (stated.tags ?? []).map(storableText),
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
  return isAlike(reported, kept) ? undefined : otherContentRefusal(run);
}

export function otherContentRefusal({ id, status }: Pick<KeptRun, 'id' | 'status'>): Refusal {
  return {
    code: 'CONFLICT',
    message:
      'This externalRunId was already reported with different content; report another run under a different id.',
    details: { reason: 'RUN_ALREADY_REPORTED', runId: id, status },
  };
}

/**
 * Only server names and ids are stored. The rest of a replay configuration is credentials and where
 * to use them.
 */
export function reportedServers({
  serverNames = [],
  serverReplayConfigs = [],
}: Pick<StatedRun, 'serverNames' | 'serverReplayConfigs'>): { id?: string; name?: string }[] {
  return [
    ...serverNames.map((name) => ({ name })),
    ...serverReplayConfigs.map(({ serverId }) => ({ id: serverId })),
  ];
}

export function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

function termsOf({ snapshot }: KeptRun) {
  return snapshot.terms === undefined ? null : (snapshot.reportedTerms ?? snapshot.terms);
}

function isAlike(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
