/**
 * Compares a repeated report of a trial with the recorded trial, by everything that the reporter
 * sends. The assigned trial number and a derived stage chain are not compared, but a reported chain
 * must equal the stored one. Content that cannot be compared counts as different.
 */
import type { StoredChain } from '../chain/read-chain.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type CaseIdentityKeys, type KnownCase, KnownCases } from './reported-case.ts';

export interface TrialContent {
  readonly externalId: string | undefined;
  readonly declaredCaseId: string | undefined;
  readonly title: string;
  readonly status: string;
  readonly result: string | undefined;
  readonly evaluatorError: boolean;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly startedAtMs: number | undefined;
  readonly durationMs: number | undefined;
  readonly usage: unknown;
  readonly expectedToolCalls: unknown;
  readonly actualToolCalls: unknown;
  readonly error: string | undefined;
  readonly scores: unknown;
  readonly evaluationConfig: unknown;
  readonly scoreIntegrity: string | undefined;
  readonly trace: unknown;
  readonly details: unknown;
}

export interface ReportedTrialContent {
  readonly content: TrialContent;
  readonly identity: CaseIdentityKeys;
  readonly reportedChain: StoredChain | undefined;
}

export interface KeptTrialContent {
  readonly content: TrialContent;
  readonly chain: unknown;
  /** Undefined if the case no longer exists. */
  readonly knownCase: KnownCase | undefined;
}

export function isSameTrial(reported: ReportedTrialContent, kept: KeptTrialContent): boolean {
  return isSpelledAlike(reported.content, kept.content) && fits(reported, kept);
}

export function isSameContent(one: ReportedTrialContent, other: ReportedTrialContent): boolean {
  return isSpelledAlike(one, other);
}

/**
 * Returns a function that reports whether a recorded trial is in the report. Each reported trial
 * matches at most once. The whole report is recorded if every reported trial was matched.
 */
export function matchTrials(
  reported: readonly ReportedTrialContent[],
): (kept: KeptTrialContent) => boolean {
  const open = new Map<string | undefined, ReportedTrialContent[]>();
  for (const one of reported) {
    const spelled = spell(one.content);
    const alike = open.get(spelled);
    if (alike === undefined) open.set(spelled, [one]);
    else alike.push(one);
  }
  open.delete(undefined);
  return (kept) => {
    const alike = open.get(spell(kept.content)) ?? [];
    const index = alike.findIndex((one) => fits(one, kept));
    if (index !== -1) alike.splice(index, 1);
    return index !== -1;
  };
}

function fits(reported: ReportedTrialContent, kept: KeptTrialContent): boolean {
  const { reportedChain, identity } = reported;
  const { chain, knownCase } = kept;
  return (
    (reportedChain === undefined || isSpelledAlike(reportedChain, chain)) &&
    (knownCase === undefined || 'is' in new KnownCases([knownCase]).match(identity))
  );
}

function isSpelledAlike(one: unknown, other: unknown): boolean {
  const spelled = spell(one);
  return spelled !== undefined && spelled === spell(other);
}

/**
 * Returns undefined for values without a canonical form, such as values that are nested too deeply.
 */
function spell(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
