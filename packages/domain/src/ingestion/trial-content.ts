/**
 * Whether a trial that is reported again says what was recorded of it. It is compared by all that is kept of a report
 * and not made by us: the number it was given and a chain that was derived say nothing about it. A chain that came with
 * the report must be the stored one, and the case the one the trial was counted for, as long as that is still there.
 * What cannot be compared is not the same.
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
  /** The case the trial was counted for; absent when it is gone. */
  readonly knownCase: KnownCase | undefined;
}

export function isSameTrial(reported: ReportedTrialContent, kept: KeptTrialContent): boolean {
  return isSpelledAlike(reported.content, kept.content) && fits(reported, kept);
}

/** Two of one report. */
export function isSaidTwice(one: ReportedTrialContent, other: ReportedTrialContent): boolean {
  return isSpelledAlike(one, other);
}

/**
 * Takes the recorded trials of a run one by one and says of each whether the report has it, each of the report
 * at most once: as many trials that are all found are the whole report.
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

/** Nothing for what has no spelling, such as a document nested deeper than we can follow. */
function spell(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
